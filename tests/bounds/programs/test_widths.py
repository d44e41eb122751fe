"""Widths that a chain needs: closed forms against the cut calculator, and whether they bind at the sizes of the experiments."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.architectures import Architecture
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.programs.chains import first_handles
from separatrix.bounds.programs.widths import (
    least_linear_width,
    least_sparse_width,
    linear_width,
    revealed,
    revealed_or_none,
    visible_entries,
)
from separatrix.checker import check_document
from separatrix.constructions import construction
from separatrix.errors import BadInput
from separatrix.models.masks import BlockSparse
from separatrix.tasks import make_task
from separatrix.tasks.programs.compact_lis import bell, compact_lis_bits, unskipped


def test_bell_numbers_and_the_bits_of_the_compact_chain() -> None:
    assert [bell(n) for n in range(1, 7)] == [1, 2, 5, 15, 52, 203]
    assert f"{compact_lis_bits(250):.0f}" == "1206"


@pytest.mark.parametrize(("n", "symbols"), [(5, 3), (4, 2), (6, 4), (4, 4), (3, 9)])
def test_the_chains_of_the_longest_subsequence_are_counted_right_for_every_alphabet(n: int, symbols: int) -> None:
    """By brute force over all inputs, quadratic and without the package's code: 41 for five numbers below 3."""
    seen = set()
    for s in product(range(symbols), repeat=n):
        ends: list[int] = []
        for i in range(n):
            ends.append(1 + max((ends[k] for k in range(i) if s[k] < s[i]), default=0))
        seen.add(tuple(ends))
    assert len(seen) == unskipped(n, min(n, symbols))
    assert (n, symbols) != (5, 3) or len(seen) == 41


def test_the_bits_of_the_longest_subsequence_grow_with_n_for_a_fixed_alphabet() -> None:
    bits = [revealed(make_task("lis", length=n, symbols=16)).bits for n in (64, 128, 256)]
    assert bits[2] - bits[1] > 128 * 3.9  # log2 16 = 4 bits for each further number, in the limit
    assert bits[1] - bits[0] > 64 * 3.5


def test_visible_entries_are_those_that_the_mask_carries() -> None:
    for B in (1, 2, 5, 7):
        for k in (1, 2, 3):
            for c in range(1, B + 1):
                for n in range(1, 40):
                    assert visible_entries(n, B, k, c) == BlockSparse(B, k, c).carried(n)


@pytest.mark.parametrize("bits", [10.0, 500.5, 16610.0])
@pytest.mark.parametrize(("layers", "heads", "p"), [(1, 2, 16), (3, 4, 32), (2, 5, 64)])
def test_the_least_whole_width_gives_its_heads_just_enough_and_is_no_multiple_of_them(bits: float, layers: int, heads: int, p: int) -> None:
    real = linear_width(bits, layers, heads, p)
    assert layers * (real**2 / heads + real) * p == pytest.approx(bits)
    whole = least_linear_width(bits, layers, heads, p)
    head = -(-whole // heads)
    assert whole % heads == 1 % heads
    assert whole <= real + heads
    assert layers * heads * (head**2 + head) * p >= bits
    assert layers * heads * ((head - 1) ** 2 + head - 1) * p < bits


def test_the_sparse_width_solves_its_equation_and_a_single_layer_that_no_width_helps() -> None:
    bits, v = 5000 * 4.0, visible_entries(5000, 100)
    assert least_sparse_width(bits, v, 4, 3, 16) == math.ceil((bits - 4 * v) / (v * 2 * 16))  # v (log2 |S| + (M - 1) D p) >= b
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
        revealed(make_task("cellular-automaton", length=30))
    assert revealed_or_none(make_task("cellular-automaton", length=30)) is None


@pytest.mark.parametrize("border", ["true", "feng"])
def test_distances_to_a_word_of_zeros_say_which_letters_are_zero(border: str) -> None:
    n, m = 5, 6
    for a in product(range(2), repeat=n):
        task = make_task("edit-distance", length=n, second=m, symbols=2, border=border)
        values = task.values((*a, *[0] * m, 2))  # type: ignore[attr-defined]
        for i in range(1, n + 1):
            assert values[i * (m + 1) + m] == 3 * a[:i].count(1) + (2 if border == "true" else 1) * (m - i)


def test_the_closed_form_of_the_edit_distance_is_no_more_than_its_count() -> None:
    assert revealed(make_task("edit-distance", length=30, second=20)).bits == 20
    assert revealed(make_task("edit-distance", length=4, symbols=2)).bits > 4


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("reverse-sum", {"length": 4, "symbols": 3}),
        ("lis", {"length": 5, "symbols": 5, "compact": True}),
        ("lis", {"length": 6, "symbols": 3, "compact": True}),
        ("lis", {"length": 5, "symbols": 5}),
        ("edit-distance", {"length": 3, "symbols": 2}),
        ("edit-distance-local", {"length": 2, "second": 3, "symbols": 2}),
    ],
)
def test_a_chain_reveals_no_more_than_there_are_chains(name: str, chosen: dict[str, Any]) -> None:
    """Counted by running every input; compact chains and regular programs are met exactly."""
    task = make_task(name, **chosen)
    chains = task.as_vectors(np.array([*task.inputs()]))[1]  # type: ignore[index]
    count = len({chain.tobytes() for chain in chains})
    known = revealed(task)
    assert known.bits <= math.log2(count) + 1e-9
    tight = (name, chosen.get("compact")) != ("lis", None)  # the chain over pairs of places has more
    assert (known.bits == pytest.approx(math.log2(count))) == tight


def test_first_handles_have_as_many_second_lines_as_the_formula_says() -> None:
    task = make_task("arithmetic", length=3, prime=2)
    prompts = first_handles(task)  # type: ignore[arg-type]
    assert len({task.chain(tokens) for tokens in prompts}) == len(prompts) == 2 * 7**2
    assert revealed(task).bits == pytest.approx(math.log2(len(prompts)))
    assert len({len(tokens) for tokens in prompts}) == 1
    assert all(task.answer(tokens) is not None for tokens in prompts)


@pytest.mark.parametrize(
    ("name", "chosen", "needed"),
    [
        ("lis", {"length": 250, "symbols": 500}, "D >= 5.4, which does not bind: the least width tried was 32"),
        ("arithmetic", {"length": 16}, "D >= 0.7, which does not bind"),
        ("edit-distance-local", {"length": 20, "second": 22}, "D >= 0.7, which does not bind"),
        ("reverse-sum", {"length": 40_000}, "D >= 72.4, which binds"),
    ],
)
def test_a_row_says_whether_it_binds_at_the_sizes_of_the_experiments(name: str, chosen: dict[str, Any], needed: str) -> None:
    task = make_task(name, **chosen)
    (row,) = [row for row in bounds_for(task, 32) if row.architecture == Architecture.LINEAR_ATTENTION]
    assert needed in row.caveat
    verdict = check_document(row.witness.shown.certificate())  # type: ignore[union-attr]
    assert verdict.holds
    assert "different chains follow" in verdict.claim
    assert row.deterministic_only
