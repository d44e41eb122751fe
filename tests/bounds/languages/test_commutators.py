"""Groups that are not commutative: the words of a witness act as they should, and the rank is that of the matrix itself."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from separatrix.bounds.languages.commutators import commutators, differences
from separatrix.tasks.languages.gallery import GALLERY


@pytest.mark.parametrize("name", ["s3", "s5"])
def test_the_rank_of_a_witness_is_that_of_its_matrix(name: str) -> None:
    automaton = GALLERY[name].automaton()
    found = commutators(automaton)
    assert found is not None
    for rounds in (1, 2, 3):
        choices = list(product((0, 1), repeat=rounds))
        matrix = np.array([[automaton.run(found.word(a, b)) in automaton.accepting for b in choices] for a in choices], dtype=float)
        assert np.linalg.matrix_rank(matrix) == found.rank(rounds)
        for a, b in product(choices, repeat=2):
            both = sum(x & y for x, y in zip(a, b, strict=True))
            assert (automaton.run(found.word(a, b)) in automaton.accepting) == found.members[both % found.order]


def test_the_bits_of_s3_grow_in_proportion_to_the_length() -> None:
    found = commutators(GALLERY["s3"].automaton())
    assert found is not None
    assert found.order == 3
    if found.members == (True, False, False):
        assert [found.rank(n) for n in range(1, 6)] == [2, 4, 7, 12, 22]  # by hand, from the differences 1, -1, 1, 0, -3, 9
    long = found.round * 100
    assert found.bits(2 * long) > 1.9 * found.bits(long) > 90


def test_one_term_of_many_rounds_is_no_more_than_the_rank_and_not_much_less() -> None:
    found = commutators(GALLERY["s3"].automaton())
    assert found is not None
    for rounds in (65, 80, 100):
        rank = found.rank(rounds)
        assert rank.bit_length() - 8 < found.bits(rounds * found.round + len(found.x) + len(found.y)) <= rank.bit_length()


def test_differences_by_hand() -> None:
    assert differences((True, False, False), 4) == [1, -1, 1, 0, -3]
    assert differences((True, False), 3) == [1, -1, 2, -4]


@pytest.mark.parametrize("name", ["parity", "mod-5", "dyck-2-2"])
def test_a_language_without_such_a_group_has_no_witness(name: str) -> None:
    assert commutators(GALLERY[name].automaton()) is None
