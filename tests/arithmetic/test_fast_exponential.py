"""Whole arrays of exponentials against the integer routine, and the assumption about float64 against mpmath."""

from __future__ import annotations

import random

import mpmath
import numpy as np
import pytest
import torch

from separatrix.arithmetic.exponential import floor_exp
from separatrix.arithmetic.fast_exponential import floor_exp_each


def arguments(f: int, count: int) -> list[int]:
    """Half of them with results close to an integer, where float64 cannot tell the floor."""
    draw = random.Random(f)
    results = [0, -1, -2, -((f + 1) << f)]
    with mpmath.workprec(3 * f + 100):
        for _ in range(count):
            k = draw.randint(1, 1 << f)
            a = int(mpmath.floor(mpmath.log(mpmath.mpf(k) / 2**f) * 2**f))
            results += [min(a, 0), min(a + 1, 0), draw.randint(-(f << f), 0), -draw.randint(0, 1 << f)]
    return results


@pytest.mark.parametrize("f", [1, 2, 8, 20, 26, 40, 46, 49, 52])
def test_a_tensor_holds_the_true_floors(f: int) -> None:
    a = [max(value, -(2**53)) for value in arguments(f, 250)]  # what a difference of two float64 integers can be
    e = floor_exp_each(torch.tensor(a, dtype=torch.float64).reshape(4, -1), f)
    assert e.shape == (4, len(a) // 4)
    assert [int(value) for value in e.flatten()] == [floor_exp(value, f) for value in a]


@pytest.mark.parametrize("f", [0, 1, 20, 47, 48, 70])
def test_an_array_of_python_integers_holds_the_true_floors(f: int) -> None:
    a = [*arguments(f, 50), -(2**300)]
    e = floor_exp_each(np.array(a, dtype=object), f)
    assert e.tolist() == [floor_exp(value, f) for value in a]
    assert all(type(value) is int for value in e)


def test_minus_infinity_gives_zero() -> None:
    assert floor_exp_each(torch.tensor([0.0, -torch.inf], dtype=torch.float64), 5).tolist() == [32.0, 0.0]


def test_float64_exp_errs_by_less_than_one_unit_in_the_last_place() -> None:
    # The fast path takes 2 units for granted.
    draw = random.Random(0)
    x = torch.tensor([-draw.random() * 2.0 ** draw.randint(-30, 8) for _ in range(4096)], dtype=torch.float64)
    for argument, result in zip(x.tolist(), torch.exp(x).tolist(), strict=True):
        with mpmath.workprec(200):
            error = abs(mpmath.exp(argument) - result) / float(np.spacing(result))
        assert error < 1, argument
