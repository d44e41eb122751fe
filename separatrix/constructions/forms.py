"""Linear forms over named slots of the stream: `2 * a - b + 1`, several rows at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput

Array = npt.NDArray[np.float64]
Number = int | float


@dataclass(frozen=True, eq=False)
class Form:
    """Rows of  sum over slots of (matrix times slot)  plus a constant. Slots are names; their coordinates are decided later."""

    terms: Mapping[str, Array]  # slot -> [rows, width of the slot]
    constant: Array  # [rows]

    __array_ufunc__ = None  # a NumPy number times a form is a form, not an array of forms

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.constant)

    def __add__(self, other: Form | Number) -> Form:
        if not isinstance(other, Form):
            return Form(self.terms, self.constant + other)
        if other.rows != self.rows:
            raise BadInput(f"forms of {self.rows} and {other.rows} rows cannot be added")
        terms = dict(self.terms)
        for slot, matrix in other.terms.items():
            terms[slot] = terms[slot] + matrix if slot in terms else matrix
        return Form(terms, self.constant + other.constant)

    def __mul__(self, factor: Number) -> Form:
        return Form({slot: matrix * factor for slot, matrix in self.terms.items()}, self.constant * factor)

    def __radd__(self, other: Number) -> Form:
        return self + other

    def __rmul__(self, factor: Number) -> Form:
        return self * factor

    def __neg__(self) -> Form:
        return self * -1

    def __sub__(self, other: Form | Number) -> Form:
        return self + (-other)

    def __rsub__(self, other: Number) -> Form:
        return -self + other

    def __getitem__(self, rows: slice | int) -> Form:
        part = slice(rows, rows + 1) if isinstance(rows, int) else rows
        return Form({slot: matrix[part] for slot, matrix in self.terms.items()}, self.constant[part])

    def through(self, matrix: Array) -> Form:
        """The form `matrix @ self`."""
        return Form({slot: matrix @ part for slot, part in self.terms.items()}, matrix @ self.constant)

    def total(self) -> Form:
        """The sum of all rows, as one row."""
        return self.through(np.ones((1, self.rows)))

    def resolved(self, layout: Mapping[str, slice], width: int) -> tuple[Array, Array]:
        """The form as a matrix over a stream of this layout, and its constant."""
        matrix = np.zeros((self.rows, width))
        for slot, part in self.terms.items():
            if slot not in layout:
                raise BadInput(f"slot {slot!r} does not exist at this stage: expected one of {', '.join(layout)}")
            matrix[:, layout[slot]] += part
        return matrix, self.constant


def slot_form(name: str, width: int) -> Form:
    """The form that reads a slot as it is."""
    return Form({name: np.eye(width)}, np.zeros(width))


def constant_form(*values: Number) -> Form:
    """Constants; only a feed-forward part can read them, because attention has no bias."""
    return Form({}, np.array(values, dtype=np.float64))


def stack(*forms: Form) -> Form:
    """The rows of several forms, one below the other."""
    slots = {slot: matrix.shape[1] for form in forms for slot, matrix in form.terms.items()}
    terms = {slot: np.concatenate([form.terms.get(slot, np.zeros((form.rows, width))) for form in forms]) for slot, width in slots.items()}
    return Form(terms, np.concatenate([form.constant for form in forms]))


def row(*values: Number) -> Array:
    """Numbers as a vector."""
    return np.array(values, dtype=np.float64)


def column(*values: Number) -> Array:
    """Numbers as a matrix of one column: a table with one number for each token, or weights of one form."""
    return np.array(values, dtype=np.float64)[:, None]
