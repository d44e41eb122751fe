"""Integer arrays that never overflow, against Python integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separatrix.checker.numbers import integers
from separatrix.checker.numbers.integers import (
    halves_to_even,
    largest,
    narrow,
    plus,
    product,
    shift_floor,
    shifted,
    strip_common_zeros,
    times,
    whole,
)


def drawn(seed: int, shape: tuple[int, ...], bits: int) -> np.ndarray:
    """Integers of up to `bits` bits, both signs."""
    rng = np.random.default_rng(seed)
    words = [int.from_bytes(rng.bytes(32), "big", signed=True) >> (256 - bits - 1) for _ in range(int(np.prod(shape)))]
    return narrow(np.array(words, dtype=object).reshape(shape))


@pytest.mark.parametrize(("left", "right"), [(5, 5), (20, 28), (25, 30), (30, 31), (40, 40), (61, 3), (100, 8), (8, 100), (130, 150)])
def test_a_product_is_the_one_of_python_integers(left: int, right: int) -> None:
    for seed in range(5):
        x, y = drawn(seed, (3, 7), left), drawn(seed + 100, (7, 4), right)
        expected = [[sum(int(x[i, k]) * int(y[k, j]) for k in range(7)) for j in range(4)] for i in range(3)]
        assert product(x, y).tolist() == expected


@pytest.mark.parametrize("bits", range(24, 34))
def test_odd_sums_around_the_end_of_each_path_are_exact(bits: int) -> None:
    # three squares of n bits leave float64 (2^53) between 25 and 26 bits, and int64 (2^62) between 30 and 31 bits
    for sign in (1, -1):
        x = np.full((2, 3), sign * (1 << bits) - 1)
        assert product(x, -x.T).tolist() == [[-3 * (sign * (1 << bits) - 1) ** 2] * 2] * 2


def test_a_product_with_no_inner_columns_is_zero() -> None:
    assert product(np.zeros((2, 0), dtype=np.int64), np.zeros((0, 3), dtype=np.int64)).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_limbs_add_up_to_the_number_and_stay_small() -> None:
    for seed, bits in enumerate((3, 17, 18, 61, 200)):
        x = drawn(seed, (50,), bits)
        limbs = integers._limbs(x, 17)
        assert [sum(int(limb[i]) << (17 * k) for k, limb in enumerate(limbs)) for i in range(50)] == x.tolist()
        assert all(np.abs(limb).max() <= 1 << 17 for limb in limbs)


@pytest.mark.parametrize("bits", [1, 3, 61, 62, 63, 64, 90])
@pytest.mark.parametrize("size", [4, 61, 150])
def test_dropping_bits_is_floor_and_rounding_is_half_to_even(bits: int, size: int) -> None:
    x = drawn(bits, (200,), size)
    x[:3] = [0, 1 << (size - 1), -(1 << (size - 1))]
    assert shift_floor(x, bits).tolist() == [int(v) >> bits for v in x]
    assert halves_to_even(x, bits).tolist() == [round(Fraction(int(v), 1 << bits)) for v in x]


def test_ties_go_to_the_even_neighbour_on_both_sides_of_zero() -> None:
    x = np.arange(-7, 8)
    assert halves_to_even(x, 1).tolist() == [-4, -3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3, 4]


@pytest.mark.parametrize("size", [10, 61, 62, 100])
def test_sums_products_and_shifts_do_not_wrap(size: int) -> None:
    x, y = drawn(1, (40,), size), drawn(2, (40,), size)
    assert plus(x, y).tolist() == [int(a) + int(b) for a, b in zip(x, y, strict=True)]
    assert times(x, y).tolist() == [int(a) * int(b) for a, b in zip(x, y, strict=True)]
    assert shifted(x, 9).tolist() == [int(a) << 9 for a in x]
    assert largest(x) == max(abs(int(a)) for a in x)


def test_common_zeros_are_cancelled_but_never_more_than_the_scale() -> None:
    assert [v.tolist() if isinstance(v, np.ndarray) else v for v in strip_common_zeros(np.array([24, -40]), 5)] == [[3, -5], 2]
    assert [v.tolist() if isinstance(v, np.ndarray) else v for v in strip_common_zeros(np.array([64, 0]), 2)] == [[16, 0], 0]
    assert strip_common_zeros(np.array([0, 0]), 7)[1] == 0


def test_whole_floats_become_integers_of_the_size_they_need() -> None:
    assert whole(np.array([2.0**61, -3.0])).dtype == np.int64
    wide = whole(np.array([[2.0**100, -(2.0**62)], [1.0, 0.0]]))
    assert wide.tolist() == [[2**100, -(2**62)], [1, 0]]
    assert narrow(wide[1]).dtype == np.int64
