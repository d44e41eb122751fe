"""Facts 1 to 4, each by its witness."""

from __future__ import annotations

import pytest

from separatrix.bounds.communication.dialogues import index_two_way
from separatrix.bounds.communication.facts import (
    DISJ,
    EQ,
    INDEX,
    complement_pairs,
    equal_pairs,
)
from separatrix.bounds.communication.matrix import FoolingSet
from separatrix.errors import BadInput
from tests.bounds.communication.optimal_protocol import optimal_bits


@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_disjointness_and_equality_cost_their_length_and_one_bit(n: int) -> None:
    """The 2^n pairs fool, and the other answer takes one rectangle more: more than 2^n of them are n + 1 bits."""
    for problem, pairs in ((DISJ, complement_pairs(n)), (EQ, equal_pairs(n))):
        matrix = problem.matrix(n)
        assert matrix.facts([pairs]).two_way_lower == n + 1


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_index_costs_its_length_in_one_direction_only(n: int) -> None:
    assert INDEX.matrix(n).facts().one_way == n
    assert index_two_way((0,) * n, 0).bits == (n - 1).bit_length() + 1


def test_a_fooling_set_forces_the_cost_it_says() -> None:
    for problem, fooling in ((DISJ, complement_pairs(2)), (EQ, equal_pairs(2))):
        matrix = problem.matrix(2)
        assert matrix.facts([fooling]).two_way_lower == 3 == optimal_bits(matrix.entries)


def test_a_set_that_fools_nobody_is_seen() -> None:
    loose = FoolingSet(((((0, 0),), ((1, 1),)), (((0, 0),), ((0, 0),))), 0, 2)
    assert not DISJ.matrix(2).is_fooling_set(loose.pairs, loose.value)


def test_every_problem_states_its_one_way_cost_and_whether_error_helps() -> None:
    assert [(p.name, p.survives_error) for p in (DISJ, EQ, INDEX)] == [("DISJ", True), ("EQ", False), ("INDEX", True)]
    for problem in (DISJ, EQ, INDEX):
        for n in (1, 2, 3):
            assert problem.matrix(n).facts().one_way == problem.one_way(n)
    with pytest.raises(BadInput, match="INDEX: n must be at least 1, found 0"):
        INDEX.alice(0)
