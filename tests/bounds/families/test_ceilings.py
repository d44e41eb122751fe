"""Ceilings in closed form, against enumeration and at lengths where nothing can be enumerated."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import Any

import pytest

from separatrix.bounds.accuracy.counted_ceiling import accuracy_ceiling
from separatrix.bounds.families.equality import equality_ceiling
from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.bounds.limits import task_ceiling
from separatrix.tasks import make_task


def lookup(x: tuple[Any, ...]) -> Any:
    return x[x[-1]]


def equality(x: tuple[Any, ...]) -> bool:
    return x[: len(x) // 2] == x[len(x) // 2 :]


@pytest.mark.parametrize(("N", "s"), [(1, 4), (2, 3), (3, 2), (4, 2)])
def test_lookup_machines_lie_between_what_is_attained_and_the_ceiling(N: int, s: int) -> None:
    exact = 0
    for b in range(5):
        form = index_lookup_ceiling(N, s, b)
        counted = accuracy_ceiling(lookup, [range(s)] * N + [range(N)], N + 1, b)
        assert form.attained is not None
        assert counted.attained is not None
        assert form.attained <= form.accuracy
        assert counted.attained <= form.accuracy
        if counted.exact:
            exact += 1
            assert form.attained <= counted.accuracy <= form.accuracy
    assert exact >= 2


def test_the_ceiling_of_lookup_at_a_few_sizes() -> None:
    assert index_lookup_ceiling(4, 2, 2).accuracy == 13 / 16  # four balls: 4 strings right, 12 at distance one
    assert index_lookup_ceiling(4, 2, 3).accuracy == 7 / 8
    assert index_lookup_ceiling(4, 2, 3).method.startswith("exact")
    assert index_lookup_ceiling(400, 64, 0).accuracy == 1 / 64
    assert index_lookup_ceiling(400, 64, 2400).accuracy == 1
    assert index_lookup_ceiling(400, 64, 2399).accuracy < 1
    assert index_lookup_ceiling(100, 64, 300).accuracy == pytest.approx(0.645184, abs=1e-6)


@pytest.mark.parametrize(("N", "s", "b"), [(50, 2, 20), (100, 64, 300), (300, 4, 100)])
def test_balls_are_never_worse_than_fano_and_tend_to_it(N: int, s: int, b: int) -> None:
    balls = index_lookup_ceiling(N, s, b).accuracy
    e = 1 - balls
    open_bits = log2(s) - b / N
    # Fano's function at the error of the balls is at least what is open
    assert -e * log2(e) - (1 - e) * log2(1 - e) + e * log2(s - 1) >= open_bits
    wide = index_lookup_ceiling(10**5, s, b * 10**5 // N)
    assert wide.method == "proven bound: Fano's inequality before the index"
    assert balls < wide.accuracy < balls + 0.05


def test_more_bits_never_lower_the_ceiling() -> None:
    for N, s in [(5, 3), (20, 2), (12, 64)]:
        ceilings = [index_lookup_ceiling(N, s, b) for b in range(80)]
        assert [c.accuracy for c in ceilings] == sorted(c.accuracy for c in ceilings)
        assert [c.attained or 0 for c in ceilings] == sorted(c.attained or 0 for c in ceilings)


@pytest.mark.parametrize("N", [2, 4, 6])
def test_equality_over_its_own_distribution_is_what_the_search_finds(N: int) -> None:
    S = 2 ** (N // 2)

    def weight(x: tuple[Any, ...]) -> Fraction:
        return Fraction(1, 2 * S * S) + (Fraction(1, 2 * S) if equality(x) else 0)

    for b in range(N // 2 + 1):
        form = equality_ceiling(N, 2, b)
        counted = accuracy_ceiling(equality, "01", N, b, weight)
        assert counted.exact
        assert form.exact
        assert form.accuracy == counted.accuracy


def test_a_few_bits_decide_equality_almost_always() -> None:
    ceiling = equality_ceiling(400, 2, 10)
    assert ceiling.exact
    assert ceiling.accuracy == pytest.approx(1 - 2**-11)
    assert equality_ceiling(400, 2, 200).accuracy == 1
    assert equality_ceiling(400, 2, 0).accuracy == 0.5


def test_alphabets_that_do_not_fill_the_states_leave_a_gap() -> None:
    ceiling = equality_ceiling(4, 3, 2)
    # 9 halves in 4 groups: 3 + 2 + 2 + 2, so 12 ordered pairs of 162 are wrong; remembering one symbol makes 3 + 3 + 3
    assert ceiling.accuracy == pytest.approx(1 - 12 / 162)
    assert ceiling.attained == pytest.approx(1 - 18 / 162)
    assert not ceiling.exact
    assert ceiling.method.startswith("proven bound")


@pytest.mark.parametrize(
    ("task", "parameters", "accuracy", "bits"),
    [
        ("index-lookup", {"length": 100, "symbols": 64}, 1.0, 600),
        ("index-lookup", {"length": 100, "symbols": 64}, 1 / 64, 0),
        ("index-lookup", {"length": 100, "symbols": 64}, 0.9, 497),
        ("equality", {"length": 400}, 0.999, 9),  # 1 - 2^-9 / 2 = 0.99902
        ("eq-random", {"length": 400, "distribution": "evaluation"}, 1.0, 200),
    ],
)
def test_the_least_bits_for_an_accuracy(task: str, parameters: dict[str, Any], accuracy: float, bits: int) -> None:
    some = make_task(task, **parameters)
    least = task_ceiling(some, accuracy=accuracy)
    assert least.bits == bits
    assert least.accuracy >= accuracy
    if 0 < bits < 200:
        assert task_ceiling(some, state_bits=bits - 1).accuracy < accuracy


def test_recall_is_at_best_lookup_among_the_labels_and_no_machine_of_a_small_task_beats_it() -> None:
    task = make_task("associative-recall", length=2, symbols=2)
    every = [tuple(alphabet) for alphabet in task.alphabets()]
    for b in range(4):
        form, counted = task_ceiling(task, state_bits=b), accuracy_ceiling(task.answer, every, len(every), b)
        assert counted.attained is not None
        assert counted.attained <= form.accuracy, b
        assert form.attained is None
    assert (
        task_ceiling(make_task("associative-recall", length=100, labels=64), accuracy=0.5).bits
        == task_ceiling(make_task("index-lookup", length=100), accuracy=0.5).bits
    )


def test_a_whole_copy_is_right_for_one_word_in_each_state() -> None:
    copy, mqar = make_task("copy", length=10, symbols=4), make_task("mqar", length=20, labels=4)
    for task in (copy, mqar):  # ten answers of two bits each
        assert task_ceiling(task, state_bits=0).accuracy == 2**-20
        assert task_ceiling(task, state_bits=19).accuracy == 0.5
        assert task_ceiling(task, accuracy=0.3).bits == 19
        assert task_ceiling(task, state_bits=20).accuracy == 1
    assert task_ceiling(copy, state_bits=19).exact
    assert not task_ceiling(mqar, state_bits=19).exact
