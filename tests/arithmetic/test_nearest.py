"""R_p against the definition in fractions, saturating and strict."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.arithmetic import arithmetic
from separatrix.arithmetic.exact_softmax import softmax_to_nearest
from separatrix.arithmetic.format import parse_format
from separatrix.arithmetic.nearest import NearestPoint
from separatrix.arithmetic.products import matmul
from separatrix.errors import BadInput

Matrix = list[list[int]]


def store(x: Fraction, F: int) -> int:
    """The nearest multiple of 2^-F, ties to even, saturated; in units of 2^-F."""
    return min(max(round(x * 2**F), 1 - 4**F), 4**F - 1)


def dot(x: list[int], y: list[int], F: int) -> Fraction:
    return sum((Fraction(a * b, 4**F) for a, b in zip(x, y, strict=True)), Fraction(0))


@st.composite
def formats(draw: st.DrawFn) -> NearestPoint:
    return NearestPoint(parse_format(f"nearest:{2 * draw(st.integers(1, 8) | st.integers(9, 60)) + 1}"))


def matrix(A: NearestPoint, rows: int, columns: int) -> st.SearchStrategy[Matrix]:
    near = st.integers(-(2**A.f), 2**A.f)
    entry = near | st.integers(A.lowest, A.highest) | st.sampled_from([A.lowest, A.highest, 0, -1, 2 ** (A.f - 1)])
    return st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def values(A: NearestPoint, integers: Any) -> Any:
    return A.contain(np.array(integers, dtype=object))


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_every_sum_and_product_is_exact_then_rounded_once(data: st.DataObject, A: NearestPoint) -> None:
    F = A.f
    x, y, w = data.draw(matrix(A, 2, 3)), data.draw(matrix(A, 2, 3)), data.draw(matrix(A, 2, 2))
    X, Y = values(A, [x]), values(A, [y])
    pairs = [list(zip(a, b, strict=True)) for a, b in zip(x, y, strict=True)]
    assert A.integers(A.logits(X, Y)).tolist() == [[[store(dot(a, b, F), F) for b in y] for a in x]]
    assert A.integers(A.product(X, Y)).tolist() == [[[store(Fraction(a * b, 4**F), F) for a, b in row] for row in pairs]]
    assert A.integers(A.add(X, Y)).tolist() == [[[store(Fraction(a + b, 2**F), F) for a, b in row] for row in pairs]]
    assert A.integers(A.relu(X)).tolist() == [[[max(a, 0) for a in row] for row in x]]
    mixed = [[store(dot(row, list(column), F), F) for column in zip(*y, strict=True)] for row in w]
    assert A.integers(A.mix(values(A, [w]), Y)).tolist() == [mixed]


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_weights_are_rounded_and_a_linear_form_is_rounded_once(data: st.DataObject, A: NearestPoint) -> None:
    F = A.f
    x = data.draw(matrix(A, 3, 2))
    reals = st.floats(-3, 3) | st.sampled_from([1 / 3, 1e300, -1e300, 2.0 ** -(F + 1), 3 * 2.0 ** -(F + 1)])
    weight = data.draw(st.lists(st.lists(reals, min_size=2, max_size=2), min_size=2, max_size=2))
    bias = data.draw(st.lists(reals, min_size=2, max_size=2))
    w, b = [[store(Fraction(v), F) for v in row] for row in weight], [store(Fraction(v), F) for v in bias]
    expected = [[store(dot(row, column, F) + Fraction(offset, 2**F), F) for column, offset in zip(w, b, strict=True)] for row in x]
    output = A.linear(values(A, x), torch.tensor(weight, dtype=torch.float64), torch.tensor(bias, dtype=torch.float64))
    assert A.integers(output).tolist() == expected


@given(st.data(), formats())
@settings(deadline=None, max_examples=150)
def test_attention_weights_follow_their_definitions(data: st.DataObject, A: NearestPoint) -> None:
    a = data.draw(matrix(A, 3, 4))
    see = data.draw(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=3, max_size=3))
    soft, hard, uniform = [], [], []
    for row, shown in zip(a, see, strict=True):
        keys = [logit for logit, s in zip(row, shown, strict=True) if s]
        weights = iter(softmax_to_nearest(keys, A.f) if keys else [])
        soft.append([next(weights) if s else 0 for s in shown])
        first = next((j for j in range(4) if shown[j] and row[j] == max(keys)), None)
        hard.append([2**A.f * (j == first) for j in range(4)])
        uniform.append([round(Fraction(2**A.f, len(keys))) if s else 0 for s in shown])
    visible = torch.tensor(see)
    assert A.integers(A.softmax(values(A, [a]), visible)).tolist() == [soft]
    assert A.integers(A.hard(values(A, [a]), visible)).tolist() == [hard]
    assert A.integers(A.uniform(values(A, [a]), visible)).tolist() == [uniform]


@given(formats(), st.floats(-1e6, 1e6) | st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None, max_examples=150)
def test_real_numbers_enter_at_the_nearest_number(A: NearestPoint, x: float) -> None:
    entered = A.enter(torch.tensor([x], dtype=torch.float64))
    n = store(Fraction(x), A.f)
    assert A.integers(entered).tolist() == [n]
    assert A.leave(entered).tolist() == [n / 2**A.f]


def test_the_range_is_symmetric_and_saturates() -> None:
    A = arithmetic("nearest:9")  # F = 4: up to 16 - 1/16
    assert A.leave(A.enter(torch.tensor([100.0, -100.0, 15.99, -16.0]))).tolist() == [15.9375, -15.9375, 15.9375, -15.9375]
    assert A.on_grid(torch.tensor([15.9375, -15.9375]))
    assert not A.on_grid(torch.tensor([-16.0]))


def test_ties_go_to_even() -> None:
    A = arithmetic("nearest:5")  # steps of 1/4
    assert A.leave(A.enter(torch.tensor([0.125, 0.375, -0.125, -0.375, 0.626]))).tolist() == [0.0, 0.5, 0.0, -0.5, 0.75]


@pytest.mark.parametrize(("p", "gap"), [(33, 18.7), (65, 29.8), (97, 40.9), (129, 52.0)])
def test_a_gap_of_F_plus_1_times_ln_2_plus_ln_L_is_one_hot_and_less_is_not(p: int, gap: float) -> None:
    """[wen2024 Clarification 3; one-hot] at length L = 1000; the gaps there are (F + 1) ln 2 + ln L."""
    A = arithmetic(f"nearest:{p}")
    assert math.isclose(((p - 1) // 2 + 1) * math.log(2) + math.log(1000), gap, abs_tol=0.05)
    for distance, one_hot in ((gap + 0.05, True), (gap - 0.1, False)):
        logits = torch.zeros(1, 1000, dtype=torch.float64)
        logits[0, 3] = distance
        w = A.integers(A.softmax(A.enter(logits), None))
        assert (w[0, 3] == 1 << A.f) == one_hot
        assert (w.sum() == 1 << A.f) or not one_hot


OVERFLOWS = " overflows: expected magnitudes below 2^4, found "


def fives(A: NearestPoint) -> Any:
    return A.enter(torch.tensor([[5.0, 5.0]]))


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        (lambda A: A.enter(torch.tensor([16.0])), "enter" + OVERFLOWS + "16.0"),
        (lambda A: A.enter(torch.tensor([15.97])), "enter" + OVERFLOWS + "16.0"),
        (lambda A: A.linear(fives(A), torch.full((1, 2), -2.0)), "linear" + OVERFLOWS + "-20.0"),
        (
            lambda A: A.linear(fives(A), torch.full((1, 2), -18.0)),
            "a weight of linear" + OVERFLOWS + "-18.0",
        ),
        (lambda A: A.logits(fives(A), fives(A)), "logits" + OVERFLOWS + "50.0"),
        (lambda A: A.mix(fives(A), fives(A).swapaxes(0, 1)), "mix" + OVERFLOWS + "50.0"),
        (lambda A: A.product(fives(A), fives(A)), "product" + OVERFLOWS + "25.0"),
        (lambda A: A.add(A.add(fives(A), fives(A)), fives(A)[:, :1] * 2), "add" + OVERFLOWS + "20.0"),
        (lambda A: A.enter(torch.tensor([math.nan])), "enter: expected finite numbers, found nan"),
        (lambda A: A.linear(fives(A), torch.full((1, 2), math.inf)), "a weight of linear: expected finite numbers, found inf"),
    ],
)
def test_strict_overflow_names_the_operator_and_the_value(operator: Callable[[NearestPoint], Any], message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        operator(NearestPoint(parse_format("nearest:9,strict")))
    assert str(refusal.value) == f"nearest:9,strict: {message}"


@pytest.mark.parametrize("p", [9, 53, 55, 1023])
def test_strict_lets_the_largest_number_pass_and_refuses_the_next(p: int) -> None:
    A = NearestPoint(parse_format(f"nearest:{p},strict"))
    top, step = values(A, [A.highest]), values(A, [1])
    assert A.integers(A.add(top, values(A, [0]))).tolist() == [A.highest]
    with pytest.raises(BadInput, match=f"^nearest:{p},strict: add overflows: expected magnitudes below 2\\^{A.f}, found "):
        A.add(top, step)


@pytest.mark.parametrize(("p", "x", "y", "carrier"), [(9, 3, 10, "float64"), (37, 2**6, 2**13, "int64"), (53, 4, 2**25, "object")])
def test_strict_refuses_in_whichever_carrier_the_sum_was_made(p: int, x: int, y: int, carrier: str) -> None:
    A = NearestPoint(parse_format(f"nearest:{p},strict"))
    X, Y = (values(A, [[(n << A.f) + 1]]) for n in (x, y))  # the last bit set, so that the product has all its bits
    exact = Fraction(((x << A.f) + 1) * ((y << A.f) + 1), 1 << A.f)
    assert str(matmul(X, Y).units.dtype).removeprefix("torch.") == carrier
    with pytest.raises(BadInput) as refusal:
        A.logits(X, Y)
    result = round(exact) / (1 << A.f)
    assert str(refusal.value) == f"nearest:{p},strict: logits overflows: expected magnitudes below 2^{A.f}, found {result}"


def test_a_value_beyond_float64_is_named_by_its_power_of_two() -> None:
    A = NearestPoint(parse_format("nearest:1023,strict"))
    x = values(A, [[A.highest] * 8])  # 8 * (2^511)^2, less a little
    with pytest.raises(BadInput, match=r"logits overflows: expected magnitudes below 2\^511, found 2\^1024 and more$"):
        A.logits(x, x)
    with pytest.raises(BadInput, match=r"logits overflows: expected magnitudes below 2\^511, found -2\^1024 and more$"):
        A.logits(x, -x)


def test_without_strict_the_same_sums_saturate() -> None:
    A = arithmetic("nearest:9")
    x = A.enter(torch.tensor([[5.0, 5.0]]))
    assert A.leave(A.logits(x, x)).item() == 15.9375
    assert A.leave(A.linear(x, torch.tensor([[-200.0, -2.0]]))).item() == -15.9375


@given(st.data(), st.integers(1, 26))
@settings(deadline=None, max_examples=100)
def test_strict_and_saturating_agree_where_nothing_overflows(data: st.DataObject, F: int) -> None:
    loose, strict = (NearestPoint(parse_format(f"nearest:{2 * F + 1}{suffix}")) for suffix in ("", ",strict"))
    x = data.draw(st.lists(st.integers(-(2**F) // 2, 2**F // 2), min_size=2, max_size=2))
    results = [A.integers(A.attend(values(A, [x]), values(A, [x]), values(A, [x]), None, "softmax")).tolist() for A in (loose, strict)]
    assert results[0] == results[1]
