"""The tables are fields."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.constructions.parts.codes.galois import PRIMITIVE, galois_field


def schoolbook(a: int, b: int, m: int) -> int:
    """Multiply the polynomials, then divide by the modulus."""
    product = 0
    for t in range(m):
        product ^= (a << t) * (b >> t & 1)
    for t in range(2 * m - 2, m - 1, -1):
        product ^= (PRIMITIVE[m] << (t - m)) * (product >> t & 1)
    return product


@pytest.mark.parametrize("m", sorted(PRIMITIVE))
def test_the_powers_of_x_are_all_elements_but_zero(m: int) -> None:
    assert sorted(galois_field(m).powers) == list(range(1, 1 << m))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 6])
def test_products_are_those_of_polynomials_modulo_the_primitive_one(m: int) -> None:
    field = galois_field(m)
    table = field.product(field.elements[:, None], field.elements)
    assert table.tolist() == [[schoolbook(a, b, m) for b in range(1 << m)] for a in range(1 << m)]


def test_a_power_is_a_repeated_product_and_the_power_zero_is_one() -> None:
    field = galois_field(5)
    result = np.ones(field.size, dtype=np.int64)
    for exponent in range(70):
        assert (field.power(field.elements, exponent) == result).all()
        result = field.product(result, field.elements)


def test_the_frobenius_map_is_additive() -> None:
    field = galois_field(7)
    a, b = field.elements[:, None], field.elements
    assert (field.power(a ^ b, 2) == field.power(a, 2) ^ field.power(b, 2)).all()
