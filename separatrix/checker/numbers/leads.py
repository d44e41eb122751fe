"""What a program answers, and by how much its answer leads, whatever correct program computes the logits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box, known
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, shifted
from separatrix.checker.numbers.rounding import SLACK, U64, gamma

Margin = Fraction | float
TARGETS = 1024  # up to which every pair of targets is compared
LOGITS = 1 << 22  # that are computed together
MOST = Fraction(2**1024 - 2**971)  # the largest float64; two numbers of fixed:1024,0 may lie further apart


def leads_of(ops: Numbers, logits: Box, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of logits; in the units of the format."""
    rows, rivals = np.arange(len(answers)), np.array(logits.high, dtype=np.result_type(logits.low, logits.high))
    rivals[rows, answers] = logits.low.min() - 1 if ops.exact else -math.inf
    own, most = logits.low[rows, answers], rivals.max(axis=1)
    if ops.exact:
        return np.asarray(own.astype(object) - most)
    apart = own - most
    exact = (own - apart == most) & (most + apart == own)  # of these, one was computed without rounding
    return np.asarray(np.where(exact, apart, np.nextafter(apart, -np.inf)))


def leads(ops: Numbers, x: Box, w: Array, bias: Array | None, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of the stream before the read-out; in the units of the format.

    Two logits are two linear forms of the same numbers, so their difference is bounded as one form, and by the two boxes alone.
    """
    rows = max(1, LOGITS // len(w))
    blocks = [slice(first, first + rows) for first in range(0, len(answers), rows)]
    least = np.concatenate([leads_of(ops, known(ops.linear(x[block], w, bias)), answers[block]) for block in blocks])
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
        most = int(product(x.reach, np.abs(w).T).max()) + (0 if bias is None else int(np.abs(bias).max()) << ops.f)
        if most >> ops.f >= ops.high:  # a logit may be clamped
            return np.full(len(x.low), ops.low - ops.high, dtype=object)
        lost = 0 if ops.floors else 1  # floors of two numbers differ by the floor at least
        return np.asarray((low >> ops.f).min(axis=1).astype(object) - lost)
    size = x.reach @ (np.abs(w[answer]) + np.abs(w[others])).T + (0 if bias is None else np.abs(bias[answer]) + np.abs(bias[others]))
    terms = w.shape[1] + 1
    lost = gamma(terms if ops.free else 1, ops.u) * size + 2 * terms * ops.tiny + gamma(2 * terms + 8, U64) * size
    return np.asarray((low - lost * SLACK).min(axis=1))


def margin_of(ops: Numbers, lead: Array) -> Margin:
    """The least of them, as a number."""
    least = lead.min()
    return _exactly(ops, least) if ops.exact else float(least) * (1 - 2.0**-50)


def shown(ops: Numbers, x: object) -> str:
    """A number of the format in a message."""
    value = float(_exactly(ops, x)) if ops.exact else float(x)  # type: ignore[arg-type]
    return f"{value:.4g}"


def first_largest(logits: Box) -> Array:
    """The first of the largest in every row, as they were computed."""
    return np.asarray(logits.middle.argmax(axis=-1))


def lead(ops: Numbers, logits: Box, targets: Array) -> Margin:
    """The least amount by which the logit of each target exceeds every other, for every program: [rows, targets]. A lone one has none."""
    if logits.shape[-1] == 1:
        return Fraction(0)
    least = leads_of(ops, logits, targets).min()
    return _exactly(ops, least) if ops.exact else float(least)


def nearest(ops: Numbers, y: Box, targets: Array) -> tuple[Array, Margin]:
    """The nearest integers, and the least distance to one half from those that are due."""
    low, high = y.reshape(-1).fractions(ops.scale or 1)
    off = max(max(abs(v - t), abs(w - t)) for v, w, t in zip(low, high, targets.ravel().tolist(), strict=True))
    chosen = np.array([round((v + w) / 2) for v, w in zip(low, high, strict=True)], dtype=np.int64).reshape(y.shape)
    return chosen, _shown_as(ops, Fraction(1, 2) - off)


def beyond_half(ops: Numbers, y: Box, expected: Array) -> Margin:
    """By how much some coordinate is further than one half from the integer that is due, whatever correct program computes it."""
    low, high = y[0].fractions(ops.scale or 1)
    return _shown_as(ops, max(max(v - t, t - w) for v, w, t in zip(low, high, expected.tolist(), strict=True)) - Fraction(1, 2))


def _exactly(ops: Numbers, lead: Any) -> Fraction:
    """Units of an exact format as a number, no larger than a float64."""
    return max(-MOST, min(MOST, Fraction(int(lead), ops.scale)))


def _shown_as(ops: Numbers, margin: Fraction) -> Margin:
    """A fraction in exact formats, in floats a float that is no larger."""
    near = float(margin)
    return margin if ops.exact else near if Fraction(near) <= margin else math.nextafter(near, -math.inf)
