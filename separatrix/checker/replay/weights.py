"""Attention weights of heads whose logits lie in intervals, whatever the input: each weight, and each weighted sum, between two numbers.

A weight rises with its own exponential and falls with the others: it is largest where its own logit is high and all others are low. A
program subtracts its own largest logit m, rounds the difference and takes exp; e^m is common to all and leaves the quotients as they are.
Exact formats are covered where no logit is open.
"""

from __future__ import annotations

import numpy as np

from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, times
from separatrix.checker.numbers.rounding import SLACK, gamma
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.replay.boxes import U64, Box, enclosed, summed
from separatrix.checker.replay.proof import Unproven

Ends = tuple[Array, Array]  # of sums that are not rounded yet


def weights(ops: Numbers, a: Box, visible: Array, scores: str, where: str) -> Box:
    """Bounds on the weights [readers, keys] of a head, from its logits and its mask."""
    low = np.where(visible, a.low, 0)
    if scores == "uniform" or np.array_equal(low, np.where(visible, a.high, 0)):
        return enclosed(ops.attention(Values(low), visible, scores))
    if isinstance(ops, Grid):
        raise Unproven(where, "a query or a key depends on the input, which is not bounded in exact formats")
    if scores == "hard":
        return _hard(a, visible)
    double = ops.double if isinstance(ops, SmallFloat) else ops
    assert isinstance(double, Float)
    weights_box = _softmax(double, a, visible)
    return Box(ops.rounded(weights_box.low), ops.rounded(weights_box.high)) if isinstance(ops, SmallFloat) else weights_box


def alike(ops: Numbers, count: int) -> Box:
    """The weight of each of `count` tokens if all are weighed equally, [1, 1]."""
    logits = np.zeros((1, count), dtype=np.int64 if isinstance(ops, Grid) else np.float64)
    return enclosed(ops.attention(Values(logits), None, "uniform"))[:, :1]


def sums(ops: Numbers, w: Box, v: Box) -> Ends:
    """The ends of the sums of v [keys, ..] with weights w >= 0, [readers, keys]."""
    if isinstance(ops, Grid):
        return product(w.low, v.low), product(w.low, v.high)  # weights are numbers there
    low = w.low @ np.maximum(v.low, 0) + w.high @ np.minimum(v.low, 0)
    return low, w.high @ np.maximum(v.high, 0) + w.low @ np.minimum(v.high, 0)


def products(ops: Numbers, w: Box, v: Box) -> Ends:
    """The ends of the products of weights w >= 0 and values, entry by entry."""
    if isinstance(ops, Grid):
        return times(v.low, w.low), times(v.high, w.low)
    return np.where(v.low >= 0, w.low, w.high) * v.low, np.where(v.high >= 0, w.high, w.low) * v.high


def together(ops: Numbers, one: Ends, other: Ends) -> Ends:
    """The ends of two sums in one."""
    if isinstance(ops, Grid):
        return plus(one[0], other[0]), plus(one[1], other[1])
    return one[0] + other[0], one[1] + other[1]


def stored(ops: Numbers, ends: Ends, size: Array, terms: int) -> Box:
    """A weighted sum of so many terms, of magnitudes `size` together, as the format has it."""
    if isinstance(ops, Grid):
        return Box(ops.store(ends[0], ops.f), ops.store(ends[1], ops.f))
    return summed(ops, ends[0], ends[1], np.broadcast_to(size, ends[0].shape), terms)


def _softmax(ops: Float, a: Box, visible: Array) -> Box:
    low, high = np.where(visible, a.low, -np.inf), np.where(visible, a.high, -np.inf)
    top, floor = high.max(axis=1, keepdims=True), low.max(axis=1, keepdims=True)  # the largest logit lies between
    off = np.where(visible, 4 * ops.u * (np.maximum(np.abs(a.high - floor), np.abs(a.low - top)) + (top - floor)), 0.0)
    most = np.where(visible, np.exp(high - top + off) * (1 + ops.function) + ops.tiny, 0.0)
    least = np.where(visible, np.maximum(np.exp(low - top - off) * (1 - ops.function) - ops.tiny, 0.0), 0.0)
    lost = gamma(a.shape[1] + 4, U64)
    above = np.maximum(most.sum(axis=1, keepdims=True) * (1 + lost) - most, 0.0)  # all others, at most and at least
    below = np.maximum(least.sum(axis=1, keepdims=True) * (1 - lost) - least, 0.0)
    quotient = (gamma(a.shape[1], ops.u) + 8 * ops.u) * SLACK  # of a program's own sum and quotient, and of those here
    smallest = np.where(least > 0, least / (least + above), 0.0) * (1 - quotient)
    return Box(np.maximum(smallest - ops.tiny, 0.0), np.where(visible, most / (most + below) * (1 + quotient) + ops.tiny, 0.0))


def _hard(a: Box, visible: Array) -> Box:
    """1 on the first largest; wherever another may be the largest for some program, the weights are open."""
    low, high = np.where(visible, a.low, -np.inf), np.where(visible, a.high, -np.inf)
    may = high >= low.max(axis=1, keepdims=True)
    alone = may.sum(axis=1) == 1
    most = may.astype(np.float64)
    return Box(np.where(alone[:, None], most, 0.0), most)
