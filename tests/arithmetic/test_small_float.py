"""Emulated floats against NumPy's and torch's own types, and against a search of the whole format."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.arithmetic import arithmetic
from separatrix.arithmetic.format import parse_format
from separatrix.arithmetic.small_float import SmallFloat, nearest_float


def nearest(x: Fraction, e: int, m: int) -> float:
    """The nearest number of the format, by the definition: ties to even, infinity from half a step beyond the largest."""
    if x == 0:
        return 0.0
    bias = 2 ** (e - 1) - 1
    exponent = max(math.floor(math.log2(abs(x))), 1 - bias)
    while abs(x) >= Fraction(2) ** (exponent + 1):  # log2 is rounded
        exponent += 1
    while abs(x) < Fraction(2) ** exponent and exponent > 1 - bias:
        exponent -= 1
    step = Fraction(2) ** (exponent - m)
    rounded = round(x / step) * step
    return float(rounded) if abs(rounded) < Fraction(2) ** (bias + 1) else math.copysign(math.inf, x)


def probes(count: int, low: int, high: int) -> np.ndarray:
    """Numbers of all magnitudes 2^low .. 2^high, among them exact ties of short formats and their float64 neighbours."""
    draw = np.random.default_rng(count)
    x = draw.choice([-1.0, 1.0], count) * np.exp2(draw.uniform(low, high, count))
    halves = np.ldexp(draw.integers(1, 2**12, count) + 0.5, draw.integers(low, high - 12, count))
    return np.concatenate([x, halves, np.nextafter(halves, np.inf), np.nextafter(halves, 0), [0.0, -0.0, np.inf, -np.inf]])


@pytest.mark.parametrize(("e", "m", "dtype", "low", "high"), [(5, 10, np.float16, -30, 18), (8, 23, np.float32, -155, 130)])
def test_half_and_single_precision_are_what_numpy_rounds_to(e: int, m: int, dtype: type, low: int, high: int) -> None:
    x = probes(20_000, low, high)
    with np.errstate(over="ignore", under="ignore"):
        expected = x.astype(dtype).astype(np.float64)
    assert np.array_equal(nearest_float(torch.from_numpy(x), e, m).numpy(), expected)


@pytest.mark.parametrize(("e", "m", "dtype"), [(5, 2, torch.float8_e5m2), (8, 7, torch.bfloat16)])
def test_eight_and_sixteen_bits_are_what_torch_rounds_to_from_single_precision(e: int, m: int, dtype: torch.dtype) -> None:
    x = torch.from_numpy(probes(20_000, -24, 18)).to(torch.float32)
    assert torch.equal(nearest_float(x.to(torch.float64), e, m), x.to(dtype).to(torch.float64))


@given(st.integers(2, 11), st.integers(1, 52), st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None, max_examples=250)
def test_every_format_rounds_by_the_definition(e: int, m: int, x: float) -> None:
    assert nearest_float(torch.tensor([x], dtype=torch.float64), e, m).item() == nearest(Fraction(x), e, m)


def test_the_numbers_of_a_tiny_format_are_those_of_its_table() -> None:
    # e = 3, m = 2: bias 3, subnormals k/16, normals (4 + k)/4 * 2^(-2..3), the largest 14.
    table = [k / 16 for k in range(4)] + [(4 + k) / 4 * 2.0**exponent for exponent in range(-2, 4) for k in range(4)]
    x = torch.arange(-16, 16, 1 / 512, dtype=torch.float64)
    rounded = nearest_float(x, 3, 2)
    assert sorted(set(rounded.abs().tolist())) == [*table, math.inf]
    assert nearest_float(torch.tensor([14.99, 15.0, -15.0], dtype=torch.float64), 3, 2).tolist() == [14.0, math.inf, -math.inf]


def test_float_11_52_is_float64_itself() -> None:
    x = torch.tensor([5e-324, 2.0**-1030 / 3, 1 / 3, 1.7976931348623157e308, math.inf, -0.0], dtype=torch.float64)
    assert torch.equal(nearest_float(x, 11, 52), x)


def test_what_is_not_a_number_stays_so() -> None:
    assert nearest_float(torch.tensor([math.nan], dtype=torch.float64), 4, 3).isnan().all()


@given(st.data(), st.sampled_from([(4, 3), (5, 10), (8, 7), (8, 23), (10, 24)]))
@settings(deadline=None, max_examples=200)
def test_sums_and_products_of_two_are_the_correctly_rounded_exact_ones(data: st.DataObject, format: tuple[int, int]) -> None:
    e, m = format
    A = SmallFloat(parse_format(f"float:{e},{m}"))
    significands, exponents = st.integers(-(2 ** (m + 1)), 2 ** (m + 1)), st.integers(-2 * m, 4)
    draw = st.builds(lambda n, k: nearest(n * Fraction(2) ** k, e, m), significands, exponents).filter(math.isfinite)
    x, y = data.draw(draw), data.draw(draw)
    X, Y = torch.tensor([x], dtype=torch.float64), torch.tensor([y], dtype=torch.float64)
    assert A.add(X, Y).item() == nearest(Fraction(x) + Fraction(y), e, m)
    assert A.product(X, Y).item() == nearest(Fraction(x) * Fraction(y), e, m)


@given(st.lists(st.tuples(st.integers(-15, 15), st.integers(-9, 4)), min_size=6, max_size=6), st.sampled_from(["linear", "logits", "mix"]))
@settings(deadline=None, max_examples=200)
def test_a_sum_of_products_in_eight_bits_is_the_correctly_rounded_exact_one(numbers: list[tuple[int, int]], operator: str) -> None:
    A = arithmetic("float:4,3")
    x = A.enter(torch.tensor([[n * 2.0**k for n, k in numbers]], dtype=torch.float64))
    y = x.flip(-1)
    exact = sum((Fraction(a) * Fraction(b) for a, b in zip(x[0].tolist(), y[0].tolist(), strict=True)), Fraction(0))
    result = A.linear(x, y) if operator == "linear" else A.logits(x, y) if operator == "logits" else A.mix(x, y.swapaxes(0, 1))
    assert result.item() == nearest(exact, 4, 3)


def test_weights_and_biases_are_rounded_first() -> None:
    A = arithmetic("float:4,3")  # 1.3 rounds to 1.25, 0.3 to 0.3125
    assert A.linear(A.enter(torch.tensor([[2.0]])), torch.tensor([[1.3]]), torch.tensor([0.3])).item() == nearest(Fraction("2.8125"), 4, 3)


def test_a_weight_is_on_the_grid_iff_it_is_a_number_of_the_format() -> None:
    A = arithmetic("float:4,3")
    assert A.on_grid(torch.tensor([240.0, -1.125, 2.0**-9]))
    assert not A.on_grid(torch.tensor([1.0625]))
    assert not A.on_grid(torch.tensor([256.0]))


def test_attention_weights_are_rounded_real_weights() -> None:
    A = arithmetic("float:4,3")
    a = A.enter(torch.tensor([[0.0, 0.0, 0.0, 8.0]]))
    visible = torch.tensor([True, True, True, False])
    third = nearest(Fraction(1, 3), 4, 3)
    assert A.softmax(a, visible).tolist() == A.uniform(a, visible).tolist() == [[third, third, third, 0.0]]
    assert A.hard(a, visible).tolist() == [[1.0, 0.0, 0.0, 0.0]]
    assert A.softmax(a, torch.zeros(4, dtype=torch.bool)).tolist() == [[0.0] * 4]


def test_overflow_is_infinite_and_relu_is_exact() -> None:
    A = arithmetic("float:4,3")
    x = A.enter(torch.tensor([240.0, -240.0, 1000.0]))
    assert A.leave(A.add(x, x)).tolist() == [math.inf, -math.inf, math.inf]
    assert A.leave(A.relu(x)).tolist() == [240.0, 0.0, math.inf]
