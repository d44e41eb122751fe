"""Communication matrices: exact ranks, fooling sets with proof, and what they say about protocols."""

from __future__ import annotations

import doctest
import sys
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import separatrix.bounds.communication.matrix
from separatrix.bounds.communication.fooling_sets import largest_fooling_cells
from separatrix.bounds.communication.matrix import CommunicationMatrix, FoolingSet, communication_matrix, exact_rank
from separatrix.bounds.question import question_of_function
from separatrix.bounds.states.profile import state_profile
from separatrix.bounds.witnesses import certify_fooling_set
from separatrix.checker import check_document
from separatrix.errors import BadInput
from tests.bounds.functions import dyck_2_2


def halves(n: int, answer: Any) -> CommunicationMatrix:
    """Alice holds the first n bits, Bob the last n."""
    return communication_matrix(lambda x: answer(x[:n], x[n:]), (0, 1), 2 * n, range(n))


def equal(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return a == b


def meet(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return any(i == j == 1 for i, j in zip(a, b, strict=True))


def inner_product(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum(i * j for i, j in zip(a, b, strict=True)) % 2


def eliminated(matrix: Any, field: int | None) -> int:
    """Rank by elimination with exact numbers."""
    rows = [[Fraction(int(v)) if field is None else int(v) % field for v in row] for row in matrix]
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = 1 / rows[rank][column] if field is None else pow(int(rows[rank][column]), -1, field)
        for r in range(len(rows)):
            factor = rows[r][column] * inverse
            if r != rank and factor:
                rows[r] = [a - factor * b if field is None else (a - factor * b) % field for a, b in zip(rows[r], rows[rank], strict=True)]
        rank += 1
    return rank


def test_the_matrix_holds_the_answer_of_every_string_whoever_holds_which_symbol() -> None:
    def answer(x: tuple[Any, ...]) -> int:
        return (ord(x[0]) + 2 * ord(x[1]) ** 2 + 3 * ord(x[2])) % 7

    matrix = communication_matrix(answer, [tuple("01"), tuple("abc"), tuple("xy")], 3, alice=[2, 0])
    assert matrix.alice == (0, 2)
    assert matrix.bob == (1,)
    assert matrix.entries.shape == (4, 3)
    for i in range(4):
        for j in range(3):
            (a, c), (b,) = matrix.pair(i, j)
            assert matrix.entries[i, j] == answer((a, b, c))
            assert matrix.cell(((a, c), (b,))) == (i, j)


@pytest.mark.parametrize("field", [None, 2, 3, 101])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), shape=st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_the_rank_is_exact_over_every_field(field: int | None, seed: int, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(seed)
    inner = int(rng.integers(1, 4))
    matrix = rng.integers(-2, 3, (shape[0], inner)) @ rng.integers(-2, 3, (inner, shape[1]))
    assert exact_rank(matrix, field) == eliminated(matrix, field)


def test_a_determinant_that_a_large_prime_divides_is_not_zero() -> None:
    assert exact_rank(np.array([[2**61 - 1]]), None) == 1
    assert exact_rank(np.array([[2**61 - 1]]), 2**61 - 1) == 0


def test_the_rank_depends_on_the_field() -> None:
    # the 3 x 3 matrix J - I has determinant 2
    matrix = communication_matrix(lambda x: x[0] != x[1], (0, 1, 2), 2, alice=[0])
    assert (matrix.rank(), matrix.rank(field=2), matrix.rank(field=3)) == (3, 2, 3)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_equality_is_the_identity_matrix_and_costs_one_bit_more_than_the_string(n: int) -> None:
    matrix = halves(n, equal)
    assert np.array_equal(matrix.entries, np.eye(2**n))
    facts = matrix.facts()
    assert (facts.one_way, facts.two_way_lower, facts.two_way_upper) == (n, n + 1, n + 1)  # D(EQ_n) = n + 1


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_intersection_costs_as_much_as_equality(n: int) -> None:
    matrix = halves(n, meet)
    fooling = matrix.fooling_set()
    assert (len(fooling.pairs), fooling.value, fooling.optimal) == (2**n, False, True)  # (A, complement of A)
    facts = matrix.facts()
    assert (facts.one_way, facts.two_way_lower, facts.two_way_upper) == (n, n + 1, n + 1)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_index_is_dear_in_one_direction_and_cheap_in_the_other(n: int) -> None:
    matrix = communication_matrix(lambda x: x[x[-1]], [(0, 1)] * n + [range(n)], n + 1, alice=range(n))
    facts = matrix.facts()
    log_n = (n - 1).bit_length()
    assert (facts.one_way, facts.one_way_back) == (n, log_n)
    assert facts.two_way_lower == facts.two_way_upper == log_n + 1


@pytest.mark.parametrize("N", [2, 4, 6, 8])
def test_bounded_dyck_over_odd_and_even_places_is_a_partial_permutation(N: int) -> None:
    matrix = communication_matrix(dyck_2_2, "()[]", N, alice=range(0, N, 2))
    assert matrix.entries.sum() == 2 ** (N - 1)
    assert matrix.entries.sum(axis=0).max() == matrix.entries.sum(axis=1).max() == 1
    assert matrix.rank() == matrix.rank(field=2) == 2 ** (N - 1)
    fooling = matrix.fooling_set(value=True)
    assert len(fooling.pairs) == 2 ** (N - 1)
    assert fooling.optimal
    assert fooling.bits == N  # 2^(N-1) rectangles for the words, and one for what is no word
    # the 2^(N-1) words and the rank 2^(N-1) + 1 of the complement are more than 2^N rectangles: N + 1 bits, and N + 1 suffice
    facts = matrix.facts()
    assert facts.rectangles == 2**N + 1
    assert facts.two_way_lower == facts.two_way_upper == N + 1


def test_contiguous_cuts_are_the_state_profile() -> None:
    profile = state_profile(dyck_2_2, "()[]", 6)
    rows = [communication_matrix(dyck_2_2, "()[]", 6, range(t)).distinct_rows() for t in range(1, 6)]
    assert rows == list(profile.classes[1:-1]) == [3, 6, 3, 6, 3]


@pytest.mark.parametrize(("n", "answer", "size"), [(4, meet, 16), (4, inner_product, 11), (3, inner_product, 7)])
def test_largest_fooling_sets_are_found_and_proven(n: int, answer: Any, size: int) -> None:
    matrix = halves(n, answer)
    fooling = matrix.fooling_set()
    assert (len(fooling.pairs), fooling.upper, fooling.optimal) == (size, size, True)
    assert matrix.is_fooling_set(fooling.pairs, fooling.value)
    assert fooling == halves(n, answer).fooling_set()


def brute_force(value: Any, known: Any) -> int:
    cells = list(zip(*np.nonzero(value), strict=True))
    loose = value | ~known

    def fools(chosen: Any) -> bool:
        return not any(loose[a, d] and loose[c, b] for (a, b), (c, d) in combinations(chosen, 2))

    return max(size for size in range(len(cells) + 1) if any(fools(chosen) for chosen in combinations(cells, size)))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_fooling_set_is_larger_than_the_one_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.random((4, 4)) < 0.85
    value = (rng.random((4, 4)) < 0.5) & known
    fooling = largest_fooling_cells(value, known)
    assert len(fooling.cells) == fooling.upper == brute_force(value, known)


def test_large_matrices_get_a_bound_from_a_cover_by_rectangles() -> None:
    off_diagonal = ~np.eye(60, dtype=bool)  # 3,540 cells: no solver
    fooling = largest_fooling_cells(off_diagonal, np.ones_like(off_diagonal))
    assert 2 <= len(fooling.cells) <= fooling.upper < 30  # the largest has 3 cells; the trivial bound is 60


def test_when_the_effort_ends_the_answer_says_so() -> None:
    matrix = halves(5, inner_product)
    hasty = matrix.fooling_set(effort=1e-4)
    assert matrix.is_fooling_set(hasty.pairs, hasty.value)
    assert len(hasty.pairs) < hasty.upper
    assert not hasty.optimal


def test_a_false_witness_is_not_believed() -> None:
    matrix = halves(2, equal)
    good = matrix.fooling_set()
    assert matrix.is_fooling_set(good.pairs, True)
    assert not matrix.is_fooling_set(good.pairs, False)
    assert not matrix.is_fooling_set([*good.pairs, good.pairs[0]], True)
    assert not matrix.is_fooling_set([*good.pairs[:3], ((0, 0), (0, 1))], True)
    assert not matrix.is_fooling_set([((0, 0), (0, 1)), ((0, 0), (1, 1))], False)
    assert not matrix.is_fooling_set([], True)
    assert not matrix.is_fooling_set(good.pairs, "yes")


def test_answers_that_are_no_numbers_are_numbered() -> None:
    matrix = communication_matrix(lambda x: "same" if x[0] == x[1] else "other", "abc", 2, alice=[0])
    assert matrix.values == ("same", "other")
    assert np.array_equal(matrix.entries, 1 - np.eye(3))
    assert matrix.fooling_set(value="same").bits == 2


def test_cells_outside_the_promise_fool_nobody_and_have_no_rank() -> None:
    matrix = communication_matrix(lambda x: 1 if x[0] == x[1] else None if x[0] == 2 or x[1] == 2 else 0, (0, 1, 2), 2, alice=[0])
    fooling = matrix.fooling_set(value=1)
    assert (len(fooling.pairs), fooling.optimal) == (2, True)
    for ask in (matrix.rank, matrix.distinct_rows, matrix.distinct_columns, matrix.facts):
        with pytest.raises(BadInput, match="needs an answer in every cell, found 4 cells outside the promise"):
            ask()


@pytest.mark.parametrize(
    ("alice", "says"),
    [
        ([4], r"alice must hold positions in 0\.\.3, found 4"),
        ([-1], r"alice must hold positions in 0\.\.3, found -1"),
        (["0"], r"alice must hold positions in 0\.\.3, found '0'"),
        ([1, 1], r"alice must hold each position once, found \[1, 1\]"),
        ([], "alice and bob must each hold a position of 4, found 0 for alice"),
        (range(4), "alice and bob must each hold a position of 4, found 4 for alice"),
    ],
)
def test_a_partition_out_of_range_is_refused(alice: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        communication_matrix(lambda x: x[0], "01", 4, alice)


def test_other_wrong_questions_are_refused_in_one_line() -> None:
    matrix = halves(2, equal)
    with pytest.raises(BadInput, match="field must be a prime below 2\\^63, or None for the rationals, found 4"):
        matrix.rank(field=4)
    with pytest.raises(BadInput, match=r"value must be one of the answers \(True, False\), found 7"):
        matrix.fooling_set(value=7)
    with pytest.raises(BadInput, match="effort must be positive, found 0"):
        matrix.fooling_set(effort=0)
    with pytest.raises(BadInput, match=r"expected 2 symbols for positions \(0, 1\), found 1"):
        matrix.is_fooling_set([((0,), (0, 0))], True)
    with pytest.raises(BadInput, match=r"position 2 must hold one of \(0, 1\), found 5"):
        matrix.is_fooling_set([((0, 0), (5, 0))], True)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = halves(3, inner_product)
    monkeypatch.setitem(sys.modules, "flint", None)
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(BadInput, match=r"an exact rank needs python-flint, which is not installed: pip install 'separatrix\[bounds\]'"):
        matrix.rank()
    with pytest.raises(BadInput, match=r"a largest fooling set needs ortools, which is not installed: pip install 'separatrix\[bounds\]'"):
        matrix.fooling_set()


def test_where_rows_or_columns_settle_it_no_solver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    wide = np.array([[True, False, True, False], [False, True, True, False]])
    for value in (wide, wide.T):
        fooling = largest_fooling_cells(value, np.ones_like(value))
        assert len(fooling.cells) == fooling.upper == 2


def test_the_example_in_the_documentation_runs() -> None:
    results = doctest.testmod(separatrix.bounds.communication.matrix)
    assert results.attempted == 2
    assert results.failed == 0


@pytest.mark.parametrize(("n", "bits"), [(1, 2), (2, 3), (3, 4)])
def test_a_fooling_set_says_as_many_bits_as_its_certificate(n: int, bits: int) -> None:
    """Greater than, on n bits each: the 2^n pairs (a, a) are a fooling set, and the crossed inputs have another answer."""

    def greater(x: tuple[int, ...]) -> int:
        return int(x[:n] > x[n:])

    fooling = communication_matrix(greater, (0, 1), 2 * n, range(n)).fooling_set(value=0)
    question = question_of_function(greater, (0, 1), 2 * n)
    document = certify_fooling_set(question, range(n), fooling.pairs, 0)
    assert len(fooling.pairs) == 2**n
    assert fooling.bits == document["bits"] == bits
    assert check_document(document).holds


def test_a_single_pair_forces_no_bit() -> None:
    assert FoolingSet((((0,), (1,)),), 1, 1).bits == 0
