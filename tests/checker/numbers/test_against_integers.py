"""Exact formats and small floats against fractions: every pair of numbers of a small format, and long sums in wide ones."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.small_float import SmallFloat

Array = npt.NDArray[Any]
WIDE = ("fixed:8,4", "fixed:62,0", "fixed:64,32", "fixed:200,100", "nearest:9", "nearest:61", "nearest:101")


def stored(ops: Grid, units: Fraction) -> int:
    """A number in units of the format, rounded and clamped by the definition."""
    return max(ops.low, min(ops.high, floor(units) if ops.name.startswith("fixed") else round(units)))


def every(ops: Grid) -> tuple[Array, Array]:
    """All pairs of numbers, in units."""
    line = np.arange(ops.low, ops.high + 1)
    x, y = np.meshgrid(line, line)
    return x.reshape(-1, 1), y.reshape(-1, 1)


@pytest.mark.parametrize("name", ["fixed:9,4", "fixed:9,0", "fixed:9,8", "nearest:9", "fixed:2,1"])
def test_every_pair_is_added_and_multiplied_as_defined(name: str) -> None:
    """Products of two numbers with f fractional bits have 2 f: x y 2^-f units, rounded down or to the nearest even."""
    ops = numbers(name)
    assert isinstance(ops, Grid)
    x, y = every(ops)
    half, rest = 1 << ops.f >> 1, (x * y) % (1 << ops.f)
    down = (x * y - rest) >> ops.f
    odd = (down % 2 == 1) if ops.f else False
    nearest = down + ((rest > half) | ((rest == half) & odd)) if ops.f else down
    wanted = down if name.startswith("fixed") else nearest
    assert (ops.product(Box(x), Box(y)).middle == np.clip(wanted, ops.low, ops.high)).all()
    assert (ops.add(Box(x), Box(y)).middle == np.clip(x + y, ops.low, ops.high)).all()
    assert (ops.relu(Box(x)).middle == np.where(x < 0, 0, x)).all()


def edges(rng: np.random.Generator, ops: Grid, shape: tuple[int, int]) -> Array:
    """Numbers of all sizes, the ends of the format and of 53, 62 and 63 bits among them."""
    ends = [
        ops.low,
        ops.high,
        ops.low + 1,
        0,
        1,
        -1,
        ops.scale,
        -ops.scale,
        *(sign * 2**k for k in (31, 52, 53, 61, 62, 63) for sign in (1, -1)),
    ]
    drawn = [
        int(rng.choice(ends)) if rng.random() < 0.5 else int(rng.integers(-(2**40), 2**40)) << int(rng.integers(0, ops.bits))
        for _ in range(shape[0] * shape[1])
    ]
    clamped = [max(ops.low, min(ops.high, v)) for v in drawn]
    narrow = max(map(abs, clamped)) < 2**62
    return np.array([*clamped, None], dtype=object)[:-1].reshape(shape).astype(np.int64 if narrow else object)


@pytest.mark.parametrize("name", WIDE)
def test_sums_of_products_are_exact_and_stored_once(name: str) -> None:
    ops, rng = numbers(name), np.random.default_rng(7)
    assert isinstance(ops, Grid)
    for width in (1, 17):
        x, w, b = edges(rng, ops, (20, width)), edges(rng, ops, (4, width)), edges(rng, ops, (1, 4))[0]
        sums = [[sum(int(p) * int(q) for p, q in zip(row, form, strict=True)) for form in w] for row in x]
        bare = [[stored(ops, Fraction(total, ops.scale)) for total in row] for row in sums]
        biased = [[stored(ops, Fraction(total, ops.scale) + int(c)) for total, c in zip(row, b, strict=True)] for row in sums]
        assert ops.linear(Box(x), w, b).middle.tolist() == biased
        assert ops.logits(Box(x), Box(w)).middle.tolist() == bare
        assert ops.mix(Box(x), Box(w.T)).middle.tolist() == bare
    y = edges(rng, ops, x.shape)
    wanted = [[stored(ops, Fraction(int(p) + int(q))) for p, q in zip(*rows, strict=True)] for rows in zip(x, y, strict=True)]
    assert ops.add(Box(x), Box(y)).middle.tolist() == wanted


def representable(ops: SmallFloat) -> Array:
    """All finite numbers of a small float, in rising order, from sign, exponent and mantissa."""
    m, e = ops.m, ops.bits - 1 - ops.m
    exponents, mantissas = np.meshgrid(np.arange((1 << e) - 1), np.arange(1 << m))
    least = 2 - (1 << (e - 1))
    sizes = np.where(exponents == 0, np.ldexp(mantissas / (1 << m), least), np.ldexp(1 + mantissas / (1 << m), exponents - 1 + least))
    return np.unique(np.concatenate([sizes.ravel(), -sizes.ravel()]))


@pytest.mark.parametrize("name", ["float:4,3", "float:5,2", "float:3,4", "float:2,1"])
def test_every_pair_of_small_floats_is_rounded_to_the_nearest(name: str) -> None:
    """Ties go to the number whose last bit is 0; beyond the largest by half a unit or more it is infinite."""
    ops = numbers(name)
    assert isinstance(ops, SmallFloat)
    line = representable(ops)
    x, y = (part.reshape(-1, 1) for part in np.meshgrid(line, line))
    with np.errstate(invalid="ignore"):
        results = (ops.add(Box(x), Box(y)), x + y), (ops.product(Box(x), Box(y)), x * y)  # exact in float64
    for result, exact in results:
        above = np.clip(np.searchsorted(line, exact), 1, len(line) - 1)
        low, high = line[above - 1], line[above]
        even = low / (high - low) % 2 == 0
        nearest = np.where(exact - low < high - exact, low, np.where(exact - low > high - exact, high, np.where(even, low, high)))
        wanted = np.where(np.abs(exact) >= line[-1] + (line[-1] - line[-2]) / 2, np.copysign(np.inf, exact), nearest)
        known = result.low == result.high
        assert known.mean() > 0.8
        assert (result.low == wanted)[known].all()
        near = (result.low <= wanted) & (wanted <= result.high)  # a tie that float64 does not see to be one
        assert near[~known].all()
