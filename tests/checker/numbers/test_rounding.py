"""Bounds on the rounding of sums, against sums in every order and against fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np

from separatrix.checker.numbers.rounding import gamma, grid_of, no_rounding


def test_gamma_by_hand() -> None:
    assert gamma(4, 2.0**-10) == 4 / 1024 / (1 - 4 / 1024)
    assert gamma(1 << 23, 2.0**-24) == math.inf  # half or more: nothing is said


def test_gamma_bounds_every_order_of_summation() -> None:
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(60):
        x, y = (rng.normal(0, 1, 5).astype(np.float32) * np.float32(10.0) ** rng.integers(-3, 4) for _ in range(2))
        exact = sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(x, y, strict=True))
        size = sum(abs(Fraction(float(a)) * Fraction(float(b))) for a, b in zip(x, y, strict=True))
        for order in permutations(range(5)):
            total = np.float32(0)
            for i in order:
                total = np.float32(total + np.float32(x[i] * y[i]))
            off = abs(Fraction(float(total)) - exact) / size
            assert off <= gamma(5, 2.0**-24)
            worst = max(worst, float(off))
    assert worst > gamma(5, 2.0**-24) / 20  # it is not a bound that says nothing


def test_the_grid_of_numbers_by_hand() -> None:
    assert grid_of(np.array([3.0, -8.0, 0.0])) == 0
    assert grid_of(np.array([3, 5])) == 0
    assert grid_of(np.array([0.75, 2.0])) == -2
    assert grid_of(np.array([3 * 2.0**-40])) == -40
    assert grid_of(np.array([0.1])) == -55  # 0x1.999999999999ap-4 ends in one zero
    assert grid_of(np.array([5e-324])) == -1074
    assert grid_of(np.array([1.0, math.inf])) is None
    assert grid_of(np.array([0.5, math.nan])) is None


def test_sums_on_a_grid_are_exact_up_to_the_digits() -> None:
    assert no_rounding(24, 2.0**24 - 1, 0)
    assert not no_rounding(24, 2.0**24 + 1, 0)
    assert no_rounding(24, 2.0**19 - 1, -2, -3)
    assert not no_rounding(24, 2.0**19 + 1, -2, -3)
    assert no_rounding(53, 2.0**53 - 1, 0)
    assert not no_rounding(53, 2.0**53 + np.float64(1), 0)  # which is 2^53: the size of a sum is rounded as the sum is
    assert not no_rounding(53, 1.0, None, 0)
    assert not no_rounding(24, 0.0, -100, -100)  # below the smallest float32
    x = np.arange(1, 1 << 12, dtype=np.float32)
    assert no_rounding(24, float(x.sum(dtype=np.float64)), 0)
    assert all(np.random.default_rng(i).permutation(x).sum() == 8386560 for i in range(5))
