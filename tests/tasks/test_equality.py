from __future__ import annotations

import collections

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.equality import EqNcp, EqOne, EqRandom, Equality, Halves, SeparatedHalves
from tests.tasks.plain_counter import Draws


@pytest.mark.parametrize(
    "task",
    [Equality(12, symbols=3), EqRandom(40, distribution="training"), EqOne(40, symbols=5, distribution="training"), EqNcp(24), EqOne(2)],
)
def test_examples_replay_from_the_documented_draws(task: Halves) -> None:
    N, batch = task.length, task.sample(2, 100, start=50)
    for r in range(100):
        draws = Draws(task, 2, 50 + r)
        lengths = [*range(2 * -(-N // 20), N + 1, 2)] if isinstance(task, SeparatedHalves) and task.distribution == "training" else [N]
        half = lengths[draws.high(0, len(lengths))] // 2
        first = [draws.high(4 + t, task.symbols) for t in range(half)]
        second = [*first]
        if draws.high(1, 2) and task.name in ("equality", "eq-random"):
            second = [draws.high(4 + N // 2 + t, task.symbols) for t in range(half)]
        if draws.high(1, 2) and task.name == "eq-one":
            place = draws.high(2, half)
            second[place] = (first[place] + 1 + draws.high(3, task.symbols - 1)) % task.symbols
        assert batch.row(r) == (*first, *[task.symbols] * task.separated, *second)


@pytest.mark.parametrize(("N", "shortest"), [(20, 2), (50, 6), (100, 10), (400, 40)])
def test_training_lengths_are_even_and_reach_N(N: int, shortest: int) -> None:
    # 2 ceil(N/20): the paper's N/10 is odd at N = 50 and would never reach 50.
    batch = EqRandom(N, distribution="training").sample(0, 20 * N)
    assert {*(batch.lengths - 1).tolist()} == {*range(shortest, N + 1, 2)}


def test_fresh_halves_agree_by_chance() -> None:
    # P(label 1) = 1/2 + 2^(-k/2) / 2; over k = 2, 4, .., 20 the mean is 0.55.
    count = 100_000
    assert abs(EqRandom(8).sample(0, count).targets.sum() / count - (1 / 2 + 2**-4 / 2)) < 0.008
    training = EqRandom(20, distribution="training").sample(0, count)
    assert abs(training.targets.sum() / count - 0.55) < 0.008
    short = training.lengths == 3
    assert abs(training.targets[short].sum() / short.sum() - 3 / 4) < 0.02


def test_eq_one_changes_exactly_one_place_and_each_place_alike() -> None:
    batch = EqOne(10, symbols=6).sample(0, 20_000)
    first, second = batch.tokens[:, :5], batch.tokens[:, 6:]
    changed, equal = first != second, batch.targets[:, -1] == 1
    assert (changed.sum(axis=1) == 1 - equal).all()
    assert abs(equal.mean() - 1 / 2) < 0.02
    assert all(abs(share - 1 / 5) < 0.02 for share in changed[~equal].mean(axis=0))
    moved = collections.Counter(((second - first) % 6)[changed].tolist())
    assert [*sorted(moved)] == [1, 2, 3, 4, 5]
    assert all(abs(count / changed.sum() - 1 / 5) < 0.02 for count in moved.values())


def test_the_counts_of_symbols_give_eq_one_away() -> None:
    batch = EqOne(20).sample(1, 500)
    guess = [sorted(row[:10]) == sorted(row[11:]) for row in batch.tokens.tolist()]
    assert (batch.targets[:, -1] == guess).all()


def test_eq_ncp_asks_for_the_second_half_from_the_separator_on() -> None:
    batch = EqNcp(6, symbols=9).sample(0, 50)
    assert (batch.mask == [0, 0, 0, 1, 1, 1, 0]).all()
    assert (batch.targets[:, 3:6] == batch.tokens[:, :3]).all()
    assert (batch.tokens[:, 3] == 9).all()


def test_eq_ncp_is_scored_all_or_nothing() -> None:
    task = EqNcp(6, symbols=9)
    batch = task.sample(0, 4)
    predicted = batch.targets.copy()
    predicted[:, [0, 1, 2, 6]] = 8  # the first half and the end are not scored
    assert task.score(predicted, batch) == 1
    predicted[2, 4] = (predicted[2, 4] + 1) % 9
    assert task.score(predicted, batch) == 3 / 4


def test_the_paper_sizes_are_the_defaults() -> None:
    assert [(task.vocabulary, task.targets) for task in (EqRandom(20), EqOne(20), EqNcp(20))] == [(3, 2), (1025, 2), (1025, 1024)]
    assert (Equality(20).vocabulary, Equality(20).targets) == (2, 2)


def test_adversarial_halves_are_equal_or_differ_at_places_that_take_turns() -> None:
    task = EqRandom(10, symbols=4)
    equal, changed = task.cases("equal", 0, 10), task.cases("one-change", 0, 10)
    assert equal.targets.sum() == 10
    assert changed.targets.sum() == 0
    differ = changed.tokens[:, :5] != changed.tokens[:, 6:]
    assert differ.argmax(axis=1).tolist() == [0, 1, 2, 3, 4] * 2
    assert (differ.sum(axis=1) == 1).all()


def test_copying_two_symbols_is_the_adversarial_case_of_eq_ncp() -> None:
    batch = EqNcp(40).cases("two-symbols", 0, 20)
    assert {*np.unique(batch.tokens).tolist()} == {0, 1, 1024}
    assert EqNcp(40).case_kinds == ("random", "two-symbols")


def test_the_oracle_knows_no_halves_where_there_are_none() -> None:
    assert Equality(4).answer((0, 1, 0)) is None
    assert Equality(4).answer(()) is None
    assert EqRandom(4).answer((0, 2)) is None
    assert EqRandom(4).answer((0, 0, 0)) is None
    assert EqNcp(4, symbols=3).answer((0, 3, 1)) is None


@pytest.mark.parametrize(
    ("kind", "chosen", "message"),
    [
        (Equality, {"length": 5}, "equality: length N must be even, because the string has two halves, found 5"),
        (EqOne, {"length": 0}, "eq-one: length N must be at least 2, found 0"),
        (EqNcp, {"length": 4, "symbols": 1}, "eq-ncp: symbols must lie in 2..2.31, found 1"),
    ],
)
def test_sizes_without_a_task_are_refused(kind: type[Halves], chosen: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        kind(**chosen)


def test_a_separator_is_read_only_where_there_is_one() -> None:
    assert EqRandom(4).read("0 # 1") == (0, 2, 1)
    with pytest.raises(BadInput, match=r"^equality: expected a token id, found '#'$"):
        Equality(4).read("0 # 1")


def test_eq_one_asks_about_the_place_that_was_changed() -> None:
    """Beside what a loop over each row finds, on strings of several lengths; equal halves are judged at their last token."""
    task = EqOne(12, distribution="training")
    batch, wanted = task.sample(3, 200), []
    for tokens, length in zip(batch.tokens, batch.lengths, strict=True):
        half = (length - 1) // 2
        changed = [j + 1 for j in range(half) if tokens[j] != tokens[half + 1 + j]]
        wanted.append(changed[0] if changed else length)
    assert task.asked(batch).tolist() == wanted
    assert set(wanted) == {*range(1, 7), *range(3, 14, 2)}  # every place, and the end of every length
    cases = EqOne(10).cases("one-change", 0, 5)
    assert EqOne(10).asked(cases).tolist() == [1, 2, 3, 4, 5]
