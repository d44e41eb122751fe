"""What a program answers, and by how much its answer leads, whatever correct program computes the logits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.values import Array, Values

Margin = Fraction | float


def first_largest(logits: Values) -> Array:
    """The first of the largest in every row, as they were computed."""
    return np.asarray(logits.value.argmax(axis=-1))


def lead(ops: Numbers, logits: Values, targets: Array) -> Margin:
    """The least amount by which the logit of each target exceeds every other, for every program: [rows, targets]. A lone one has none."""
    rows = np.arange(len(targets))
    if logits.shape[-1] == 1:
        return Fraction(0)
    others = np.ones(logits.shape, dtype=bool)
    others[rows, targets] = False
    if ops.scale is not None:
        rivals = np.where(others, logits.value, logits.value.min() - 1).max(axis=-1)
        return Fraction(int((logits.value[rows, targets].astype(object) - rivals.astype(object)).min()), ops.scale)
    error = logits.errors
    rivals = np.where(others, logits.value + 2 * error, -np.inf).max(axis=-1)
    return float((logits.value[rows, targets] - 2 * error[rows, targets] - rivals).min())


def nearest(ops: Numbers, y: Values, targets: Array) -> tuple[Array, Margin]:
    """The nearest integers, and the least distance to one half from those that are due."""
    if ops.scale is not None:
        exact = [[Fraction(int(v), ops.scale) for v in row] for row in y.value]
        chosen = np.array([[round(v) for v in row] for row in exact], dtype=np.int64)
        off: Margin = max(abs(v - int(t)) for row, wanted in zip(exact, targets, strict=True) for v, t in zip(row, wanted, strict=True))
        return chosen, Fraction(1, 2) - off
    return np.rint(y.value).astype(np.int64), float((0.5 - (np.abs(y.value - targets) + 2 * y.errors)).min())


def beyond_half(ops: Numbers, y: Values, expected: Array) -> Margin:
    """By how much some coordinate is further than one half from the integer that is due, whatever correct program computes it."""
    if ops.scale is not None:
        return max(abs(Fraction(int(v), ops.scale) - int(t)) for v, t in zip(y.value[0], expected, strict=True)) - Fraction(1, 2)
    return float((np.abs(y.value[0] - expected) - 2 * y.errors[0]).max()) - 0.5
