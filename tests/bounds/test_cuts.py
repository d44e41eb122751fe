"""Every bound on states holds for every architecture: what crosses the cut of a model, and what that refutes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from separatrix.bounds.limits import task_profile
from separatrix.models import make_model
from separatrix.models.mixers import MIXERS
from separatrix.models.model import Model
from separatrix.models.state_at_cut import bits_by_layer
from separatrix.tasks import make_task

RECURRENT = ("lstm", "gru", "elman", "linear-rnn", "linear-attention", "retnet", "dss", "mamba", "mamba2", "deltanet", "gated-deltanet")
TRAINED = sorted(set(MIXERS) - {"register-file", "user"})


def made(name: str, width: int = 8) -> Model:
    model = make_model(name, vocabulary=64 + 1000, targets=64, width=width, length=2000)
    assert isinstance(model, Model)
    return model


def carried(model: Model, t: int, bits: int, token_bits: int) -> tuple[int, ...]:
    return tuple(bits_by_layer(model.cuts(t), model.config.width, bits, token_bits))


@pytest.mark.parametrize("name", RECURRENT)
def test_every_small_recurrent_model_is_refuted_on_a_long_lookup(name: str) -> None:
    """1000 symbols of 6 bits each must be told apart before the index is read; no state of these models grows with the length."""
    model = made(name)
    assert task_profile(make_task("index-lookup", length=1000)).bits_at[1000] == 6000
    assert sum(carried(model, 1000, 1, token_bits=11)) == model.state_numbers(1000) < 6000  # numbers of a single bit


def test_attention_has_room_and_a_window_has_not() -> None:
    assert sum(carried(made("transformer"), 1000, 1, token_bits=11)) >= 6000
    assert carried(made("window"), 1000, 1, token_bits=11) == (15 * 11,)


def test_a_hybrid_is_judged_layer_by_layer() -> None:
    model = make_model("stack", vocabulary=64 + 20, targets=64, mixers=("lstm", "window"), width=8, window=4)
    assert isinstance(model, Model)
    assert carried(model, 20, 4, token_bits=7) == (2 * 8 * 4, 3 * 8 * 4)  # h and c, then three tokens, each worth a vector of the stream


@pytest.mark.parametrize("name", TRAINED)
def test_no_model_is_said_to_carry_more_than_its_state_has(name: str) -> None:
    model = made(name)
    for tokens in (0, 1, 7, 100):
        assert model.bits_at_cut(tokens, "float16", token_bits=16) <= 16 * model.state_numbers(tokens)


def test_the_calculator_needs_no_torch() -> None:
    program = "import sys; sys.modules['torch'] = None; import separatrix.models.state_at_cut"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
