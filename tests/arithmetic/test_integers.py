"""Exact integer computation against Python's own, in whichever carrier the magnitudes allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from separatrix.arithmetic.integers import Integers, floor_quotient, largest, matmul, multiply, objects, product_bound, total


def numbers(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(2**bits) + 1, 2**bits - 1) | st.sampled_from([2**bits - 1, 1 - 2**bits, 0, 1, -1])


@st.composite
def matrices(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    i, c, j = draw(st.integers(1, 3)), draw(st.integers(1, 6)), draw(st.integers(1, 3))
    left, right = numbers(draw(st.integers(1, 53))), numbers(draw(st.integers(1, 53)))
    x = [[draw(left) for _ in range(c)] for _ in range(i)]
    return x, [[draw(right) for _ in range(j)] for _ in range(c)]


def tensor(rows: Any) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def array(rows: Any) -> Any:
    return np.array(rows, dtype=object)


def carrier_name(x: Integers) -> str:
    return str(x.dtype).removeprefix("torch.")


@given(matrices(), st.integers(0, 90))
@settings(deadline=None, max_examples=300)
def test_a_sum_of_products_is_exact_whatever_it_is_given_in(pair: tuple[list[list[int]], list[list[int]]], shift: int) -> None:
    x, y = pair
    plus = [sum(column) << shift for column in zip(*y, strict=True)]
    expected = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*y, strict=True)] for row in x]
    shifted = [[value + p for value, p in zip(row, plus, strict=True)] for row in expected]
    for left in (tensor(x), array(x)):
        for right in (tensor(y), array(y)):
            assert objects(matmul(left, right)).tolist() == expected
            assert objects(matmul(left, right, array(plus))).tolist() == shifted


@given(matrices())
@settings(deadline=None, max_examples=300)
def test_the_bound_is_at_least_every_sum_of_magnitudes(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    x, y = pair
    worst = max(sum(abs(a * b) for a, b in zip(row, column, strict=True)) for row in x for column in zip(*y, strict=True))
    for bound in (product_bound(tensor(x), tensor(y)), product_bound(array(x), array(y)), product_bound(array(x), tensor(y))):
        assert bound >= max(worst, largest(array(x)), largest(array(y)))


def test_the_carrier_follows_the_magnitudes() -> None:
    x = tensor([[2**26, 2**26]])
    assert carrier_name(matmul(x, tensor([[2**26], [2**26]]))) == "float64"  # 2^53 itself is a float64
    assert carrier_name(matmul(x, tensor([[2**26], [2**26 + 1]]))) == "int64"
    assert carrier_name(matmul(x, tensor([[2**36], [2**36 + 1]]))) == "object"


def test_float64_carries_no_sum_that_it_would_round() -> None:
    x, y = tensor([[2**27 + 1, 1]]), tensor([[2**27 + 1], [1]])
    assert int((x @ y).item()) != (2**27 + 1) ** 2 + 1  # float64 does round here
    assert objects(matmul(x, y)).tolist() == [[(2**27 + 1) ** 2 + 1]]


def test_int64_is_not_used_where_it_would_wrap() -> None:
    x, y = tensor([[2**32, 2**32]]), tensor([[2**31], [2**31]])
    assert objects(matmul(x, y)).tolist() == [[2**64]]


def test_a_quadratic_address_stays_in_float64_by_the_bound_per_coordinate() -> None:
    # (i, i^2) against (2p, -1), both times 8: the largest entries multiply to 8 N^2 * 16 N = 1.28e17 > 2^53 at N = 10^5.
    N = 10**5
    keys, query = tensor([[8 * N, 8 * N * N]]), tensor([[16 * N], [-8]])
    assert largest(keys) * largest(query) > 2**53
    assert carrier_name(matmul(keys, query)) == "float64"


def test_attention_weights_stay_in_float64_by_the_sum_of_a_row() -> None:
    # 10^5 weights of at most 2^20 each could reach 2^36 in a row, but they add up to 2^20; values are up to 2^32.
    n = 10**5
    weights = torch.zeros(1, n, dtype=torch.float64)
    weights[0, 7] = 2.0**20
    values = torch.full((n, 1), 2.0**32, dtype=torch.float64)
    found = matmul(weights, values)
    assert carrier_name(found) == "float64"
    assert found.item() == 2.0**52


def test_batches_broadcast_in_every_carrier() -> None:
    draw = np.random.default_rng(0)
    for size in (10, 2**28, 2**40):
        x, y = draw.integers(-size, size, (3, 1, 2, 4)), draw.integers(-size, size, (5, 4, 2))
        expected = (x.astype(object) @ y.astype(object)).tolist()
        assert objects(matmul(tensor(x), tensor(y))).tolist() == expected
        assert objects(matmul(x.astype(object), y.astype(object))).tolist() == expected


@given(st.lists(numbers(53), min_size=1, max_size=8), numbers(80))
@settings(deadline=None, max_examples=200)
def test_products_and_totals_are_exact(row: list[int], factor: int) -> None:
    assert objects(multiply(array(row), array([factor]))).tolist() == [value * factor for value in row]
    for x in (tensor(row), array(row)):
        assert objects(multiply(x, x)).tolist() == [value * value for value in row]
        assert objects(total(x)).tolist() == [sum(row)]


@given(st.data())
@settings(deadline=None, max_examples=400)
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


def test_nothing_has_magnitude_zero() -> None:
    assert largest(torch.zeros(0, 3, dtype=torch.float64)) == largest(np.zeros((0, 3), dtype=object)) == 0
    assert objects(matmul(torch.zeros(2, 0), torch.zeros(0, 1))).tolist() == [[0], [0]]
