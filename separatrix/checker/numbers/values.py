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

    @property
    def errors(self) -> Array:
        """The bounds as an array, 0 where there is none."""
        return np.zeros(self.shape) if self.error is None else self.error

    @property
    def reach(self) -> Array:
        """A bound on the magnitude that any program computes here."""
        return np.abs(self.value) if self.error is None else np.abs(self.value) + 2 * self.error


def join(parts: Sequence[Values], axis: int = -2) -> Values:
    """Matrices below each other, or side by side (axis -1)."""
    if len(parts) == 1:
        return parts[0]
    error = None if all(part.error is None for part in parts) else np.concatenate([part.errors for part in parts], axis=axis)
    return Values(np.concatenate([part.value for part in parts], axis=axis), error)
