"""The latest label of a key, by rows and registers that are overwritten; an additive table is no substitute."""

from __future__ import annotations

import math

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.overwriting import VALUE
from separatrix.constructions.named.table_mixers import LIGHT
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right

NAMES = ("latest-recall/deltanet", "latest-recall/lstm", "latest-recall/gru")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_the_latest_label_is_recalled(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 1}, {"length": 24}, {"length": 12, "symbols": 30, "labels": 5}, {"length": 60, "symbols": 3, "labels": 4}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 24), chosen


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_every_small_input_is_right_and_certified(name: str, arithmetic: str) -> None:
    built = build(name, length=3, symbols=3, arithmetic=arithmetic)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


def test_rows_are_overwritten_exactly_a_thousand_times() -> None:
    built = build("latest-recall/deltanet", length=1000, symbols=1)
    state, written = built.model.initial_state(1), float(torch.nn.functional.silu(torch.tensor(VALUE, dtype=torch.float64)))
    with torch.no_grad():
        for t in range(2000):
            token = 0 if t % 2 == 0 else 1 + (t // 2) % 2
            state, _ = built.model.step(state, torch.tensor([token]))
            if t % 2:
                assert float(state.layers[0][1]) == (written if token == 2 else 0.0)


def test_a_share_that_only_adds_keeps_the_old_label() -> None:
    built = build("latest-recall/deltanet", length=12)
    share = built.model.state_dict()["layers.0.mixer.share"]
    share[share > 0] = -LIGHT
    built.model.state_dict()["layers.0.mixer.norm.weight"].fill_(
        math.sqrt(built.task.keys) * 2.0**50 / 1000
    )  # as the additive tables have it
    assert not all_right(built)


def test_half_a_share_is_not_enough() -> None:
    built = build("latest-recall/deltanet", length=12)
    share = built.model.state_dict()["layers.0.mixer.share"]
    share[share > 0] = 0.0
    assert not all_right(built)


def test_two_keys_in_one_row_are_mixed_up() -> None:
    built = build("latest-recall/deltanet", length=12)
    table = built.model.state_dict()["embedding.table"]
    table[1] = table[0]
    assert not all_right(built)


def test_the_stream_grows_with_the_root_of_the_keys_and_the_state_with_the_keys() -> None:
    few, many = (construction("latest-recall/deltanet").sizes({"length": 4, "symbols": n}) for n in (1 << 12, 1 << 20))
    assert few is not None
    assert many is not None
    assert many["width"] / few["width"] == pytest.approx(16, rel=0.02)
    assert many["state_bits"] / few["state_bits"] == pytest.approx(256, rel=0.01)
    with pytest.raises(BadInput, match=r"^latest-recall with 12 keys needs a stream of at least \d+ numbers .*, found width = 5$"):
        build("latest-recall/deltanet", length=24, width=5)
