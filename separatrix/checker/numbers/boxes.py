"""Boxes: for every entry two bounds on the number that any correct program of the format computes.

Each operator maps boxes to a box that contains its results on all numbers inside them.

    exact formats   an operator is an exact sum, rounded and clamped once; rounding is monotone, so the ends of the exact sum are rounded
    float:e,m       the same, with the exact sum enclosed in float64
    floats          the ends, moved outwards by the error of every order of summation
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import narrow, plus, product, shifted, times
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.seal import Refused, Unproven

HALVED = 2.0**-1000  # half of a larger number is exact


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

    def __len__(self) -> int:
        return len(self.low)

    def reshape(self, *shape: int) -> Box:
        """The same numbers in another shape."""
        return self._each(lambda end: end.reshape(shape))

    def repeated(self, rows: int) -> Box:
        """So many times, along a new first axis."""
        return self._each(lambda end: np.repeat(end[None], rows, axis=0))

    def grouped(self, first: Array) -> Box:
        """One box around the rows from each of these to the next."""
        return Box(np.minimum.reduceat(self.low, first, axis=0), np.maximum.reduceat(self.high, first, axis=0))

    def widened(self, columns: int) -> Box:
        """With columns of 0 on the right, up to so many."""
        return self._each(lambda end: np.pad(end, ((0, 0), (0, columns - end.shape[1]))))

    def with_rows(self, rows: Any, other: Box) -> Box:
        """With other numbers in some rows, or entries."""
        low, high = self.low.copy(), self.high.copy()
        low[rows], high[rows] = other.low, other.high
        return Box(low, high)

    def top(self, axis: int) -> Box:
        """The largest number along an axis."""
        return Box(np.asarray(self.low.max(axis=axis)), np.asarray(self.high.max(axis=axis)))

    def top_from_here(self) -> Box:
        """For each entry the largest from it on."""
        return self._each(lambda end: np.maximum.accumulate(end[::-1])[::-1])

    def beside_one(self, columns: Array) -> Box:
        """The largest number of each row but that in one column."""
        rest = np.ones(self.shape, dtype=bool)
        rest[np.arange(len(columns)), columns] = False
        return self._each(lambda end: np.where(rest, end, end.min() - 1).max(axis=1))

    def contains(self, other: Box) -> Array:
        """For each row whether another box lies inside."""
        return np.asarray(((self.low <= other.low) & (other.high <= self.high)).reshape(len(self.low), -1).all(axis=1))

    def fractions(self, scale: int) -> tuple[list[Fraction], list[Fraction]]:
        """Both ends of each entry, as rational numbers."""
        low, high = ([Fraction(z) / scale for z in end.tolist()] for end in (self.low, self.high))
        return low, high

    def exactly(self) -> Values:
        """The numbers themselves, where each is known."""
        if not self.point:
            raise Unproven("the model", "a number is not known exactly")
        return Values(self.low)

    def _each(self, change: Callable[[Array], Array]) -> Box:
        if self.low is self.high:
            low = change(self.low)
            return Box(low, low)
        return Box(change(self.low), change(self.high))


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


def centred(ops: Numbers, box: Box) -> Values:
    """A box as numbers with an error; a point has none.

    In float64 and float32 the error is a quarter of its width: for every number of the box the one half-way to the centre lies within that
    of either. float:e,m has one number and not two, because every program rounds in the same way, and its error is half of the width.
    """
    if box.point:
        return Values(box.low)
    centre = box.low / 2 + box.high / 2
    radius = np.maximum(-below(centre, box.high), -below(box.low, centre))
    return Values(centre, np.where(radius > HALVED, radius / 2, radius) if ops.free else radius)


def given(low: list[Any], high: list[Any] | None, shape: tuple[int, int], ops: Numbers, where: str) -> Box:
    """The rows of a document as boxes: units of the format where it is exact, which must be points, else finite floats."""
    ends = [_given(rows, shape, ops, f"{where}.{name}") for name, rows in (("low", low), ("high", high)) if rows is not None]
    if bool((ends[0] > ends[-1]).any()) or (ops.exact and bool((ends[0] != ends[-1]).any())):
        raise Refused(f"{where}.high: expected boxes whose high end is not below the low one, and points in an exact format")
    return Box(ends[0], ends[-1])


def _given(rows: list[Any], shape: tuple[int, int], ops: Numbers, where: str) -> Array:
    exact, (count, width) = ops.exact, shape
    kinds = (int,) if exact else (int, float)
    if len(rows) != count or any(type(row) is not list or len(row) != width or any(type(x) not in kinds for x in row) for row in rows):
        raise Refused(f"{where}: expected {width} {'integers' if exact else 'numbers'} for each of {count} pairs")
    try:
        array = np.array(rows, dtype=object if exact else np.float64).reshape(shape)
    except OverflowError as error:
        raise Refused(f"{where}: a number beyond float64") from error
    if exact:
        return array.astype(np.int64) if bool((abs(array) < 1 << 62).all()) else array
    if not bool(np.isfinite(array).all()):
        raise Refused(f"{where}: a number that is not finite")
    return array


def stored_units(ops: Numbers, low: list[list[int]], high: list[list[int]]) -> Box:
    """Exact sums of products, in units of 2^-2f, between two rows of integers: as the format stores them."""
    ends = [narrow(np.array(rows, dtype=object).reshape(len(rows), -1)) for rows in (low, high)]
    return stored(ops, ends[0], ends[1], lambda: ends[1], 1)


def beside(parts: Sequence[Box], axis: int = -1) -> Box:
    """Boxes side by side, along the last axis, or below each other (axis 0)."""
    if len(parts) == 1:
        return parts[0]
    return Box(np.concatenate([part.low for part in parts], axis=axis), np.concatenate([part.high for part in parts], axis=axis))


def stacked(parts: Sequence[Box]) -> Box:
    """Boxes of one shape, along a new first axis."""
    return Box(np.stack([part.low for part in parts]), np.stack([part.high for part in parts]))


def around(parts: Sequence[Box]) -> Box:
    """One box around boxes of one shape."""
    low, high = parts[0].low, parts[0].high
    for part in {id(part): part for part in parts[1:]}.values():
        low, high = np.minimum(low, part.low), np.maximum(high, part.high)
    return Box(low, high)


def interleaved(parts: Sequence[Box], rows: int) -> Box:
    """Rows of several boxes in turn."""
    low, high = (np.empty((rows, *parts[0].shape[1:]), dtype=parts[0].low.dtype) for _ in range(2))
    for i, part in enumerate(parts):
        low[i :: len(parts)], high[i :: len(parts)] = part.low, part.high
    return Box(low, high)


def linear(ops: Numbers, x: Box, weight: Array, bias: Array | None = None) -> Box:
    """x times the transposed weight, plus bias, for rows [.., width]."""
    if x.point:
        flat = Values(np.ascontiguousarray(x.low.reshape(-1, x.shape[-1])))
        return enclosed(ops.linear(flat, weight, bias)).reshape(*x.shape[:-1], len(weight))
    up, down = np.maximum(weight, 0).T, np.minimum(weight, 0).T
    low, high = (plus(product(a, up), product(b, down)) for a, b in ((x.low, x.high), (x.high, x.low)))
    if bias is not None:
        low, high = (plus(end, shifted(bias, ops.f)) for end in (low, high))
    return stored(ops, low, high, lambda: x.reach @ np.abs(weight).T + (0.0 if bias is None else np.abs(bias)), weight.shape[1] + 1)


def stored(ops: Numbers, low: Array, high: Array, size: Callable[[], Array], terms: int) -> Box:
    """What a program of the format makes of a sum between low and high."""
    return Box(*ops.enclosing(low, high, size, terms))


def add(ops: Numbers, x: Box, y: Box) -> Box:
    """A sum."""
    if x.point and y.point:
        return enclosed(ops.add(Values(x.low), Values(y.low)))
    low, high = (shifted(plus(*ends), ops.f) for ends in ((x.low, y.low), (x.high, y.high)))
    return stored(ops, low, high, lambda: x.reach + y.reach, 2)


def relu(x: Box) -> Box:
    """max(x, 0)."""
    return Box(np.maximum(x.low, 0), np.maximum(x.high, 0))


def multiply(ops: Numbers, x: Box, y: Box) -> Box:
    """An elementwise product."""
    low, high = corners(x, y)
    return stored(ops, low, high, lambda: x.reach * y.reach, 1)


def corners(x: Box, y: Box) -> tuple[Array, Array]:
    """The ends of the products of two boxes, entry by entry."""
    products = np.stack([times(a, b) for a in (x.low, x.high) for b in (y.low, y.high)])
    return products.min(axis=0), products.max(axis=0)
