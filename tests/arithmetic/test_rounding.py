"""Rounding against fractions, in every carrier."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from separatrix.arithmetic.integers import Integers, objects
from separatrix.arithmetic.rounding import clamp, floor_scaled, floor_shift, left_shift, nearest_scaled, nearest_shift


def carried(value: int) -> list[Integers]:
    """The integer in every carrier that can hold it."""
    results: list[Integers] = [np.array([value], dtype=object)]
    if abs(value) < 2**62:
        results.append(torch.tensor([value]))
    if abs(value) <= 2**53:
        results.append(torch.tensor([value], dtype=torch.float64))
    return results


integers = st.integers(0, 120).flatmap(lambda bits: st.integers(-(2**bits), 2**bits))
ties = st.builds(lambda q, bits: (2 * q + 1) << bits, st.integers(-1000, 1000), st.integers(0, 60))


@given(integers | ties, st.integers(1, 130))
@example(-1, 100)
@example(-1, 1023)
@example(1, 1023)
@settings(deadline=None, max_examples=250)
def test_a_shift_rounds_down_or_to_nearest_even(value: int, bits: int) -> None:
    exact = Fraction(value, 2**bits)
    for x in carried(value):
        assert objects(floor_shift(x, bits)).tolist() == [math.floor(exact)]
        assert objects(nearest_shift(x, bits)).tolist() == [round(exact)]  # Python rounds fractions to nearest, ties to even


@given(integers, st.integers(0, 130))
@settings(deadline=None, max_examples=200)
def test_a_shift_to_the_left_is_exact(value: int, bits: int) -> None:
    for x in carried(value):
        assert objects(left_shift(x, bits)).tolist() == [value << bits]


def test_the_floor_of_a_negative_number_is_not_its_truncation() -> None:
    assert [objects(floor_shift(x, 2)).tolist() for x in carried(-5)] == [[-2]] * 3  # -1.25


def test_ties_go_to_the_even_neighbour() -> None:
    for value, expected in ((1, 0), (3, 2), (5, 2), (-1, 0), (-3, -2)):  # halves
        assert [objects(nearest_shift(x, 1)).tolist() for x in carried(value)] == [[expected]] * 3


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100), st.integers(0, 300))
@settings(deadline=None, max_examples=200)
def test_real_numbers_are_scaled_and_rounded_exactly(value: float, bits: int) -> None:
    x, exact = torch.tensor([value], dtype=torch.float64), Fraction(value) * 2**bits
    assert objects(floor_scaled(x, bits)).tolist() == [math.floor(exact)]
    assert objects(nearest_scaled(x, bits)).tolist() == [round(exact)]


@pytest.mark.parametrize("bits", [3, 53, 54, 63, 64, 200, 1024])
def test_both_ends_clamp_exactly(bits: int) -> None:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    for value in (0, low, low - 1, high, high + 1, 2 * low, 2 * high, -(2**60), 2**60):
        for x in carried(value):
            assert objects(clamp(x, low, high)).tolist() == [min(max(value, low), high)]
            assert objects(clamp(x, -high, high)).tolist() == [min(max(value, -high), high)]


@pytest.mark.parametrize("bits", [60, 70, 1024])
def test_an_end_that_is_no_float64_clamps_exactly_from_float64(bits: int) -> None:
    x = torch.tensor([2.0 ** (bits - 1), -(2.0 ** (bits - 1)), torch.inf, 3.0], dtype=torch.float64)
    high = 2 ** (bits - 1) - 1
    assert objects(clamp(x, -high, high)).tolist() == [high, -high, high, 3]
