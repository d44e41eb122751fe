"""The best protocol for small matrices, found by dynamic programming."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.bounds.communication.facts import DISJ, EQ, INDEX
from separatrix.bounds.communication.matrix import communication_matrix
from tests.bounds.communication.optimal_protocol import optimal_bits


def test_equality_and_disjointness_cost_one_bit_more_than_the_string() -> None:
    assert [optimal_bits(EQ.matrix(n).entries) for n in (1, 2, 3)] == [2, 3, 4]
    assert [optimal_bits(DISJ.matrix(n).entries) for n in (1, 2)] == [2, 3]


@pytest.mark.parametrize(("n", "bits"), [(1, 1), (2, 2), (3, 3)])
def test_index_costs_a_logarithm_and_a_bit(n: int, bits: int) -> None:
    # n = 1: Alice says her bit
    assert optimal_bits(INDEX.matrix(n).entries) == bits


def test_a_constant_costs_nothing_and_one_partys_function_its_answers() -> None:
    assert optimal_bits(np.zeros((4, 4), dtype=int)) == 0
    assert optimal_bits(np.repeat([[0], [1], [2], [0]], 3, axis=1)) == 2


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_facts_of_a_matrix_enclose_its_cost(seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, 3, (4, 5)).tolist()
    matrix = communication_matrix(lambda x: table[x[0]][x[1]], [range(4), range(5)], 2, alice=[0])
    facts = matrix.facts([matrix.fooling_set(value=v) for v in matrix.values])
    assert facts.two_way_lower <= optimal_bits(matrix.entries) <= facts.two_way_upper
