"""Reed-Solomon over biorthogonal words: sizes and coherence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separatrix.constructions.parts.codes.codewords import coherence_of, two_sided_coherence_of, weight_enumerator
from separatrix.constructions.parts.codes.galois import galois_field
from separatrix.constructions.parts.codes.reed_solomon import ReedSolomon, reed_solomon
from separatrix.errors import BadInput

QUARTER = Fraction(1, 4)


@pytest.mark.parametrize(
    ("N", "dims"), [(10**2, 32), (10**3, 64), (10**4, 96), (10**5, 128), (10**6, 128), (2**20, 128), (10**9, 320), (2**64, 1280)]
)
def test_the_dimensions_at_a_quarter(N: int, dims: int) -> None:
    assert reed_solomon(N, QUARTER).dims == dims


@pytest.mark.parametrize("N", [10**5, 10**6])
def test_up_to_a_million_it_is_16_points_of_quartics_over_16_elements_and_all_pairs_are_below_a_quarter(N: int) -> None:
    member = reed_solomon(N, QUARTER)
    assert member == ReedSolomon(b=4, K=5, n=16)
    assert coherence_of(weight_enumerator(member.generator())) == QUARTER


@pytest.mark.parametrize(("b", "K", "n"), [(1, 2, 2), (2, 2, 3), (3, 2, 4), (3, 3, 8), (4, 3, 8), (4, 3, 11), (5, 3, 7)])
def test_the_theorem_bounds_the_enumeration(b: int, K: int, n: int) -> None:
    member = ReedSolomon(b, K, n)
    assert coherence_of(weight_enumerator(member.generator())) <= member.coherence


@pytest.mark.parametrize(("b", "K", "n"), [(2, 2, 3), (3, 2, 4), (3, 3, 8), (4, 3, 8)])
def test_two_sided_products_are_never_negative(b: int, K: int, n: int) -> None:
    member = ReedSolomon(b, K, n, two_sided=True)
    counts = weight_enumerator(member.generator())
    assert member.dims == 2 * ReedSolomon(b, K, n).dims
    assert two_sided_coherence_of(counts) <= member.coherence
    assert not counts[member.dims // 2 + 1 :].any()


def test_a_word_is_the_evaluation_of_its_polynomial_in_biorthogonal_words() -> None:
    member, field = ReedSolomon(3, 2, 5), galois_field(3)
    code = member.code()
    for i in range(64):
        constant, slope = i & 7, i >> 3
        expected = []
        for x in range(5):
            value = constant ^ int(field.product(slope, x))
            sign, row = value & 1, value >> 1
            expected += [(-1) ** (sign + (row & y).bit_count()) for y in range(4)]
        assert code.address(i).tolist() == expected


def test_no_other_field_needs_fewer_dimensions() -> None:
    for L in (5, 12, 20, 33, 64):
        for gamma in (Fraction(3, 4), QUARTER, Fraction(1, 10), Fraction(1, 100)):
            chosen = reed_solomon(1 << L, gamma)
            others = [ReedSolomon(b, K, n) for b in range(1, 9) for K in range(2, 9) for n in range(K - 1, (1 << b) + 1)]
            assert chosen.bits >= L
            assert chosen.coherence <= gamma
            assert all(other.dims >= chosen.dims for other in others if other.bits >= L and other.coherence <= gamma)


def test_a_decimal_coherence_means_what_it_says() -> None:
    assert reed_solomon(10**9, 0.1) == reed_solomon(10**9, Fraction(1, 10))
    assert reed_solomon(10**9, 0.7) == reed_solomon(10**9, Fraction(7, 10))


def test_the_code_of_2_to_the_64_positions_is_made_and_its_far_positions_are_almost_orthogonal() -> None:
    code = reed_solomon(2**64, QUARTER).code()
    positions = [1, 2, 3, 2**20, 2**40 + 5, 2**63, 2**64 - 1, 2**64]
    signs = np.stack([code.address(i) for i in positions]).astype(int)
    products = signs @ signs.T
    assert (np.diag(products) == 1280).all()
    assert (products - 1280 * np.eye(len(positions), dtype=int)).max() <= 320


@pytest.mark.parametrize("gamma", [0, 1, -0.25, 1.5, float("nan"), float("inf")])
def test_a_coherence_outside_the_open_unit_interval_is_refused(gamma: float) -> None:
    with pytest.raises(BadInput, match=rf"^the coherence must lie strictly between 0 and 1, found {gamma}$"):
        reed_solomon(100, gamma)


@pytest.mark.parametrize("N", [0, -3, True, 1.5])
def test_a_number_of_positions_below_one_is_refused(N: int) -> None:
    with pytest.raises(BadInput, match=rf"^the number of positions N must be an integer of at least 1, found {N}$"):
        reed_solomon(N)
