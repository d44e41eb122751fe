"""Numbers as computed, and how far any correct program may be from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Values:
    """An array [.., rows, columns] in some format, and a bound on the error of each entry.

    In an exact format `value` holds integers, which stand for multiples of 1 / scale, and there is no error.
    In floats `value` is float64. The real number that the model defines, and the number that any program of the format computes for
    it, adding in any order, lie within `error` of one another, and the value lies within `error` of the real number.
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


def join(parts: Sequence[Values], axis: int = -2) -> Values:
    """Matrices below each other, or side by side (axis -1)."""
    if len(parts) == 1:
        return parts[0]
    error = None if all(part.error is None for part in parts) else np.concatenate([part.errors for part in parts], axis=axis)
    return Values(np.concatenate([part.value for part in parts], axis=axis), error)
