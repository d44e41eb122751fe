"""Boxes: for every entry two bounds on the number that any correct program of the format computes.

Each operator maps boxes to a box that contains its results on all numbers inside them.

    exact formats   an operator is an exact sum, rounded and clamped once; rounding is monotone, so the ends of the exact sum are rounded
    float:e,m       the same, with the exact sum enclosed in float64
    floats          the ends, moved outwards by the error of every order of summation
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, shifted, times
from separatrix.checker.numbers.rounding import SLACK, gamma
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.replay.proof import Unproven

U64, TINY64 = 2.0**-53, float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class Box:
    """Two arrays of one shape, in the units of the format."""

    low: Array
    high: Array

    def __post_init__(self) -> None:
        if self.low.dtype.kind == "f" and not (np.isfinite(self.low).all() and np.isfinite(self.high).all()):
            raise Unproven("the model", "a number may overflow")

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the arrays."""
        return self.low.shape

    @property
    def point(self) -> bool:
        """Whether every number is known."""
        return self.low is self.high or bool((self.low == self.high).all())

    @property
    def reach(self) -> Array:
        """The largest magnitude of each entry."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    def __getitem__(self, part: Any) -> Box:
        if self.low is self.high:
            low = self.low[part]
            return Box(low, low)
        return Box(self.low[part], self.high[part])

    def hull(self, axis: int | tuple[int, ...] = 0) -> Box:
        """One box around all that lie along an axis."""
        return Box(self.low.min(axis=axis), self.high.max(axis=axis))

    def around(self, other: Box) -> Box:
        """One box around two."""
        return Box(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def within(self, other: Box) -> Box:
        """The intersection of two boxes that contain the same numbers."""
        return Box(np.maximum(self.low, other.low), np.minimum(self.high, other.high))


def enclosed(x: Values) -> Box:
    """What any program computes: within twice the error of the value."""
    if x.error is None:
        return Box(x.value, x.value)
    return Box(below(x.value, 2 * x.error), -below(-x.value, 2 * x.error))


def below(value: Array, error: Array) -> Array:
    """value - error as a float64 that is no larger: what it rounds to where that is exact, else the next number down."""
    least = value - error
    back = least - value
    exact = (value - (least - back)) + (-error - back) == 0  # what the subtraction lost, which float64 holds
    return np.asarray(np.where(exact, least, np.nextafter(least, -np.inf)))


def beside(parts: Sequence[Box]) -> Box:
    """Boxes side by side, along the last axis."""
    return Box(np.concatenate([part.low for part in parts], axis=-1), np.concatenate([part.high for part in parts], axis=-1))


def linear(ops: Numbers, x: Box, weight: Array, bias: Array | None = None) -> Box:
    """x times the transposed weight, plus bias, for rows [.., width]."""
    if x.point:
        flat = Values(np.ascontiguousarray(x.low.reshape(-1, x.shape[-1])))
        y = enclosed(ops.linear(flat, weight, bias))
        return Box(y.low.reshape(*x.shape[:-1], len(weight)), y.high.reshape(*x.shape[:-1], len(weight)))
    up, down = np.maximum(weight, 0).T, np.minimum(weight, 0).T
    if isinstance(ops, Grid):
        ends = [plus(product(a, up), product(b, down)) for a, b in ((x.low, x.high), (x.high, x.low))]
        if bias is not None:
            ends = [plus(end, shifted(bias, ops.f)) for end in ends]
        return Box(ops.store(ends[0], ops.f), ops.store(ends[1], ops.f))
    low, high, size = x.low @ up + x.high @ down, x.high @ up + x.low @ down, x.reach @ np.abs(weight).T
    if bias is not None:
        low, high, size = low + bias, high + bias, size + np.abs(bias)
    return summed(ops, low, high, size, weight.shape[1] + 1)


def summed(ops: Numbers, low: Array, high: Array, size: Array, terms: int) -> Box:
    """What a program of the format, that adds so many products of magnitudes `size` together, makes of a sum between low and high.

    The ends were computed in float64 from sums of up to twice as many terms.
    """
    off = gamma(2 * terms + 4, U64) * size + 2 * terms * TINY64
    if isinstance(ops, SmallFloat):
        ends = np.nextafter(low - off * SLACK, -np.inf), np.nextafter(high + off * SLACK, np.inf)
        return Box(ops.rounded(ends[0]), ops.rounded(ends[1]))
    assert isinstance(ops, Float)
    if not float(size.max(initial=0)) < ops.largest / 2:
        raise Unproven("the model", "a number may overflow")
    off = (off + gamma(terms, ops.u) * size + terms * ops.tiny) * SLACK
    return Box(low - off, high + off)


def add(ops: Numbers, x: Box, y: Box) -> Box:
    """A sum."""
    if isinstance(ops, Grid):
        return Box(ops.clamped(plus(x.low, y.low)), ops.clamped(plus(x.high, y.high)))
    if x.point and y.point:
        return enclosed(ops.add(Values(x.low), Values(y.low)))
    return summed(ops, x.low + y.low, x.high + y.high, x.reach + y.reach, 2)


def relu(x: Box) -> Box:
    """max(x, 0)."""
    return Box(np.maximum(x.low, 0), np.maximum(x.high, 0))


def multiply(ops: Numbers, x: Box, y: Box) -> Box:
    """An elementwise product."""
    corners = [(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    if isinstance(ops, Grid):
        products = np.stack([times(a, b) for a, b in corners])
        return Box(ops.store(products.min(axis=0), ops.f), ops.store(products.max(axis=0), ops.f))
    products = np.stack([a * b for a, b in corners])
    return summed(ops, products.min(axis=0), products.max(axis=0), x.reach * y.reach, 1)
