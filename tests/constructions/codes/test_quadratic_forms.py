"""The family of quadratic forms: sizes and coherence, by theorem and by enumeration."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separatrix.constructions.parts.codes.codewords import coherence_of, two_sided_coherence_of, weight_enumerator
from separatrix.constructions.parts.codes.galois import galois_field
from separatrix.constructions.parts.codes.quadratic_forms import QuadraticForms, quadratic_forms
from separatrix.constructions.parts.codes.random_signs import measured_coherence

QUARTER = Fraction(1, 4)


@pytest.mark.parametrize(
    ("m", "exponents", "bits"), [(3, (1,), 4), (4, (1, 5), 7), (5, (1, 5), 11), (6, (1, 5, 9), 16), (7, (1, 5, 9), 22)]
)
def test_the_members_at_a_quarter_carry_2_to_the_4_7_11_16_22(m: int, exponents: tuple[int, ...], bits: int) -> None:
    member = quadratic_forms(1 << bits, QUARTER)
    assert (member.m, member.exponents, member.dims, member.bits) == (m, exponents, 1 << m, bits)
    assert quadratic_forms((1 << bits) + 1, QUARTER).m == m + 1


@pytest.mark.parametrize("m", [4, 5, 6, 7])
def test_over_all_codewords_the_largest_product_is_exactly_a_quarter(m: int) -> None:
    counts = weight_enumerator(QuadraticForms(m, m // 2 - 1).generator())
    assert coherence_of(counts) == QUARTER


def test_with_three_dimensional_fields_different_words_are_orthogonal_or_antipodes() -> None:
    assert weight_enumerator(QuadraticForms(3, 0).generator()).tolist() == [1, 0, 0, 0, 14, 0, 0, 0, 1]


def test_the_weights_at_16_and_32_dimensions_are_those_counted_by_hand() -> None:
    # m = 4: the 3 quadratic parts are bent, so each of their 3 * 32 words has weight 8 +- 2, half of them each way; 30 are linear.
    # m = 5: each of the 31 quadratic parts has a radical of dimension 1: of its 64 words 32 have weight 16, 16 each 16 +- 4.
    four, five = (weight_enumerator(QuadraticForms(m, 1).generator()) for m in (4, 5))
    assert {w: int(four[w]) for w in np.flatnonzero(four)} == {0: 1, 6: 48, 8: 30, 10: 48, 16: 1}
    assert {w: int(five[w]) for w in np.flatnonzero(five)} == {0: 1, 12: 31 * 16, 16: 31 * 32 + 62, 20: 31 * 16, 32: 1}


@pytest.mark.parametrize(("m", "d"), [(m, d) for m in range(1, 9) for d in range(m // 2 + 1) if QuadraticForms(m, d).bits <= 22])
def test_the_theorem_agrees_with_the_enumeration(m: int, d: int) -> None:
    counts = weight_enumerator(QuadraticForms(m, d).generator())
    assert coherence_of(counts) == QuadraticForms(m, d).coherence
    assert counts.sum() == 1 << QuadraticForms(m, d).bits


@pytest.mark.parametrize(("m", "d"), [(4, 1), (5, 1), (5, 2), (6, 2), (7, 1)])
def test_without_the_constant_the_bound_holds_for_absolute_values(m: int, d: int) -> None:
    member = QuadraticForms(m, d, two_sided=True)
    assert two_sided_coherence_of(weight_enumerator(member.generator())) == member.coherence
    assert member.bits == QuadraticForms(m, d).bits - 1


def test_the_exponents_1_and_3_do_not_do_over_16_elements() -> None:
    field = galois_field(4)
    columns = [np.ones(16, dtype=np.int64)] + [(field.power(field.elements, s) >> t) & 1 for s in (1, 3) for t in range(4)]
    assert coherence_of(weight_enumerator(np.stack(columns, axis=1).astype(np.uint8))) == Fraction(1, 2)


def test_comparing_all_addresses_finds_the_same_coherence() -> None:
    signs = QuadraticForms(5, 1).code().addresses(1 << 11)
    assert measured_coherence(signs) == QUARTER


def test_one_member_less_has_too_large_a_coherence_or_too_few_words() -> None:
    for gamma in (Fraction(1, 2), QUARTER, Fraction(1, 8), Fraction(1, 16)):
        for L in (3, 9, 14, 20, 30, 64):
            member = quadratic_forms(1 << L, gamma)
            smaller = [QuadraticForms(m, d) for m in range(1, member.m) for d in range(m // 2 + 1)]
            assert member.coherence <= gamma
            assert all(other.coherence > gamma or other.bits < L for other in smaller)
