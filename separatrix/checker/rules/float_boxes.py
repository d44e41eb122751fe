"""Boxes in float64 and float32.

Notation   [l, h]  what any program may have         c, r   middle and half-width        Y = max(|l|, |h|)
           u       unit roundoff of the format       gamma  what sums of so many terms may lose, relative to their magnitudes

Each bound counts the rounding of a program of the format, that of the float64 arithmetic here, and a few units for middle and half-width.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from separatrix.checker.models.description import FeedForward
from separatrix.checker.models.feedforward import feedforward
from separatrix.checker.models.mixers import Weights
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.rounding import SLACK, gamma
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.rules.box import Box, Boxes, Sum
from separatrix.checker.rules.directions import Direction, by_output, float_directions
from separatrix.checker.rules.proof import Unproven

MORE = 24  # terms that stand for the few further operations on the way
OWN = 2.0**-53  # unit roundoff of the arithmetic here
PLAIN = FeedForward(0, "relu", True)  # sizes do not matter to the forward pass


class FloatBoxes(Boxes):
    """Boxes of a float of the machine."""

    one = 1.0

    def __init__(self, ops: Float) -> None:
        self.ops: Float = ops
        self._directions: dict[int, tuple[Array, list[Direction]]] = {}

    def of(self, x: Values) -> Box:
        if x.error is None:
            return Box(x.value, x.value)
        return self._around(x.value, 2 * x.error)

    def linear(self, x: Box, weight: Array, bias: Array | None = None) -> Box:
        if x.exact:
            return self.of(self.ops.linear(Values(x.low), weight, bias))
        size_of, terms = np.abs(weight), weight.shape[1] + MORE
        c, r = _middle(x)
        y, size = c @ weight.T, x.reach @ size_of.T
        if bias is not None:
            y, size = y + bias, size + np.abs(bias)
        return self._around(y, r @ size_of.T + self._lost(terms, size), size)

    def add(self, x: Box, y: Box) -> Box:
        if x.exact and y.exact:
            return self.of(self.ops.add(Values(x.low), Values(y.low)))
        size = x.reach + y.reach
        (c, r), (d, s) = _middle(x), _middle(y)
        return self._around(c + d, r + s + self._lost(MORE, size), size)

    def relu_part(self, w: Weights, y: Box) -> Box:
        inner, outer = w["inner"], w["outer"]
        b1, b2 = w.get("inner_bias", np.zeros(len(inner))), w.get("outer_bias", np.zeros(len(outer)))
        if y.exact:
            return self.of(feedforward(PLAIN, w, self.ops, Values(y.low)))
        reach, (c, r) = y.reach, _middle(y)
        total = (reach @ np.abs(inner).T + np.abs(b1)) @ np.abs(outer).T + np.abs(b2)
        low, high = np.tile(b2, (len(y), 1)), np.tile(b2, (len(y), 1))
        directions = self._grouped(inner)
        forms = np.stack([direction.form for direction in directions], axis=1)
        x, wide = c @ forms, (r + gamma(len(forms) + MORE, OWN) * reach) @ np.abs(forms)
        ends = x - wide, x + wide
        for i, direction in enumerate(directions):
            for output, least, most in _bent(ends[0][:, i], ends[1][:, i], direction, b1, outer):
                low[:, output] += least
                high[:, output] += most
        # relu does not widen what a hidden unit is off; sums of hidden units are rounded once more
        off = self._lost(inner.shape[1] + len(inner) + 2 * MORE, total)
        return self._finite(Box(low - off, high + off), total)

    def logits(self, q: Box, k: Box, where: str) -> Box:  # noqa: ARG002
        if q.exact and k.exact:
            return self.of(self.ops.logits(Values(q.low), Values(k.low)))
        (c, r), (d, s) = _middle(q), _middle(k)
        size = q.reach @ k.reach.T
        wide = np.abs(c) @ s.T + r @ np.abs(d).T + r @ s.T
        return self._around(c @ d.T, wide + self._lost(q.shape[1] + MORE, size), size)

    def attention(self, a: Box, visible: Array, kind: str) -> Box:
        if kind == "uniform":
            count = visible.sum(axis=1, keepdims=True)
            return self._weights(visible / count, visible / count)
        if kind == "hard":
            return self._hard(a, visible)
        return self._softmax(a, visible)

    def uniform(self, count: int) -> Box:
        w = np.full((1, 1), 1 / count)
        return Box(w, w) if count & (count - 1) == 0 else self._weights(w, w)

    def sums(self, w: Box, v: Box) -> Sum:
        up, down = np.maximum, np.minimum
        low = w.low @ up(v.low, 0) + w.high @ down(v.low, 0)
        high = w.high @ up(v.high, 0) + w.low @ down(v.high, 0)
        return Sum(low, high, w.high @ v.reach)

    def weighted(self, w: Box, v: Box) -> Box:
        return Box(np.where(v.low >= 0, w.low, w.high) * v.low, np.where(v.high >= 0, w.high, w.low) * v.high)

    def plus(self, x: Array, y: Array) -> Array:
        return np.asarray(x + y)

    def mixed(self, total: Sum, terms: int) -> Box:
        off = self._lost(terms + MORE, total.size)
        return self._finite(Box(total.low - off, total.high + off), total.size)

    def lead(self, logits: Box, targets: Array) -> float:
        rows = np.arange(len(targets))
        rivals = logits.high.copy()
        rivals[rows, targets] = -np.inf
        return float(np.nextafter((logits.low[rows, targets] - rivals.max(axis=1)).min(), -np.inf))

    # -- how it is done ------------------------------------------------------------------------------------------------------------

    def _softmax(self, a: Box, seen: Array) -> Box:
        """As in the forward pass: a weight is largest where its own exponential is high and all others are low.

        A program subtracts its own largest logit m, rounds the difference, and takes exp; e^m is common to all and leaves the quotients.
        """
        ops = self.ops
        low, high = np.where(seen, a.low, -np.inf), np.where(seen, a.high, -np.inf)
        top, floor = high.max(axis=1, keepdims=True), low.max(axis=1, keepdims=True)  # m lies between
        with np.errstate(invalid="ignore"):
            lost = 4 * ops.u * np.where(seen, np.maximum(np.abs(a.high - floor), np.abs(a.low - top)) + (top - floor), 0.0)
        most = np.where(seen, np.exp(high - top + lost) * (1 + ops.function) + ops.tiny, 0.0)
        least = np.where(seen, np.maximum(np.exp(low - top - lost) * (1 - ops.function) - ops.tiny, 0.0), 0.0)
        sums = gamma(a.shape[1] + MORE, OWN)
        above = np.maximum(most.sum(axis=1, keepdims=True) * (1 + sums) - most, 0.0)
        below = np.maximum(least.sum(axis=1, keepdims=True) * (1 - sums) - least, 0.0)
        return self._weights(np.where(least > 0, least / (least + above), 0.0), most / (most + below), a.shape[1])

    def _hard(self, a: Box, seen: Array) -> Box:
        """1 on the first largest; wherever another may be the largest for some program, the weights are open."""
        low, high = np.where(seen, a.low, -np.inf), np.where(seen, a.high, -np.inf)
        floor, rows = low.max(axis=1, keepdims=True), np.arange(len(low))
        may = high >= floor
        first = high.argmax(axis=1)
        ties = (low == high) & (high == floor)  # exact and equal: the first of them is taken
        sure = (may == ties).all(axis=1) | (may.sum(axis=1) == 1)
        least, most = np.zeros(a.shape), may.astype(np.float64)
        least[rows[sure], first[sure]] = 1.0
        most[sure] = least[sure]
        return Box(least, most)

    def _weights(self, low: Array, high: Array, terms: int = 1) -> Box:
        """Weights after the rounding of a program's own sum and quotient."""
        lost = (gamma(terms, self.ops.u) + 8 * self.ops.u) * SLACK
        return Box(low * (1 - lost), np.where(high > 0, high * (1 + lost) + self.ops.tiny, 0.0))

    def _lost(self, terms: int, size: Array) -> Array:
        """What rounding may take from sums of so many terms, by a program and here; nothing where all terms are 0."""
        return np.asarray(np.where(size > 0, (2 * gamma(terms, self.ops.u) * size + terms * self.ops.tiny) * SLACK, 0.0))

    def _around(self, middle: Array, wide: Array, size: Array | None = None) -> Box:
        wide = wide + 4 * OWN * (np.abs(middle) + wide)
        return self._finite(Box(middle - wide, middle + wide), middle if size is None else size)

    def _finite(self, box: Box, size: Array) -> Box:
        if not (np.isfinite(box.low).all() and np.isfinite(box.high).all() and float(np.abs(size).max(initial=0)) < self.ops.largest):
            raise Unproven("arithmetic", f"a number may leave the range of {self.ops.name}, or its error is not bounded")
        return box

    def _grouped(self, inner: Array) -> list[Direction]:
        known = self._directions.get(id(inner))
        if known is None or known[0] is not inner:
            known = self._directions[id(inner)] = (inner, float_directions(inner))
        return known[1]


def _middle(x: Box) -> tuple[Array, Array]:
    """Middle and half-width; the half-width reaches both ends."""
    c = x.low / 2 + x.high / 2
    return c, np.maximum(x.high - c, c - x.low) * (1 + 4 * OWN)


def _bent(low: Array, high: Array, direction: Direction, bias: Array, outer: Array) -> Iterator[tuple[int, Array, Array]]:
    """Each output that some unit reaches, with least and most of sum_u outer_u relu(c_u x + b_u) over x in [low, high] for each row."""
    factor: dict[int, Any] = dict(zip(direction.units, direction.factors, strict=True))
    points = {u: np.clip(-bias[u] / factor[u], low, high) for u in direction.units if factor[u]}
    hidden = {u: {v: np.maximum(factor[u] * x + bias[u], 0) for v, x in ((-1, low), (-2, high), *points.items())} for u in direction.units}
    for output, units in by_output(outer, direction.units).items():
        at = (-1, -2, *(u for u in units if factor[u]))
        values = [sum(outer[output, u] * hidden[u][v] for u in units) for v in at]
        yield output, np.minimum.reduce(values), np.maximum.reduce(values)
