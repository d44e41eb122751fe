"""Widths that a chain needs: closed forms against the cut calculator, and whether they bind at the sizes of the experiments."""

from __future__ import annotations

import math

import pytest

from separatrix.bounds.programs.widths import (
    bell,
    compact_lis_bits,
    least_linear_width,
    least_sparse_width,
    linear_width,
    revealed,
    sparse_width,
    visible_entries,
)
from separatrix.constructions import construction
from separatrix.errors import BadInput
from separatrix.models.masks import BlockSparse
from separatrix.tasks import make_task


def test_bell_numbers_and_the_bits_of_the_compact_chain() -> None:
    assert [bell(n) for n in range(1, 7)] == [1, 2, 5, 15, 52, 203]
    assert f"{compact_lis_bits(250):.0f}" == "1206"


def test_visible_entries_are_those_that_the_mask_carries() -> None:
    for B in (1, 2, 5, 7):
        for k in (1, 2, 3):
            for c in range(1, B + 1):
                for n in range(1, 40):
                    assert visible_entries(n, B, k, c) == BlockSparse(B, k, c).carried(n)


@pytest.mark.parametrize("bits", [10.0, 500.5, 16610.0])
@pytest.mark.parametrize(("layers", "heads", "p"), [(1, 2, 16), (3, 4, 32), (2, 5, 64)])
def test_the_cut_calculator_rounds_the_closed_form_up(bits: float, layers: int, heads: int, p: int) -> None:
    real = linear_width(bits, layers, heads, p)
    assert layers * (real**2 / heads + real) * p == pytest.approx(bits)
    whole = least_linear_width(bits, layers, heads, p)
    assert real <= whole < real + heads
    assert layers * ((whole - heads) ** 2 / heads + whole - heads) * p < bits


def test_sparse_widths_by_both_ways_and_a_single_layer_that_no_width_helps() -> None:
    bits, v = 5000 * 4.0, visible_entries(5000, 100)
    real = sparse_width(bits, v, 4, 3, 16)
    whole = least_sparse_width(bits, v, 4, 3, 16)
    assert whole == max(1, math.ceil(real))
    assert sparse_width(bits, v, 4, 1, 16) == math.inf
    assert least_sparse_width(bits, v, 4, 1, 16) is None


def test_bounds_at_the_sizes_of_the_experiments_hardly_bind() -> None:
    """Three layers and four heads: D from 32 to 1024 was tried, and D = 9 is all that the argument asks for."""
    assert [f"{linear_width(compact_lis_bits(250), 3, 4, p):.1f}" for p in (32, 16, 1)] == ["5.4", "8.2", "38.2"]
    arithmetic = revealed(make_task("arithmetic", length=16)).bits
    assert [f"{linear_width(arithmetic, 3, 4, p):.1f}" for p in (32, 16, 1)] == ["0.7", "1.3", "8.8"]


@pytest.mark.parametrize("n", [24, 200, 1000])
def test_no_width_that_is_built_lies_below_its_bound(n: int) -> None:
    task = make_task("reverse-sum", length=n)
    bits = revealed(task).bits
    assert revealed(task).proven
    linear, sparse = (construction(f"reverse-sum/{way}").sizes({"length": n}) for way in ("linear", "sparse"))
    assert linear is not None
    assert sparse is not None
    assert least_linear_width(bits, 1, linear.heads, 64) <= linear.width
    W = math.isqrt(2 * n + 1) + 1
    needed = least_sparse_width(bits, visible_entries(n, W), 4, 2, 64)
    assert needed is not None
    assert needed <= sparse.width


def test_what_has_no_count_is_refused() -> None:
    with pytest.raises(BadInput, match="no count of its chains is known"):
        revealed(make_task("edit-distance", length=3))
    with pytest.raises(BadInput, match="at least as many numbers as places"):
        revealed(make_task("lis", length=20, symbols=4))
