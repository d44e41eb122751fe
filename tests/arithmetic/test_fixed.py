"""Fixed point against the definition in fractions: every operator, both carriers, both ends of the range."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from separatrix.arithmetic import arithmetic
from separatrix.arithmetic.fixed import FixedPoint
from separatrix.arithmetic.format import parse_format
from separatrix.errors import BadInput

Matrix = list[list[int]]


def store(x: Fraction, p: int, f: int) -> int:
    """clamp(floor(x 2^f)), in units of 2^-f."""
    return min(max(math.floor(x * 2**f), -(2 ** (p - 1))), 2 ** (p - 1) - 1)


def real(n: int, f: int) -> Fraction:
    return Fraction(n, 2**f)


def dot(x: list[int], y: list[int], f: int) -> Fraction:
    return sum((real(a, f) * real(b, f) for a, b in zip(x, y, strict=True)), Fraction(0))


def softmax(a: list[int], see: list[bool], f: int) -> list[int]:
    """A - M exactly, e the floor of the real exponential, Z exact, w the floor of e / Z; all over the visible keys alone."""
    if not any(see):
        return [0] * len(a)
    M = max(logit for logit, visible in zip(a, see, strict=True) if visible)
    with mpmath.workprec(4 * f + 200):
        e = [
            int(mpmath.floor(mpmath.exp(mpmath.mpf(logit - M) / 2**f) * 2**f)) if visible else 0
            for logit, visible in zip(a, see, strict=True)
        ]
    Z = sum(e)
    return [math.floor(Fraction(value, Z) * 2**f) for value in e]


@st.composite
def formats(draw: st.DrawFn) -> FixedPoint:
    p = draw(st.integers(2, 16) | st.integers(17, 53) | st.integers(54, 130))
    return FixedPoint(parse_format(f"fixed:{p},{draw(st.integers(0, p - 1))}"))


def numbers(A: FixedPoint) -> st.SearchStrategy[int]:
    small = st.integers(max(A.lowest, -(4 << A.f)), min(A.highest, 4 << A.f))
    return small | st.integers(A.lowest, A.highest) | st.sampled_from([A.lowest, A.highest, 0, -1])


def matrix(A: FixedPoint, rows: int, columns: int) -> st.SearchStrategy[Matrix]:
    return st.lists(st.lists(numbers(A), min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def values(A: FixedPoint, integers: Any) -> Any:
    return A.contain(np.array(integers, dtype=object))


def masks(rows: int, columns: int) -> st.SearchStrategy[list[list[bool]]]:
    return st.lists(st.lists(st.booleans(), min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_a_linear_form_is_the_exact_sum_stored_once(data: st.DataObject, A: FixedPoint) -> None:
    p, f = A.format.bits, A.f
    x = data.draw(matrix(A, 3, 4))
    w, b = in_53_bits(data.draw(matrix(A, 2, 4))), in_53_bits(data.draw(matrix(A, 1, 2)))
    weight, bias = (torch.tensor([[n / 2**f for n in row] for row in rows], dtype=torch.float64) for rows in (w, b))
    bare = [[store(dot(row, column, f), p, f) for column in w] for row in x]
    biased = [[store(dot(row, column, f) + real(offset, f), p, f) for column, offset in zip(w, b[0], strict=True)] for row in x]
    assert A.integers(A.linear(values(A, x), weight)).tolist() == bare
    assert A.integers(A.linear(values(A, [[x]]), weight, bias[0])).tolist() == [[biased]]


def in_53_bits(integers: Matrix) -> Matrix:
    """Rounded down to 53 significant bits: weights are float64 tensors."""
    return [[(n >> max(n.bit_length() - 53, 0)) << max(n.bit_length() - 53, 0) for n in row] for row in integers]


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_logits_products_sums_and_relu_are_exact_then_stored(data: st.DataObject, A: FixedPoint) -> None:
    p, f = A.format.bits, A.f
    q, k = data.draw(matrix(A, 2, 3)), data.draw(matrix(A, 2, 3))
    Q, K = values(A, q), values(A, k)
    pairs = [list(zip(a, b, strict=True)) for a, b in zip(q, k, strict=True)]
    assert A.integers(A.logits(Q, K)).tolist() == [[store(dot(a, b, f), p, f) for b in k] for a in q]
    assert A.integers(A.product(Q, K)).tolist() == [[store(real(a, f) * real(b, f), p, f) for a, b in row] for row in pairs]
    assert A.integers(A.add(Q, K)).tolist() == [[store(real(a, f) + real(b, f), p, f) for a, b in row] for row in pairs]
    assert A.integers(A.relu(Q)).tolist() == [[max(a, 0) for a in row] for row in q]


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_softmax_floors_the_exponentials_first(data: st.DataObject, A: FixedPoint) -> None:
    a, see = data.draw(matrix(A, 3, 5)), data.draw(masks(3, 5))
    weights = A.softmax(values(A, [a]), torch.tensor(see))
    assert A.integers(weights).tolist() == [[softmax(row, visible, A.f) for row, visible in zip(a, see, strict=True)]]
    assert A.integers(A.softmax(values(A, a), None)).tolist() == [softmax(row, [True] * 5, A.f) for row in a]


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_hard_and_uniform_attention_follow_their_definitions(data: st.DataObject, A: FixedPoint) -> None:
    a, see = data.draw(matrix(A, 3, 4)), data.draw(masks(3, 4))
    hard, uniform = [], []
    for row, visible in zip(a, see, strict=True):
        largest = max((logit for logit, s in zip(row, visible, strict=True) if s), default=None)
        first = next((j for j in range(4) if visible[j] and row[j] == largest), None)
        hard.append([(1 << A.f) * (j == first) for j in range(4)])
        uniform.append([store(Fraction(1, sum(visible)), 200, A.f) if s else 0 for s in visible])
    assert A.integers(A.hard(values(A, [a]), torch.tensor(see))).tolist() == [hard]
    assert A.integers(A.uniform(values(A, [a]), torch.tensor(see))).tolist() == [uniform]
    assert A.integers(A.uniform(values(A, a), None)).tolist() == [[2**A.f // 4] * 4] * 3


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_a_weighted_sum_is_exact_at_twice_the_bits_and_stored_once(data: st.DataObject, A: FixedPoint) -> None:
    p, f = A.format.bits, A.f
    w = data.draw(st.lists(st.lists(st.integers(0, 2**f), min_size=3, max_size=3), min_size=2, max_size=2))
    v = data.draw(matrix(A, 3, 2))
    expected = [[store(dot(row, list(column), f), p, f) for column in zip(*v, strict=True)] for row in w]
    assert A.integers(A.mix(values(A, [w]), values(A, [v]))).tolist() == [expected]


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_real_numbers_enter_by_a_store_and_leave_as_they_are(data: st.DataObject, A: FixedPoint) -> None:
    x = data.draw(st.floats(-1e6, 1e6) | st.floats(allow_nan=False, allow_infinity=False))
    entered = A.enter(torch.tensor([[x]], dtype=torch.float64))
    n = store(Fraction(x), A.format.bits, A.f)
    assert A.integers(entered).tolist() == [[n]]
    assert A.leave(entered).tolist() == [[n / 2**A.f]]  # a quotient of Python integers is correctly rounded


@given(st.data(), st.integers(1, 50))
@settings(deadline=None, max_examples=150)
def test_the_carrier_makes_no_difference(data: st.DataObject, f: int) -> None:
    """The same numbers in 53 bits, carried by tensors, and in 90, carried by Python integers."""
    narrow, wide = (FixedPoint(parse_format(f"fixed:{p},{f}")) for p in (53, 90))
    size = data.draw(st.integers(1, min(51, (50 + f) // 2)))  # 3 * 2^(2 size - f) < 2^52: no logit is clamped
    draw = st.lists(st.lists(st.integers(-(2**size), 2**size), min_size=3, max_size=3), min_size=4, max_size=4)
    q, k, v = data.draw(draw), data.draw(draw), data.draw(draw)
    see = torch.ones(4, 4, dtype=torch.bool).tril(-1)
    for kind in ("softmax", "hard", "uniform"):
        for visible in (None, see):
            results = [A.integers(A.attend(values(A, q), values(A, k), values(A, v), visible, kind)) for A in (narrow, wide)]
            assert results[0].tolist() == results[1].tolist()


def test_numbers_of_up_to_53_bits_are_tensors_and_longer_ones_python_integers() -> None:
    assert isinstance(arithmetic("fixed:53,20").enter(torch.ones(2)), Tensor)
    wide = arithmetic("fixed:54,20").enter(torch.ones(2))
    assert isinstance(wide, np.ndarray)
    assert wide.tolist() == [2**20, 2**20]


@pytest.mark.parametrize("name", ["fixed:53,20", "fixed:90,20", "fixed:300,140", "nearest:53", "nearest:281"])
def test_round_numbers_are_multiplied_exactly_though_their_zero_bits_outnumber_the_fraction(name: str) -> None:
    A = arithmetic(name)
    x = A.enter(torch.tensor([[1024.0, -3072.0]]))
    assert A.leave(A.product(x, x)).tolist() == [[2.0**20, 9 * 2.0**20]]
    assert A.leave(A.logits(x, x)).tolist() == [[10 * 2.0**20]]
    assert A.leave(A.linear(x, torch.tensor([[1024.0, 0.0]]), torch.tensor([-0.5]))).tolist() == [[2.0**20 - 0.5]]


def test_negative_numbers_are_rounded_toward_minus_infinity() -> None:
    A = arithmetic("fixed:8,2")
    assert A.leave(A.enter(torch.tensor([-0.3, 0.3, -0.25, -1.01]))).tolist() == [-0.5, 0.25, -0.25, -1.25]
    x = A.enter(torch.tensor([-0.25]))
    assert A.leave(A.product(x, A.enter(torch.tensor([0.25])))).tolist() == [-0.25]  # -1/16 rounded down


def test_both_ends_saturate() -> None:
    A = arithmetic("fixed:6,2")  # r = 3: from -8 to 7.75
    x = A.enter(torch.tensor([7.75, -8.0, 100.0, -100.0]))
    assert A.leave(x).tolist() == [7.75, -8.0, 7.75, -8.0]
    assert A.leave(A.add(x, x)).tolist() == [7.75, -8.0, 7.75, -8.0]
    assert A.leave(A.product(x, x)).tolist() == [7.75] * 4


def test_a_saturated_partial_sum_does_not_spoil_a_signed_sum() -> None:
    # The exact accumulator at 2f bits: 7 + 7 - 7 - 7 + 1, though 14 is beyond the format.
    A = arithmetic("fixed:6,2")
    x = A.enter(torch.tensor([7.0, 7.0, -7.0, -7.0, 1.0]))
    assert A.leave(A.linear(x, torch.ones(1, 5))).tolist() == [1.0]


def test_a_real_weight_of_almost_one_rounds_down_but_floored_exponentials_give_exactly_one() -> None:
    """[bhattamishra2024 Theorem 6; rounding to 1] at N = 1000, K = 2: grid steps of about N^-2 = 10^-6, so f = 20."""
    N, f = 1000, 20
    A = FixedPoint(parse_format(f"fixed:40,{f}"))
    gap = 34.0  # 999 exp(-34) = 1.7e-12
    logits = [0.0] * N
    logits[17] = gap
    share = 1 / (1 + Fraction(float((N - 1) * mpmath.exp(-gap))))
    assert math.floor(share * 2**f) == 2**f - 1  # the real softmax value, floored
    w = A.leave(A.softmax(A.enter(torch.tensor([logits])), None))
    assert w[0, 17].item() == 1.0
    assert w.sum().item() == 1.0


def test_hidden_keys_have_no_part_in_the_maximum() -> None:
    A = arithmetic("fixed:12,4")
    a, visible = A.enter(torch.tensor([[1.0, 100.0, 1.0]])), torch.tensor([True, False, True])
    assert A.leave(A.softmax(a, visible)).tolist() == [[0.5, 0.0, 0.5]]
    assert A.leave(A.hard(a, visible)).tolist() == [[1.0, 0.0, 0.0]]
    assert A.leave(A.uniform(a, visible)).tolist() == [[0.5, 0.0, 0.5]]


@pytest.mark.parametrize("name", ["fixed:12,4", "fixed:60,4", "fixed:100,70"])
def test_a_query_that_sees_no_key_has_weight_zero_everywhere(name: str) -> None:
    A = arithmetic(name)
    a = A.enter(torch.tensor([[1.0, 2.0]]))
    for weights in (A.softmax, A.hard, A.uniform):
        assert A.leave(weights(a, torch.tensor([[False, False]]))).tolist() == [[0.0, 0.0]]


def test_without_integer_bits_one_is_still_an_attention_weight() -> None:
    A = arithmetic("fixed:4,3")  # numbers from -1 to 7/8
    a = A.enter(torch.tensor([[0.5]]))
    assert A.leave(A.softmax(a, None)).tolist() == A.leave(A.hard(a, None)).tolist() == A.leave(A.uniform(a, None)).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("name", "weight", "message"),
    [
        ("fixed:8,4", 0.3, "must be multiples of 2^-4 in [-2^3, 2^3), found 0.3"),
        ("fixed:8,4", 8.0, "must be multiples of 2^-4 in [-2^3, 2^3), found 8.0"),
        ("fixed:8,4", -8.0625, "must be multiples of 2^-4 in [-2^3, 2^3), found -8.0625"),
        ("fixed:80,4", 2.0**75, "must be multiples of 2^-4 in [-2^75, 2^75), found 3.777893186295716e+22"),
        ("fixed:80,4", float("nan"), "must be multiples of 2^-4 in [-2^75, 2^75), found nan"),
    ],
)
def test_a_weight_off_the_grid_is_refused_by_name(name: str, weight: float, message: str) -> None:
    A = arithmetic(name)
    w = torch.tensor([[0.5, weight]], dtype=torch.float64)
    with pytest.raises(BadInput) as refusal:
        A.linear(A.enter(torch.ones(1, 2)), w)
    assert str(refusal.value) == f"{name}: weights of linear {message}"
    with pytest.raises(BadInput):
        A.linear(A.enter(torch.ones(1, 2)), torch.zeros(2, 2), w[0])
    assert not A.on_grid(w)


def test_the_ends_of_the_range_are_on_the_grid() -> None:
    assert arithmetic("fixed:8,4").on_grid(torch.tensor([-8.0, 7.9375, 0.0]))
    assert arithmetic("fixed:80,4").on_grid(torch.tensor([-(2.0**75), 2.0**74], dtype=torch.float64))
    assert arithmetic("fixed:8,4").on_grid(torch.zeros(0))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_finite_number_does_not_enter(value: float) -> None:
    with pytest.raises(BadInput, match=f"^fixed:8,4: enter: expected finite numbers, found {value}$"):
        arithmetic("fixed:8,4").enter(torch.tensor([0.0, value]))


def test_zero_leaves_without_a_sign() -> None:
    A = arithmetic("fixed:8,4")
    product = A.product(A.enter(torch.tensor([-1.0])), A.enter(torch.tensor([0.0])))
    assert [math.copysign(1, A.leave(zero).item()) for zero in (product, A.enter(torch.tensor([-0.0])))] == [1, 1]


def test_weights_that_ask_for_gradients_are_only_read() -> None:
    A = arithmetic("fixed:8,4")
    weight = torch.ones(1, 2, requires_grad=True)
    assert not A.linear(A.enter(torch.ones(1, 2, requires_grad=True)), weight).requires_grad


@pytest.mark.parametrize("name", ["fixed:20,8", "fixed:60,8"])
def test_blocks_are_joined_in_either_carrier(name: str) -> None:
    A = arithmetic(name)
    x, y = A.enter(torch.ones(2, 1, 3)), A.enter(torch.zeros(2, 2, 3))
    assert A.leave(A.join([x, y], 1)).tolist() == [[[1.0] * 3, [0.0] * 3, [0.0] * 3]] * 2
