from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.index_lookup import IndexLookup, farthest_symbols
from tests.tasks.plain_counter import Draws


@pytest.mark.parametrize("distribution", ["evaluation", "training"])
def test_examples_replay_from_the_documented_draws(distribution: str) -> None:
    task = IndexLookup(30, symbols=10, distribution=distribution)
    batch = task.sample(4, 30, start=100)
    for r in range(30):
        draws = Draws(task, 4, 100 + r)
        k = 10 + draws.high(0, 21) if distribution == "training" else 30
        p = 1 + draws.high(1, k)
        symbols = [draws.high(2 + t, 10) for t in range(k)]
        assert batch.row(r) == (*symbols, 10 + p - 1)
        assert batch.answer(r) == symbols[p - 1]


def test_training_asks_early_positions_far_more_often() -> None:
    # k uniform in 10..20, then p uniform in 1..k: P(1) / P(20) = 20 (1/10 + .. + 1/20) = 15.4.
    batch = IndexLookup(20, distribution="training").sample(0, 200_000)
    queried = batch.tokens[np.arange(200_000), batch.lengths - 1] - 64 + 1
    first, last = (queried == 1).mean(), (queried == 20).mean()
    assert abs(first - sum(1 / k for k in range(10, 21)) / 11) < 5 * np.sqrt(0.07 / 200_000)
    assert abs(last - 1 / 220) < 5 * np.sqrt(0.0046 / 200_000)
    assert {*(batch.lengths - 1).tolist()} == {*range(10, 21)}


def test_short_inputs_have_full_length_in_training_too() -> None:
    assert {*IndexLookup(7, distribution="training").sample(0, 50).lengths.tolist()} == {8}


def test_complement_cases_ask_every_position_and_hide_the_symbol_among_its_farthest() -> None:
    task = IndexLookup(16, symbols=64)
    batch = task.cases("complement", 0, 16)
    assert sorted(int(row[-1]) - 63 for row in batch.tokens) == [*range(1, 17)]
    for r in range(16):
        *symbols, index = batch.row(r)
        others = symbols[: index - 64] + symbols[index - 63 :]
        assert {*others} == {63 - symbols[index - 64]}


def test_the_farthest_symbol_differs_in_most_bits() -> None:
    assert farthest_symbols(8).tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    assert farthest_symbols(5).tolist() == [3, 2, 1, 4, 3]  # by hand, from 000 001 010 011 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s1 @17", r"index-lookup: index p = 17 lies outside \[1, N\] with N = 16"),
        ("s64 @1", "index-lookup: symbol s64 lies outside the alphabet"),
        ("t @1", "index-lookup: expected a token id, found 't'"),
    ],
)
def test_a_text_that_is_no_input_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        IndexLookup(16).read(text)


@pytest.mark.parametrize(
    ("length", "symbols", "message"), [(0, 64, "length N must be at least 1, found 0"), (4, 1, "symbols must lie in .* found 1")]
)
def test_sizes_without_a_task_are_refused(length: int, symbols: int, message: str) -> None:
    with pytest.raises(BadInput, match=f"^index-lookup: {message}$"):
        IndexLookup(length, symbols)
