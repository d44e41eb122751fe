"""Equality over a partition: states counted one by one, and the bits that two parties must exchange."""

from __future__ import annotations

import itertools

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.partition_equality import classes, equal_pairs, most_states, need
from separatrix.bounds.limits import bounds_for
from separatrix.tasks.partition_equality import PartitionEquality


def counted(task: PartitionEquality, t: int) -> int:
    """Different rows of the table of answers: prefixes of t symbols against all their continuations."""
    symbols = range(task.symbols)
    rests = [*itertools.product(symbols, repeat=task.length - t)]
    return len({tuple(task.answer((*prefix, *rest)) for rest in rests) for prefix in itertools.product(symbols, repeat=t)})


@pytest.mark.parametrize(
    ("N", "symbols", "first"), [(6, 2, (1, 3, 4)), (6, 2, (1, 2, 3)), (4, 3, (2, 4)), (8, 2, (1, 8, 2, 5)), (2, 4, (2,))]
)
def test_the_states_are_those_of_a_brute_force_count(N: int, symbols: int, first: tuple[int, ...]) -> None:
    task = PartitionEquality(N, symbols=symbols, first=first)
    assert classes(task) == [counted(task, t) for t in range(N + 1)]


def test_neighbours_need_two_bits_and_halves_need_half_the_input() -> None:
    pairs, halves = (PartitionEquality(40, first=(*chosen,)) for chosen in (range(1, 41, 2), range(1, 21)))
    bits = [{(row.architecture, row.quantity): row.value for row in bounds_for(task, 32)} for task in (pairs, halves)]
    assert [one[Architecture.RECURRENT, Quantity.STATE_BITS] for one in bits] == [2, 20]
    assert need(pairs).bits == need(halves).bits == 21  # parties that hold one place of each pair do not care where it is


def test_the_equal_strings_are_a_fooling_set_for_whoever_holds_one_place_of_each_pair() -> None:
    task = PartitionEquality(6, first=(1, 3, 4))
    found = equal_pairs(task)
    alice = set(found.alice)
    assert (alice, len(found.inputs)) == ({0, 2, 3}, 8)
    for x, y in itertools.combinations(found.inputs, 2):
        crossed = [tuple(u[i] if i in alice else v[i] for i in range(6)) for u, v in ((x, y), (y, x))]
        assert task.answer(x) == task.answer(y) == 1
        assert 0 in [task.answer(z) for z in crossed]


@pytest.mark.parametrize("instance", range(8))
def test_the_widest_cut_alone_is_the_most_states_of_all_cuts(instance: int) -> None:
    task = PartitionEquality(2 + 2 * instance, symbols=2 + instance % 2, instance=instance)
    assert most_states(task) == max(classes(task))
