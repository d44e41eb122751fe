"""By how much the right answer leads, whatever correct program computes the logits."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from separatrix.checker.numbers.boxes import Box, linear
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, shifted
from separatrix.checker.numbers.rounding import SLACK, U64, gamma
from separatrix.checker.numbers.values import Array, Values

Margin = Fraction | float
TARGETS = 1024  # up to which every pair of targets is compared
LOGITS = 1 << 22  # that are computed together


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


def leads_of(ops: Numbers, logits: Box, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of logits; in the units of the format."""
    rows, rivals = np.arange(len(answers)), logits.high.copy()
    rivals[rows, answers] = logits.low.min() - 1 if ops.exact else -math.inf
    return np.asarray(logits.low[rows, answers].astype(object if ops.exact else np.float64) - rivals.max(axis=1))


def leads(ops: Numbers, x: Box, w: Array, bias: Array | None, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of the stream before the read-out; in the units of the format.

    Two logits are two linear forms of the same numbers, so their difference is bounded as one form, and by the two boxes alone.
    """
    rows = max(1, LOGITS // len(w))
    blocks = [slice(first, first + rows) for first in range(0, len(answers), rows)]
    least = np.concatenate([leads_of(ops, linear(ops, x[block], w, bias), answers[block]) for block in blocks])
    if len(w) > TARGETS or x.point:
        return least
    for answer in np.unique(answers):
        mine = np.flatnonzero(answers == answer)
        least[mine] = np.maximum(least[mine], _difference(ops, x[mine], w, bias, int(answer)))
    return least


def _difference(ops: Numbers, x: Box, w: Array, bias: Array | None, answer: int) -> Array:
    """The least of (w_answer - w_rival) x over all rivals, less the error of storing both."""
    others = np.delete(np.arange(len(w)), answer)
    offset = 0 if bias is None else bias[answer] - bias[others]
    apart = plus(w[answer][None], -w[others])
    low = plus(product(x.low, np.maximum(apart, 0).T), product(x.high, np.minimum(apart, 0).T))
    low = plus(low, shifted(np.asarray(offset), ops.f))
    if ops.exact:
        size = product(x.reach, np.abs(w).T).max() + (0 if bias is None else int(np.abs(bias).max()) << ops.f)
        if int(size) >> ops.f >= ops.high:  # a logit may be clamped
            return np.full(len(x.low), -(1 << 62), dtype=object)
        lost = 0 if ops.floors else 1  # floors of two numbers differ by the floor at least
        return np.asarray((low >> ops.f).min(axis=1).astype(object) - lost)
    size = x.reach @ (np.abs(w[answer]) + np.abs(w[others])).T + (0 if bias is None else np.abs(bias[answer]) + np.abs(bias[others]))
    terms = w.shape[1] + 1
    lost = gamma(terms if ops.free else 1, ops.u) * size + 2 * terms * ops.tiny + gamma(2 * terms + 8, U64) * size
    return np.asarray((low - lost * SLACK).min(axis=1))


def margin_of(ops: Numbers, lead: Array) -> Fraction | float:
    """The least of them, as a number."""
    least = lead.min()
    return Fraction(int(least), ops.scale) if ops.exact else float(least) * (1 - 2.0**-50)


def shown(ops: Numbers, x: object) -> str:
    """A number of the format in a message."""
    value = float(x) / ops.scale if ops.scale is not None else float(x)  # type: ignore[arg-type]
    return f"{value:.4g}"
