"""Boxes, the one kind of number here: for every entry of an array two ends, between which lies what any correct program computes.

    exact formats   the ends are integers, which stand for multiples of 1 / scale; in a forward pass they are one number
    floats          the ends are float64. A correct program rounds every operation to the format and adds up in any order; the real numbers
                    that a model defines count as a program that does not round

Where both ends are one array every program has exactly these numbers. An infinite end says that nothing is known, since some program may
overflow: nothing is known then of whatever is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.seal import Refused, Unproven

Array = npt.NDArray[Any]
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "U8": "u1"}  # of files of weights


class Box:
    """Two arrays [.., rows, columns] of one shape, in the units of the format; the second may be left out where every number is known."""

    def __init__(self, low: Array, high: Array | None = None) -> None:
        self.low, self.high = low, low if high is None else high

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the two arrays of ends."""
        return self.low.shape

    @property
    def point(self) -> bool:
        """Whether every number is known."""
        return self.low is self.high or bool((self.low == self.high).all())

    @property
    def finite(self) -> bool:
        """Whether something is known of every number."""
        return self.low.dtype.kind != "f" or bool(np.isfinite(self.low).all() and np.isfinite(self.high).all())

    @cached_property
    def reach(self) -> Array:
        """The largest magnitude of each entry."""
        return np.abs(self.low) if self.low is self.high else np.maximum(np.abs(self.low), np.abs(self.high))

    @cached_property
    def middle(self) -> Array:
        """In floats a number between the ends, about half-way."""
        return self.low if self.low is self.high else np.asarray(self.low / 2 + self.high / 2)

    @cached_property
    def radius(self) -> Array:
        """In floats a bound on how far either end is from `middle`."""
        if self.low is self.high:
            return np.zeros(self.shape)
        return np.asarray(np.maximum(self.high - self.middle, self.middle - self.low) * (1 + 2.0**-52))

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, part: Any) -> Box:
        return self._each(lambda end: end[part])

    def __neg__(self) -> Box:
        return Box(-self.low) if self.low is self.high else Box(-self.high, -self.low)

    def rows(self, part: Array | slice) -> Box:
        """Some rows of every matrix."""
        return self[..., part, :]

    def columns(self, first: int, count: int) -> Box:
        """Some columns, side by side."""
        return self[..., first : first + count]

    def reshape(self, *shape: int) -> Box:
        """The box in another shape."""
        return self._each(lambda end: end.reshape(shape))

    def swapped(self) -> Box:
        """Every matrix transposed."""
        return self._each(lambda end: np.swapaxes(end, -1, -2))

    def masked(self, shown: Array) -> Box:
        """0, for every program, where it is not shown."""
        return self._each(lambda end: np.where(shown, end, 0))

    def mirrored(self, rows: list[int]) -> Box:
        """Some rows with their coordinates in the opposite order, which every format holds."""
        turned = np.isin(np.arange(self.shape[-2]), rows)[:, None]
        return self._each(lambda end: np.where(turned, end[..., ::-1], end))

    def without_axis(self, sizes: list[int], axis: int) -> Box | None:
        """Rows [numbers of all sizes together, width] without one of the sizes; None if an end depends on it."""
        apart = self.reshape(*sizes, self.shape[-1])
        first = apart._each(lambda end: end.take([0], axis=axis))
        if bool((apart.low != first.low).any() or (apart.high != first.high).any()):
            return None
        return first.reshape(-1, self.shape[-1])

    def looser(self, by: Array | float) -> Box:
        """With ends that are so much further out, rounded outwards; those that are to stay do."""
        low, high = np.nextafter(self.low - by, -np.inf), np.nextafter(self.high + by, np.inf)
        return Box(np.where(np.equal(by, 0), self.low, low), np.where(np.equal(by, 0), self.high, high))

    def hull(self, axis: int | tuple[int, ...] = 0) -> Box:
        """One box around all that lie along an axis."""
        return Box(self.low.min(axis=axis), self.high.max(axis=axis))

    def around(self, other: Box) -> Box:
        """One box around two."""
        return Box(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def within(self, other: Box) -> Box:
        """The intersection of two boxes that contain the same numbers; nothing is known where one of them says nothing."""
        low, high = np.maximum(self.low, other.low), np.minimum(self.high, other.high)
        if low.dtype.kind == "f":
            known = np.isfinite(self.reach) & np.isfinite(other.reach)
            low, high = np.where(known, low, -np.inf), np.where(known, high, np.inf)
        return Box(low, high)

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
        return self._each(lambda end: np.asarray(end.max(axis=axis)))

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

    def units(self) -> Array:
        """Numbers of an exact format as Python integers, by their units."""
        if self.low.dtype.kind == "f":
            raise TypeError("expected numbers of an exact format")
        if not self.point:
            raise Unproven("the model", "a number is not known exactly")
        return self.low.astype(object)

    def _each(self, change: Callable[[Array], Array]) -> Box:
        low = change(self.low)
        return Box(low) if self.low is self.high else Box(low, change(self.high))


def known(x: Box) -> Box:
    """Return the box; refuse it where nothing is known of a number."""
    if not x.finite:
        raise Unproven("the model", "a number may overflow")
    return x


def join(parts: Sequence[Box], axis: int = -2) -> Box:
    """Matrices below each other, or side by side (axis -1)."""
    if len(parts) == 1:
        return parts[0]
    low = np.concatenate([part.low for part in parts], axis=axis)
    if all(part.low is part.high for part in parts):
        return Box(low)
    return Box(low, np.concatenate([part.high for part in parts], axis=axis))


def around(parts: Sequence[Box]) -> Box:
    """One box around boxes of one shape."""
    box = parts[0]
    for part in {id(part): part for part in parts[1:]}.values():
        box = box.around(part)
    return box


def interleaved(parts: Sequence[Box], rows: int) -> Box:
    """Rows of several boxes in turn."""
    low, high = (np.empty((rows, *parts[0].shape[1:]), dtype=parts[0].low.dtype) for _ in range(2))
    for i, part in enumerate(parts):
        low[i :: len(parts)], high[i :: len(parts)] = part.low, part.high
    return Box(low, high)


def constant(shape: tuple[int, ...], value: float = 0.0) -> Box:
    """A box of one repeated float."""
    return Box(np.full(shape, float(value)))


def stored(tensor: Array, shape: tuple[int, ...] = ()) -> Box:
    """A weight, repeated for rows of some shape."""
    return Box(np.broadcast_to(tensor, (*shape, *tensor.shape)))


def alike(x: Box) -> bool:
    """Whether all rows were computed as the same numbers."""
    return not bool((x.low != x.low[:1]).any() or (x.high != x.high[:1]).any())


def foremost(low: Array, high: Array, shown: Array) -> Array:
    """[rows, keys]: which of the keys shown may be the first with the largest score, for scores between two ends."""
    floor = low.max(axis=1, keepdims=True)
    first = (shown & (low == floor)).argmax(axis=1)[:, None]  # it scores no less than this, and comes before a later key that ties
    return np.asarray(shown & ((high > floor) | ((high == floor) & (np.arange(low.shape[1]) <= first))))


def given(low: list[Any], high: list[Any] | None, shape: tuple[int, int], exact: bool, where: str) -> Box:
    """The rows of a document as boxes: units of the format where it is exact, which must be points, else finite floats."""
    ends = [_given(rows, shape, exact, f"{where}.{name}") for name, rows in (("low", low), ("high", high)) if rows is not None]
    if bool((ends[0] > ends[-1]).any()) or (exact and bool((ends[0] != ends[-1]).any())):
        raise Refused(f"{where}.high: expected boxes whose high end is not below the low one, and points in an exact format")
    return Box(ends[0], ends[-1])


def _given(rows: list[Any], shape: tuple[int, int], exact: bool, where: str) -> Array:
    (count, width), kinds = shape, (int,) if exact else (int, float)
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


# -- weights, as they are stored ---------------------------------------------------------------------------------------------------


def tensor(raw: bytes, kind: str, shape: tuple[int, ...]) -> Array | None:
    """Numbers of a file of weights, little-endian; None if one is not finite."""
    numbers = np.frombuffer(raw, dtype=TYPES[kind])
    if kind == "BF16":  # the upper half of a float32
        numbers = (numbers.astype("<u4") << 16).view("<f4")
    return None if numbers.dtype.kind == "f" and not np.isfinite(numbers).all() else numbers.reshape(shape)


def exactly(x: Any, directions: Array | None, first: int = 0, added: Array | None = None) -> Array | None:
    """x along some directions, plus more from one row on, as float64 has it exactly: integers whose sums stay below 2^53; else None."""
    y = np.asarray(x, dtype=np.float64)
    size, whole = np.abs(y), not bool((y % 1).any())
    if directions is not None:
        along = np.asarray(directions, dtype=np.float64)
        y, size, whole = y @ along, size @ np.abs(along), whole and not bool((along % 1).any())
    if added is not None:
        y, size = y.copy(), size.copy()
        y[first:] += added
        size[first:] += np.abs(added)
    return y if whole and float(size.max(initial=0)) < 2.0**53 else None


def positions(first: int, count: int) -> Array:
    """first, first + 1, .."""
    return np.arange(first, first + count)


def side_by_side(*tensors: Array) -> Array:
    """Matrices with the same rows as one."""
    return np.concatenate(tensors, axis=1)


def blank(shape: tuple[int, ...], like: Array) -> Array:
    """Rows of 0 of the kind of a weight, and as wide."""
    return np.zeros((*shape, like.shape[1]), dtype=like.dtype)


def transposed(tensor: Array) -> Array:
    """A weight with rows and columns exchanged."""
    return np.ascontiguousarray(tensor.T)


def columns_of(tensor: Array, columns: list[int]) -> Array:
    """Some columns of a weight."""
    return np.ascontiguousarray(tensor[:, columns])


def rows_of(tensor: Array, first: int, count: int) -> Array:
    """Some rows of a weight, side by side in memory."""
    return np.ascontiguousarray(tensor[first : first + count])
