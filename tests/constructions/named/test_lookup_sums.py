"""Looking up and copying by linear attention, against the oracle; the width that it takes."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, logits

NAMES = ("index-lookup/linear-attention", "copy/linear-attention")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_the_symbol_at_a_place_is_read(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 1, "symbols": 2}, {"length": 13, "symbols": 5}, {"length": 40, "symbols": 2}, {"length": 9, "symbols": 64}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 30), chosen


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, length=4, symbols=3)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_divided_by_zero_at_any_token(name: str) -> None:
    for arithmetic in ("float64", "float32"):
        built = build(name, length=9, symbols=2, arithmetic=arithmetic)
        assert bool(torch.isfinite(logits(built, 0 * built.task.sample(0, 4).tokens)).all())


def test_fewer_symbols_before_the_index_are_read_as_well() -> None:
    built = build("index-lookup/linear-attention", length=12, symbols=4)
    for row in ([3, 1, 2, 4 + 1], [2, 4 + 0], [0, 3, 0, 0, 1, 4 + 4]):
        assert int(built.model(torch.tensor([row]), at=-1).argmax()) == built.task.answer(row)


@pytest.mark.parametrize("name", NAMES)
def test_a_place_without_its_bucket_is_lost(name: str) -> None:
    built = build(name, length=12, symbols=2)
    table = built.model.state_dict()["embedding.places.0.address.table"]
    table[5] = table[6]  # place 6 is written where place 7 is
    assert not all_right(built)


def test_the_width_grows_with_the_root_of_the_length() -> None:
    widths = [construction("index-lookup/linear-attention").sizes({"length": n, "symbols": 2})["width"] for n in (1 << 14, 1 << 18)]  # type: ignore[index]
    assert 3.9 < widths[1] / widths[0] < 4.1
    assert build("index-lookup/linear-attention", length=256, symbols=2).sizes()["width"] <= 50  # what a first prototype took


def test_a_narrow_stream_is_refused_with_the_least_width() -> None:
    least = construction("copy/linear-attention").sizes({"length": 30})["width"]  # type: ignore[index]
    with pytest.raises(BadInput, match=f"^copy, N = 30 needs a stream of at least {least} numbers .*, found width = {least - 1}$"):
        build("copy/linear-attention", length=30, width=least - 1)
