"""What each half of a hybrid needs alone for state-based recall, against counts and against brute force."""

from __future__ import annotations

import itertools

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.state_based_recall import at_home, state_based_recall_profile, swap_commutators
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.states.profile import state_profile
from separatrix.tasks.state_based_recall import StateBasedRecall


@pytest.mark.parametrize(
    ("length", "registers", "symbols", "swaps"), [(1, 3, 2, 1), (1, 3, 2, 4), (2, 3, 2, 2), (1, 4, 2, 2), (1, 3, 3, 3), (1, 5, 2, 3)]
)
def test_the_closed_form_is_what_counting_gives(length: int, registers: int, symbols: int, swaps: int) -> None:
    task = StateBasedRecall(length, registers, symbols, swaps)
    counted = state_profile(task.answer, alphabet=task.alphabets(), length=task.token_count)
    assert state_based_recall_profile(task).classes == counted.classes


def test_the_automaton_is_the_task_with_one_table() -> None:
    task, home = StateBasedRecall(1, registers=4, swaps=4), at_home(4)
    for swaps in itertools.product(range(3), repeat=4):
        assert home.accepts(swaps) == (task.answer((1, 0, 0, 0, *(2 + i for i in swaps), task.first_block)) == 1)


def test_commutators_have_the_rank_that_they_claim() -> None:
    from fractions import Fraction

    found = swap_commutators(5)
    assert found is not None
    choices = [*itertools.product((0, 1), repeat=3)]
    matrix = [[Fraction(found.automaton.accepts(found.word(a, b))) for b in choices] for a in choices]
    rank, rows = 0, [row[:] for row in matrix]
    for column in range(len(choices)):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rank += 1
        rows = [[x - y * row[column] / pivot[column] for x, y in zip(row, pivot, strict=True)] for row in rows if row is not pivot]
    assert rank == found.rank(3)


def test_the_state_grows_with_the_table_and_one_layer_with_the_swaps() -> None:
    def least(architecture: Architecture, quantity: Quantity, **chosen: int) -> int:
        rows = bounds_for(StateBasedRecall(**chosen), 8, None)
        return next(row.value for row in rows if (row.architecture, row.quantity) == (architecture, quantity))

    state = [least(Architecture.RECURRENT, Quantity.STATE_BITS, length=n, swaps=100) for n in (100, 200, 400)]
    assert state == [500, 1000, 2000]
    assert least(Architecture.RECURRENT, Quantity.STATE_BITS, length=100, swaps=100_000) == 500
    few, many = (least(Architecture.ONE_LAYER, Quantity.WIDTH_ONE_HEAD, length=10, swaps=M) for M in (20_000, 80_000))
    assert 3.5 < many / few < 4.5
    assert least(Architecture.ONE_LAYER, Quantity.WIDTH_ONE_HEAD, length=10, swaps=10) == 1
