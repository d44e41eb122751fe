"""Looking up, copying and comparing by linear attention, against the oracle; the width that it takes."""

from __future__ import annotations

import itertools

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.lookup_sums import layout
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
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


@pytest.mark.parametrize(
    "name", ["index-lookup/linear-attention", "copy/linear-attention", "equality/linear-attention", "intersects/linear-attention"]
)
def test_the_sink_is_more_than_float32_rounds(name: str) -> None:
    verdict = check_text(verify(build(name, length=6, arithmetic="float32")).to_json())
    assert verdict.holds, verdict.reason


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


# -- comparing ------------------------------------------------------------------------------------------------------------------------

COMPARISONS = ("equality/linear-attention", "intersects/linear-attention")


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_halves_are_compared(name: str, arithmetic: str) -> None:
    more = [{"length": 18, "symbols": 5}, {"length": 6, "symbols": 64}] if name.startswith("equality") else []
    for chosen in ({"length": 2}, {"length": 60}, *more):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 30), chosen


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_small_pair_of_halves_is_right_and_certified(name: str) -> None:
    built = build(name, length=6)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason


@pytest.mark.parametrize(
    ("name", "part"), [*itertools.product(COMPARISONS, ("slot", "asked", "sink", "code")), ("equality/linear-attention", "reader")]
)
def test_what_the_second_half_shows_is_needed(name: str, part: str) -> None:
    """Its slot and bucket, the sink (without it a bucket is divided by too little), and its bits.

    A reader has no bucket to write; one that counts as a writer only makes the reads smaller, which mismatches notice.
    """
    built = build(name, length=40)
    at = layout(built.task, 0)  # type: ignore[arg-type]
    tokens, places = (built.model.state_dict()[f"embedding.{table}"] for table in ("table", "places.0.address.table"))
    first = at.stream[part].start
    if part == "code":
        tokens[:, first] = 0
    elif part == "sink":
        built.model.state_dict()["layers.0.mixer.key_bias"][at.slots] = -60.0  # the first head's: never filled, not even faintly
        places[:, first] = 0
    else:
        places[20:, first] = 0
    assert not all_right(built, 60)


def test_comparing_needs_the_root_of_the_length_too() -> None:
    for name in COMPARISONS:
        few, many = (construction(name).sizes({"length": n})["width"] for n in (1 << 16, 1 << 24))  # type: ignore[index]
        assert many / few == pytest.approx(16, rel=0.02)
        assert build(name, length=256).sizes()["width"] <= 49  # what a first prototype took
