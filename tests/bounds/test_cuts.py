"""Every bound on states holds for every architecture: the tightest cut of a model, and what it refutes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from separatrix.bounds.cuts import tightest_cut
from separatrix.bounds.limits import task_profile
from separatrix.models import make_model
from separatrix.models.mixers import MIXERS
from separatrix.models.model import Model
from separatrix.tasks import make_task

RECURRENT = ("lstm", "gru", "elman", "linear-rnn", "linear-attention", "retnet", "dss", "mamba", "mamba2", "deltanet", "gated-deltanet")
TRAINED = sorted(set(MIXERS) - {"register-file", "user"})


def made(name: str, width: int = 8) -> Model:
    model = make_model(name, vocabulary=64 + 1000, targets=64, width=width, length=2000)
    assert isinstance(model, Model)
    return model


@pytest.mark.parametrize("name", RECURRENT)
def test_every_small_recurrent_model_is_refuted_on_a_long_lookup(name: str) -> None:
    """1000 symbols of 6 bits each must be told apart before the index is read; no state of these models grows with the length."""
    profile, model = task_profile(make_task("index-lookup", length=1000)), made(name)
    verdict = tightest_cut(profile, model.cuts, 8, 1, token_bits=11)  # numbers of a single bit
    assert (verdict.tokens, verdict.needed) == (1000, 6000)
    assert verdict.carried == model.state_numbers(1000)
    assert verdict.refuted == (verdict.carried < 6000)
    assert verdict.refuted


def test_attention_has_room_and_a_window_has_not() -> None:
    profile = task_profile(make_task("index-lookup", length=1000))
    assert not tightest_cut(profile, made("transformer").cuts, 8, 1, token_bits=11).refuted
    verdict = tightest_cut(profile, made("window").cuts, 8, 1, token_bits=11)
    assert (verdict.refuted, verdict.by_layer) == (True, (15 * 11,))


def test_a_hybrid_is_judged_layer_by_layer() -> None:
    model = make_model("stack", vocabulary=64 + 20, targets=64, mixers=("lstm", "window"), width=8, window=4)
    assert isinstance(model, Model)
    verdict = tightest_cut(task_profile(make_task("index-lookup", length=20)), model.cuts, 8, 4, token_bits=7)
    assert verdict.by_layer == (2 * 8 * 4, 3 * 8 * 4)  # h and c, then three tokens of a window, each worth a vector of the stream
    assert (verdict.needed, verdict.refuted) == (120, False)
    assert tightest_cut(task_profile(make_task("index-lookup", length=30)), model.cuts, 8, 4, token_bits=7).refuted  # 160 bits for 180


@pytest.mark.parametrize("name", TRAINED)
def test_no_model_is_said_to_carry_more_than_its_state_has(name: str) -> None:
    model = made(name)
    for tokens in (0, 1, 7, 100):
        assert model.bits_at_cut(tokens, "float16", token_bits=16) <= 16 * model.state_numbers(tokens)


def test_the_calculator_needs_no_torch() -> None:
    program = "import sys; sys.modules['torch'] = None; import separatrix.bounds.cuts, separatrix.models.state_at_cut"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
