"""Numbers as computed, and how far any correct program may be from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "U8": "u1"}  # of files of weights


@dataclass(frozen=True, eq=False)
class Values:
    """An array [.., rows, columns] in some format, and a bound on the error of each entry.

    In an exact format `value` holds integers, which stand for multiples of 1 / scale, and there is no error.
    In floats `value` is float64. The real number that the model defines, and the number that any program of the format computes for
    it, adding in any order, lie within `error` of one another, and the value lies within `error` of the real number.
    In float:e,m every program rounds in the same way, so that number and real number are one, and it lies within `error` of the value.
    No error (None) means that every such program has exactly this number.
    """

    value: Array
    error: Array | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        return self.value.shape

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, part: Any) -> Values:
        return Values(self.value[part], None if self.error is None else self.error[part])

    def rows(self, part: Array | slice) -> Values:
        """Some rows of every matrix."""
        return self[..., part, :]

    def columns(self, first: int, count: int) -> Values:
        """Some columns, side by side."""
        return self[..., first : first + count]

    def reshape(self, *shape: int) -> Values:
        """The same numbers in another shape."""
        return Values(self.value.reshape(shape), None if self.error is None else self.error.reshape(shape))

    def swapped(self) -> Values:
        """Every matrix transposed."""
        return Values(np.swapaxes(self.value, -1, -2), None if self.error is None else np.swapaxes(self.error, -1, -2))

    def __neg__(self) -> Values:
        return Values(-self.value, self.error)

    def masked(self, shown: Array) -> Values:
        """0, for every program, where it is not shown."""
        return Values(np.where(shown, self.value, 0), None if self.error is None else np.where(shown, self.error, 0.0))

    def looser(self, by: Array | float) -> Values:
        """With a larger error."""
        return Values(self.value, self.errors + by)

    @property
    def finite(self) -> bool:
        """Whether every number is, for every program."""
        return self.value.dtype.kind != "f" or bool(np.isfinite(self.value).all() and np.isfinite(self.errors).all())

    @property
    def errors(self) -> Array:
        """The bounds as an array, 0 where there is none."""
        return np.zeros(self.shape) if self.error is None else self.error

    @property
    def reach(self) -> Array:
        """A bound on the magnitude that any program computes here."""
        return np.abs(self.value) if self.error is None else np.abs(self.value) + 2 * self.error


def constant(shape: tuple[int, ...], value: float = 0.0) -> Values:
    """The same number everywhere, in floats."""
    return Values(np.full(shape, float(value)))


def stored(tensor: Array, shape: tuple[int, ...] = ()) -> Values:
    """A weight, repeated for rows of some shape."""
    return Values(np.broadcast_to(tensor, (*shape, *tensor.shape)))


def positions(first: int, count: int) -> Array:
    """first, first + 1, .."""
    return np.arange(first, first + count)


def side_by_side(*tensors: Array) -> Array:
    """Matrices with the same rows as one."""
    return np.concatenate(tensors, axis=1)


def without_axis(x: Values, sizes: list[int], axis: int) -> Values | None:
    """Rows [numbers of all sizes together, width] without one of the sizes; None if a number, or its error, depends on it."""
    parts = [part.reshape(*sizes, -1) for part in (x.value, x.error) if part is not None]
    if not all(bool((part == part.take([0], axis=axis)).all()) for part in parts):
        return None
    return Values(*(part.take(0, axis=axis).reshape(-1, x.shape[-1]) for part in parts))


def mirrored(x: Values, rows: list[int]) -> Values:
    """Some rows with their coordinates in the opposite order, which every format holds."""
    value, error = x.value.copy(), None if x.error is None else x.error.copy()
    value[rows] = value[rows][:, ::-1]
    if error is not None:
        error[rows] = error[rows][:, ::-1]
    return Values(value, error)


def tensor(raw: bytes, kind: str, shape: tuple[int, ...]) -> Array | None:
    """Numbers of a file of weights, little-endian; None if one is not finite."""
    numbers = np.frombuffer(raw, dtype=TYPES[kind])
    if kind == "BF16":  # the upper half of a float32
        numbers = (numbers.astype("<u4") << 16).view("<f4")
    return None if numbers.dtype.kind == "f" and not np.isfinite(numbers).all() else numbers.reshape(shape)


def alike(x: Values) -> bool:
    """Whether all rows were computed as the same numbers."""
    return not bool((x.value != x.value[:1]).any())


def zero(x: Values) -> bool:
    """Whether every number is 0, for every program."""
    return x.error is None and not bool(x.value.any())


def differences(rows: Array) -> Values | None:
    """Of all rows from the first; None where one was rounded."""
    apart = rows - rows[0]
    return Values(apart) if bool((rows - apart == rows[0]).all()) else None


def units(x: Values) -> Array:
    """Numbers of an exact format as Python integers, by their units."""
    if x.value.dtype.kind == "f" or x.error is not None:
        raise TypeError("expected numbers of an exact format")
    return x.value.astype(object)


def exactly(x: Any, directions: Array | None, first: int = 0, added: Array | None = None) -> Array | None:
    """x along some directions, plus more from one row on, as float64 has it exactly: integers whose sums stay below 2^53; else None."""
    y = np.asarray(x, dtype=np.float64)
    size = np.abs(y)
    if directions is not None:
        along = np.asarray(directions, dtype=np.float64)
        y, size, whole = y @ along, size @ np.abs(along), not bool((y % 1).any() or (along % 1).any())
    else:
        whole = not bool((y % 1).any())
    if added is not None:
        y, size = y.copy(), size.copy()
        y[first:] += added
        size[first:] += np.abs(added)
    return y if whole and float(size.max(initial=0)) < 2.0**53 else None


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


def join(parts: Sequence[Values], axis: int = -2) -> Values:
    """Matrices below each other, or side by side (axis -1)."""
    if len(parts) == 1:
        return parts[0]
    error = None if all(part.error is None for part in parts) else np.concatenate([part.errors for part in parts], axis=axis)
    return Values(np.concatenate([part.value for part in parts], axis=axis), error)
