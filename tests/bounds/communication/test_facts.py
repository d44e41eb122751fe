"""Facts 1 to 4, each by its witness."""

from __future__ import annotations

import pytest

from separatrix.bounds.communication.dialogues import index_two_way
from separatrix.bounds.communication.facts import (
    DISJ,
    EQ,
    INDEX,
    PROBLEMS,
    check_fact_1,
    check_fact_2,
    check_fact_3,
    complement_pairs,
    equal_pairs,
    fooling_bound,
)
from separatrix.bounds.communication.matrix import FoolingSet
from separatrix.bounds.communication.optimal_protocol import optimal_bits
from separatrix.errors import BadInput


@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_disjointness_and_equality_cost_their_length_and_one_bit(n: int) -> None:
    for check in (check_fact_1(n), check_fact_2(n)):
        assert check.holds
        assert (check.promised, check.proven, check.exact) == (n, n + 1, n + 1)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_index_costs_its_length_in_one_direction_only(n: int) -> None:
    check = check_fact_3(n)
    assert (check.promised, check.proven, check.exact) == (n, n, n)
    assert index_two_way((0,) * n, 0).bits == (n - 1).bit_length() + 1


def test_a_fooling_set_forces_the_cost_it_says() -> None:
    for problem, fooling in ((DISJ, complement_pairs(2)), (EQ, equal_pairs(2))):
        matrix = problem.matrix(2)
        assert fooling_bound(matrix, fooling) == 3 <= optimal_bits(matrix.entries)


def test_a_set_that_fools_nobody_is_refused() -> None:
    loose = FoolingSet(((((0, 0),), ((1, 1),)), (((0, 0),), ((0, 0),))), 0, 2)
    with pytest.raises(BadInput, match="expected a fooling set for the answer 0, found two inputs that a protocol may treat the same"):
        fooling_bound(DISJ.matrix(2), loose)


def test_every_problem_states_its_one_way_cost_and_whether_error_helps() -> None:
    assert [(p.name, p.survives_error) for p in PROBLEMS] == [("DISJ", True), ("EQ", False), ("INDEX", True)]
    for problem in PROBLEMS:
        for n in (1, 2, 3):
            assert problem.matrix(n).facts().one_way == problem.one_way(n)
    with pytest.raises(BadInput, match="INDEX: n must be at least 1, found 0"):
        INDEX.alice(0)
