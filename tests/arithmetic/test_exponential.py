"""floor(exp(a / 2^f) 2^f) against mpmath at a precision far beyond the answer."""

from __future__ import annotations

import random

import mpmath
import pytest

from separatrix.arithmetic.exponential import exp_bounds, floor_exp
from separatrix.errors import BadInput


def true_floor(a: int, f: int) -> int:
    with mpmath.workprec(4 * f + 200):  # exp(-2^-f) 2^f is within 2^-(f+1) of an integer
        return int(mpmath.floor(mpmath.exp(mpmath.mpf(a) / 2**f) * 2**f))


def hard_arguments(f: int, count: int, seed: int) -> list[int]:
    """Arguments whose result lies as close to an integer as the grid allows, on either side; and the ends."""
    draw = random.Random(seed)
    results = [0, -1, -2, -3, -(1 << f), -(f << f), -((f + 1) << f), -(1 << (2 * f + 9))]
    with mpmath.workprec(3 * f + 100):
        for _ in range(count):
            k = draw.randint(1, 1 << draw.randint(0, f))
            a = int(mpmath.floor(mpmath.log(mpmath.mpf(k) / 2**f) * 2**f))
            results += [min(a, 0), min(a + 1, 0), draw.randint(-(f << f), 0)]
    return results


@pytest.mark.parametrize("f", range(1, 81))
def test_the_floor_is_that_of_the_real_exponential(f: int) -> None:
    for a in hard_arguments(f, 20, seed=f):
        assert floor_exp(a, f) == true_floor(a, f), (a, f)


@pytest.mark.parametrize("f", [200, 511, 1023])
def test_the_floor_is_right_for_the_widest_formats(f: int) -> None:
    for a in hard_arguments(f, 3, seed=f):
        assert floor_exp(a, f) == true_floor(a, f), (a, f)


def test_exp_of_zero_is_one() -> None:
    assert [floor_exp(0, f) for f in (0, 1, 8, 80)] == [1, 2, 256, 2**80]


def test_the_step_below_zero_needs_more_bits_than_the_first_attempt_has() -> None:
    # 1 - x < exp(-x) < 1 - x + x^2 / 2 with x = 2^-80: the result exceeds an integer by less than 2^-81.
    assert floor_exp(-1, 80) == 2**80 - 1


def test_without_fractional_bits_only_zero_counts() -> None:
    assert [floor_exp(a, 0) for a in (0, -1, -2, -1000)] == [1, 0, 0, 0]


def test_the_last_positive_result_is_at_f_ln_2() -> None:
    # exp(x) 2^f >= 1 iff x >= -f ln 2 = -8 * 0.693147... = -5.545..., in steps of 2^-8: a >= -1419.56...
    assert floor_exp(-1419, 8) == 1
    assert floor_exp(-1420, 8) == 0


def test_an_argument_far_below_zero_costs_nothing_and_gives_zero() -> None:
    assert floor_exp(-(10**400), 60) == 0


def test_a_positive_argument_is_refused() -> None:
    with pytest.raises(BadInput) as refusal:
        floor_exp(3, 4)
    assert str(refusal.value) == "the exponential of an attention logit below the largest: expected a <= 0, found a = 3"


@pytest.mark.parametrize(("f", "bits"), [(0, 1), (3, 40), (20, 20), (20, 21), (26, 300), (60, 92)])
def test_the_bounds_enclose_the_real_number_closely(f: int, bits: int) -> None:
    draw = random.Random(bits)
    for a in [0, -1, *(draw.randint(-(2 * bits << f), 0) for _ in range(200))]:
        low, high = exp_bounds(a, f, bits)
        with mpmath.workprec(2 * bits + 200):
            assert low <= mpmath.exp(mpmath.mpf(a) / 2**f) * 2**bits <= high
        assert high - low <= 6 * bits + 40
