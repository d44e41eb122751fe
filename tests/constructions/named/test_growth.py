"""How the width of each named architecture grows with what it remembers: by the formula far out, which is the width that is built."""

from __future__ import annotations

import math

import pytest

from separatrix.constructions import build, construction
from separatrix.constructions.named.delay_lines import comparing_units, delay_units
from separatrix.constructions.named.recall_cells import Registers
from separatrix.tasks import make_task

RECALL = ("mqar", "associative-recall")
ROOT = [f"{task}/{by}" for task in RECALL for by in ("deltanet", "gated-deltanet", "mamba2")]
PLACES = ["index-lookup/linear-attention", "copy/linear-attention"]


def exponent(few: float, many: float, factor: int) -> float:
    return math.log(many / few) / math.log(factor)


def far(name: str, length: int, **chosen: int) -> int:
    sizes = construction(name).sizes({"length": length, **chosen})
    assert sizes is not None
    return sizes["width"]


@pytest.mark.parametrize("name", ROOT)
def test_a_matrix_state_needs_the_root(name: str) -> None:
    assert exponent(far(name, 1 << 16), far(name, 1 << 22), 1 << 6) == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("name", PLACES)
def test_a_matrix_of_places_needs_the_root(name: str) -> None:
    assert exponent(far(name, 1 << 16, symbols=2), far(name, 1 << 24, symbols=2), 1 << 8) == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("task", RECALL)
def test_linear_attention_needs_the_root_of_pairs_times_the_bits_of_their_number(task: str) -> None:
    few, many = (far(f"{task}/linear-attention", n) / math.sqrt(math.log2(n)) for n in (1 << 14, 1 << 22))
    assert exponent(few, many, 1 << 8) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("task", RECALL)
def test_a_fixed_number_of_slots_needs_a_width_that_grows_with_the_keys(task: str) -> None:
    assert exponent(far(f"{task}/mamba", 1 << 16), far(f"{task}/mamba", 1 << 22), 1 << 6) == pytest.approx(1, abs=0.005)


def test_a_vector_state_needs_a_unit_for_each_thing() -> None:
    lengths = (1 << 16, 1 << 24)
    for task in ("index-lookup", "copy"):
        assert exponent(*(delay_units(make_task(task, length=n, symbols=2)) for n in lengths), 1 << 8) == pytest.approx(1, abs=0.001)  # type: ignore[arg-type]
    for task in ("equality", "intersects"):
        assert exponent(*(comparing_units(make_task(task, length=n)) for n in lengths), 1 << 8) == pytest.approx(1, abs=0.001)  # type: ignore[arg-type]
    assert exponent(*(Registers("lstm", 1, n, 2).width for n in lengths), 1 << 8) == pytest.approx(1, abs=0.005)


@pytest.mark.parametrize("name", [*ROOT, "mqar/mamba", "associative-recall/mamba", "mqar/linear-attention"])
def test_what_is_built_is_as_wide_as_the_formula_says(name: str) -> None:
    for length in (16, 64, 256, 1024):
        built = build(name, length=length).sizes()
        sizes = construction(name).sizes({"length": length})
        assert sizes is not None
        assert (built["width"], built["state_bits"]) == (sizes["width"], sizes["state_bits"])


@pytest.mark.parametrize("name", [*PLACES, "copy/elman", "index-lookup/gru", "copy/lstm"])
def test_what_is_built_over_bits_is_as_wide_as_the_formula_says(name: str) -> None:
    for length in (16, 64, 256):
        built = build(name, length=length, symbols=2).sizes()
        sizes = construction(name).sizes({"length": length, "symbols": 2})
        assert sizes is not None
        assert (built["width"], built["state_bits"]) == (sizes["width"], sizes["state_bits"])


def test_bits_held_at_256_things_over_the_bound() -> None:
    """Over 263 bits for 256 pairs of which one is asked, and 256 bits for 256 symbols: what a table or a line holds beside its content."""
    ratios = {
        name: build(name, **chosen).claim.facts["bits held"] / bound
        for name, chosen, bound in (
            ("associative-recall/mamba2", {"length": 256}, 263),
            ("associative-recall/deltanet", {"length": 256}, 263),
            ("index-lookup/linear-attention", {"length": 256, "symbols": 2}, 256),
            ("copy/elman", {"length": 256, "symbols": 2}, 256),
        )
    }
    assert ratios["associative-recall/mamba2"] < 2.14  # twice as many keys as pairs, and three tokens: a first prototype's ratio
    assert ratios["associative-recall/deltanet"] < 2.14
    assert ratios["index-lookup/linear-attention"] < 1.35
    assert ratios["copy/elman"] == 257 / 256
