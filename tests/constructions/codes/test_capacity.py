"""How many vectors fit: one more would need more dimensions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from separatrix.constructions.parts.codes.capacity import capacity
from separatrix.constructions.parts.codes.near_orthogonal import families
from separatrix.constructions.parts.codes.quadratic_forms import quadratic_forms
from separatrix.constructions.parts.codes.random_signs import hoeffding_dimensions, paper_dimensions
from separatrix.constructions.parts.codes.reed_solomon import reed_solomon
from separatrix.errors import BadInput

DIMENSIONS = {
    "code-qf": lambda N, bound: quadratic_forms(N, bound).dims,
    "code-rs": lambda N, bound: reed_solomon(N, bound).dims,
    "random": paper_dimensions,
    "random-hoeffding": hoeffding_dimensions,
}


def test_quadratic_forms_hold_2_to_the_4_7_11_16_22() -> None:
    assert [capacity(1 << m)[0].log2_vectors for m in range(3, 8)] == [4, 7, 11, 16, 22]


@pytest.mark.parametrize("gamma", [Fraction(1, 4), Fraction(1, 20), Fraction(9, 10)])
@pytest.mark.parametrize("k", [1, 2, 3, 16, 100, 1000])
def test_all_of_them_fit_and_one_more_does_not(k: int, gamma: Fraction) -> None:
    met = 0
    for one in capacity(k, gamma):
        if one.family in DIMENSIONS and one.vectors is not None:
            assert one.vectors == 0 or DIMENSIONS[one.family](one.vectors, gamma) <= k
            assert DIMENSIONS[one.family](one.vectors + 1, gamma) > k
            met += 1
    assert met >= 1


def test_it_has_the_families_of_the_other_question() -> None:
    assert [one.family for one in capacity(64)] == [one.family for one in families(64)]


@pytest.mark.parametrize("k", [0, -1, 1 << 21])
def test_a_wrong_number_of_dimensions_is_refused(k: int) -> None:
    with pytest.raises(BadInput, match=f"the number of dimensions must lie in 1..1048576, found {k}"):
        capacity(k)
