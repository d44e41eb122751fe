"""What is known of a slot of the stream: where its true value lies, and how far the computed one may be off.

Every coordinate has its own interval and error. Values here are in real arithmetic; the rounding of a number format is accounted for
where a head's share of attention is derived.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.forms import Array, Form
from separatrix.constructions.gadgets import Gadget, Part


@dataclass(frozen=True, eq=False)
class Known:
    """The true value lies in [low, high]; the computed one is off by at most `error`. One number for each coordinate."""

    low: Array
    high: Array
    error: Array

    def __add__(self, other: Known) -> Known:
        return Known(self.low + other.low, self.high + other.high, self.error + other.error)

    @property
    def size(self) -> Array:
        """The largest magnitude that may be computed."""
        return np.maximum(np.abs(self.low), np.abs(self.high)) + self.error

    @property
    def off(self) -> float:
        """The largest error of any coordinate."""
        return float(self.error.max()) if len(self.error) else 0.0


def exactly(low: Array, high: Array) -> Known:
    """An exact value between two bounds."""
    return Known(low, high, np.zeros_like(low))


def between(low: float, high: float, width: int) -> Known:
    """An exact value, every coordinate between the same bounds."""
    return exactly(np.full(width, low, dtype=np.float64), np.full(width, high, dtype=np.float64))


def of_form(form: Form, slots: Mapping[str, Known]) -> Known:
    """What is known of every row of a linear form."""
    low, high, error = form.constant, form.constant, np.zeros_like(form.constant)
    for slot, matrix in form.terms.items():
        about, positive, negative = slots[slot], np.maximum(matrix, 0), np.minimum(matrix, 0)
        low = low + _dot(positive, about.low) + _dot(negative, about.high)
        high = high + _dot(positive, about.high) + _dot(negative, about.low)
        error = error + _dot(np.abs(matrix), about.error)
    return Known(low, high, error)


def read_with(value: Known, leak: float) -> Known:
    """What a head reads if its weight off the intended place is at most `leak`: the rest is anything within the range."""
    return Known(value.low, value.high, value.error + _scaled(value.high - value.low + 2 * value.error, leak))


def through(matrix: Array, known: Known) -> Known:
    """What is known of `matrix @ x`."""
    return of_form(Form({"x": matrix}, np.zeros(len(matrix))), {"x": known})


def logit_error(query: Known, key: Known) -> float:
    """How far a dot product may be off."""
    return float((_product(query.size, key.error) + _product(key.size, query.error)).sum())


def of_gadget(gadget: Gadget, slots: Mapping[str, Known]) -> Known:
    """What is known of a gadget's outputs: exact where its inputs are, or where they are off by no more than it tolerates."""
    parts = [_of_part(part, slots) for part in gadget.parts]
    total = exactly(gadget.constant, gadget.constant)
    for part in parts:
        total = total + part
    low = total.low if gadget.low is None else np.full_like(gadget.constant, gadget.low)
    high = total.high if gadget.high is None else np.full_like(gadget.constant, gadget.high)
    if gadget.chooses is not None:
        chosen = of_form(gadget.chooses, slots)
        low, high = np.minimum(chosen.low, 0), np.maximum(chosen.high, 0)
    inputs = [of_form(form, slots) for form in gadget.inputs]
    if gadget.tolerance > 0 or not any(known.off for known in inputs):
        return Known(low, high, np.full_like(low, gadget.approximation))
    error = total.error if gadget.slope is None else np.full_like(low, gadget.slope * max(known.off for known in inputs))
    return Known(low, high, error + gadget.approximation)


def of_address(address: AddressWeights, first: int, last: int, matrix: Array, gates: Array) -> Known:
    """What is known of an address of the integers first .. last through a matrix, where tokens multiply it by one of the gates."""
    low, high = np.full(address.dims, -1.0), np.full(address.dims, 1.0)
    if address.kind == "quadratic":
        least = 0 if first <= 0 <= last else min(first**2, last**2)
        low, high = np.array([first, least], dtype=np.float64), np.array([last, max(first**2, last**2)], dtype=np.float64)
    elif address.kind == "table" and address.stored is not None:
        low, high = address.stored.min(axis=0).astype(np.float64), address.stored.max(axis=0).astype(np.float64)
    elif address.kind == "one-hot":
        low = np.zeros(address.dims)
    positive, negative = np.maximum(matrix.T, 0), np.minimum(matrix.T, 0)
    ends = positive @ low + negative @ high, positive @ high + negative @ low
    reached = np.stack([gate * end for gate in (gates.min(), gates.max()) for end in ends])  # the hull: a gate in between lies within
    return exactly(reached.min(axis=0), reached.max(axis=0))


def of_vectors(table: Array, ends: Sequence[tuple[float, float]]) -> Known:
    """What is known of an input vector through the rows of a table, one for each of its coordinates."""
    low, high = (np.array(side, dtype=np.float64) for side in zip(*ends, strict=True))
    return through(table.T, exactly(low, high))


def _of_part(part: Part, slots: Mapping[str, Known]) -> Known:
    """matrix @ (relu(form) * gate)."""
    form = of_form(part.form, slots)
    unit = Known(np.maximum(form.low, 0), np.maximum(form.high, 0), form.error)
    if part.gate is not None:
        gate = of_form(part.gate, slots)
        ends = np.stack(
            [_product(unit.low, gate.low), _product(unit.low, gate.high), _product(unit.high, gate.low), _product(unit.high, gate.high)]
        )
        unit = Known(ends.min(axis=0), ends.max(axis=0), _product(unit.size, gate.error) + _product(gate.size, unit.error))
    positive, negative = np.maximum(part.matrix, 0), np.minimum(part.matrix, 0)
    return Known(
        _dot(positive, unit.low) + _dot(negative, unit.high),
        _dot(positive, unit.high) + _dot(negative, unit.low),
        _dot(np.abs(part.matrix), unit.error),
    )


def _dot(matrix: Array, vector: Array) -> Array:
    total: Array = _product(matrix, vector).sum(axis=1)
    return total


def _scaled(x: Array, factor: float) -> Array:
    return np.zeros_like(x) if factor == 0 else x * factor


def _product(x: Array, y: Array) -> Array:
    """Products with 0 times infinity = 0: what is not read does not matter."""
    with np.errstate(invalid="ignore"):
        return np.where((x == 0) | (y == 0), 0.0, x * y)
