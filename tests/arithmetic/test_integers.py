"""Carriers of exact integers, against Python's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from separatrix.arithmetic.integers import floor_quotient, largest, objects, total, trailing_zeros, without_zeros


def tensor(rows: Any) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def array(rows: Any) -> Any:
    return np.array(rows, dtype=object)


@given(st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=8))
@settings(deadline=None, max_examples=200)
def test_totals_are_exact(row: list[int]) -> None:
    for x in (tensor(row), array(row)):
        assert objects(total(x)).tolist() == [sum(row)]


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=4).filter(any), st.integers(0, 100))
@settings(deadline=None, max_examples=200)
def test_common_zero_bits_are_counted_and_taken_away(row: list[int], k: int) -> None:
    odd = min((n & -n).bit_length() - 1 for n in row if n)
    shifted = [n << k for n in row]
    for x in (tensor([float(n) for n in shifted]), array(shifted)):
        assert trailing_zeros(x) == odd + k
        assert objects(without_zeros(x, k)).tolist() == row


@given(st.data())
@settings(deadline=None, max_examples=250)
def test_a_quotient_is_floored_exactly(data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, 40))
    b = data.draw(st.integers(1, 2 ** data.draw(st.integers(1, 53))))
    near = st.integers(0, 2**12).map(lambda q: (q * b - 1) >> bits).filter(lambda a: 0 <= a <= 2**53)  # quotients just below an integer
    a = data.draw(st.integers(0, b) | near)
    expected = [[(a << bits) // b]]
    assert objects(floor_quotient(tensor([[a]]), tensor([[b]]), bits)).tolist() == expected
    assert objects(floor_quotient(array([[a]]), array([[b]]), bits)).tolist() == expected


@pytest.mark.parametrize("value", [0, 5, -(2**53), 2**62, 2**62 + 2**20, -(2**70), 2**1000])
def test_a_float64_that_holds_an_integer_becomes_that_integer(value: int) -> None:
    assert objects(tensor([float(value)])).tolist() == [value]


def test_nothing_has_magnitude_zero_and_no_zero_bits() -> None:
    assert largest(torch.zeros(0, 3, dtype=torch.float64)) == largest(np.zeros((0, 3), dtype=object)) == 0
    assert trailing_zeros(torch.zeros(0, 3, dtype=torch.float64)) == trailing_zeros(array([0, 0])) == 0
