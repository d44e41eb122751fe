"""Sums of products against Python's own integers, in whichever carrier the numbers allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from separatrix.arithmetic.integers import largest, objects
from separatrix.arithmetic.products import Scaled, matmul, multiply, product_bound


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


def value(x: Scaled) -> Any:
    return (objects(x.units) << x.bits).tolist()


def carrier_name(x: Scaled) -> str:
    return str(x.units.dtype).removeprefix("torch.")


@given(matrices(), st.integers(0, 90))
@settings(deadline=None, max_examples=200)
def test_a_sum_of_products_is_exact_whatever_it_is_given_in(pair: tuple[list[list[int]], list[list[int]]], shift: int) -> None:
    x, y = pair
    plus = [sum(column) << shift for column in zip(*y, strict=True)]
    expected = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*y, strict=True)] for row in x]
    shifted = [[value + p for value, p in zip(row, plus, strict=True)] for row in expected]
    for left in (tensor(x), array(x)):
        for right in (tensor(y), array(y)):
            assert value(matmul(left, right)) == expected
            assert value(matmul(left, right, array(plus))) == shifted


@given(matrices())
@settings(deadline=None, max_examples=200)
def test_the_bound_is_at_least_every_sum_of_magnitudes(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    x, y = pair
    worst = max(sum(abs(a * b) for a, b in zip(row, column, strict=True)) for row in x for column in zip(*y, strict=True))
    for bound in (product_bound(tensor(x), tensor(y)), product_bound(array(x), array(y)), product_bound(array(x), tensor(y))):
        assert bound >= max(worst, largest(array(x)), largest(array(y)))


def test_the_carrier_follows_the_magnitudes() -> None:
    assert carrier_name(matmul(tensor([[2**26, 2**26]]), tensor([[2**26], [2**26]]))) == "float64"  # 2^53 itself is a float64
    assert carrier_name(matmul(tensor([[2**26 + 1]]), tensor([[2**27 + 1]]))) == "int64"
    assert carrier_name(matmul(tensor([[2**26 + 1]]), tensor([[2**35 + 1]]))) == "int64"
    assert carrier_name(matmul(tensor([[2**26 + 1]]), tensor([[2**36 + 1]]))) == "object"


def test_float64_carries_no_sum_that_it_would_round() -> None:
    x, y = tensor([[2**27 + 1, 1]]), tensor([[2**27 + 1], [1]])
    assert int((x @ y).item()) != (2**27 + 1) ** 2 + 1  # float64 does round here
    assert value(matmul(x, y)) == [[(2**27 + 1) ** 2 + 1]]


def test_int64_is_not_used_where_it_would_wrap() -> None:
    x, y = tensor([[2**32 + 1, 2**32 - 1]]), tensor([[2**31 + 1], [2**31 + 1]])
    assert value(matmul(x, y)) == [[2**33 * (2**31 + 1)]]


def test_a_quadratic_address_stays_in_float64_by_the_bound_per_coordinate() -> None:
    # (i, i^2) against (2p, -1), both times 8: the largest entries multiply to 8 N^2 * 16 N = 1.28e17 > 2^53 at N = 10^5.
    N = 10**5
    keys, query = tensor([[8 * N, 8 * N * N]]), tensor([[16 * N], [-8]])
    assert largest(keys) * largest(query) > 2**53
    assert carrier_name(matmul(keys, query)) == "float64"


def test_attention_weights_stay_in_float64_by_the_sum_of_a_row() -> None:
    # 64 queries, each with weight 1 on a key of its own: by coordinates 64 * 2^52, but every row adds up to 2^20.
    weights = torch.eye(64, dtype=torch.float64) * 2**20
    values = torch.full((64, 1), 2.0**32, dtype=torch.float64)
    product = matmul(weights, values)
    assert carrier_name(product) == "float64"
    assert value(product) == [[2**52]] * 64
    assert carrier_name(matmul(values.T, weights)) == "float64"  # and by columns, the other way round


def test_batches_broadcast_in_every_carrier() -> None:
    draw = np.random.default_rng(0)
    for size in (10, 2**28, 2**40):
        x, y = draw.integers(-size, size, (3, 1, 2, 4)), draw.integers(-size, size, (5, 4, 2))
        expected = (x.astype(object) @ y.astype(object)).tolist()
        assert value(matmul(tensor(x), tensor(y))) == expected
        assert value(matmul(x.astype(object), y.astype(object))) == expected


@given(st.lists(numbers(53), min_size=1, max_size=8), numbers(80))
@settings(deadline=None, max_examples=200)
def test_products_are_exact(row: list[int], factor: int) -> None:
    assert value(multiply(array(row), array([factor]))) == [entry * factor for entry in row]
    for x in (tensor(row), array(row)):
        assert value(multiply(x, x)) == [entry * entry for entry in row]


def test_zero_bits_at_the_end_are_set_aside_where_float64_could_not_hold_them() -> None:
    # Weights of -1, 0 and 1 in units of 2^-40 against numbers of 50 bits.
    x, y = tensor([[2**50 - 1, 2**49 + 3]]), tensor([[2**40, 0], [-(2**40), 2**40]])
    product = matmul(x, y)
    assert (carrier_name(product), product.bits) == ("float64", 40)
    assert value(product) == [[(2**49 - 4) << 40, (2**49 + 3) << 40]]
    biased = matmul(x, y, array([3 << 38, 0]))
    assert (carrier_name(biased), biased.bits) == ("float64", 38)  # no more than the bias has
    assert value(biased) == [[((2**49 - 4) << 40) + (3 << 38), (2**49 + 3) << 40]]
    squares = multiply(tensor([3.0 * 2**40]), tensor([5.0 * 2**41]))
    assert (carrier_name(squares), squares.bits, value(squares)) == ("float64", 81, [15 << 81])


def test_nothing_times_nothing_is_zero() -> None:
    assert value(matmul(torch.zeros(2, 0), torch.zeros(0, 1))) == [[0], [0]]
    assert value(matmul(tensor([[0]]), tensor([[2**52]]), array([0]))) == [[0]]
