"""By how much the right answer leads on boxes, whatever correct program computes the logits."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from separatrix.checker.numbers.boxes import Box, linear
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, shifted
from separatrix.checker.numbers.rounding import SLACK, U64, gamma
from separatrix.checker.numbers.values import Array

TARGETS = 1024  # up to which every pair of targets is compared
LOGITS = 1 << 22  # that are computed together


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
