"""Boxes in exact formats: ends are integers, and since every rounding is monotone, the ends of a result are those of its operands, rounded.

A hidden unit is floor((c X + b 2^f) / 2^f), or the nearest integer, for an integer form X of the stream. Where c is a multiple of 2^f
nothing is rounded, and a sum of such units is piecewise linear in X; elsewhere each may be off by one unit of the format.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from separatrix.checker.models.mixers import Weights
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.integers import narrow, plus, product, shifted, times
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.rules.box import Box, Boxes, Sum
from separatrix.checker.rules.directions import Direction, by_output, whole_directions
from separatrix.checker.rules.proof import Unproven


class GridBoxes(Boxes):
    """Boxes of `fixed:p,f` and `nearest:p`."""

    def __init__(self, ops: Grid) -> None:
        self.ops: Grid = ops
        self.one = ops.scale
        self._directions: dict[int, tuple[Array, list[Direction]]] = {}

    def of(self, x: Values) -> Box:
        return Box(x.value, x.value)

    def linear(self, x: Box, weight: Array, bias: Array | None = None) -> Box:
        if x.exact:
            return self.of(self.ops.linear(Values(x.low), weight, bias))
        low, high = self._form(x, weight)
        if bias is not None:
            low, high = (plus(end, shifted(bias, self.ops.f)) for end in (low, high))
        return self._stored(low, high, self.ops.f)

    def add(self, x: Box, y: Box) -> Box:
        low = self.ops.clamped(plus(x.low, y.low))
        return Box(low, low if x.exact and y.exact else self.ops.clamped(plus(x.high, y.high)))

    def relu_part(self, w: Weights, y: Box) -> Box:
        f, inner, outer = self.ops.f, w["inner"], w["outer"]
        bias = w["inner_bias"] if "inner_bias" in w else np.zeros(len(inner), dtype=np.int64)
        low = high = np.zeros((len(y), len(outer)), dtype=object)
        if "outer_bias" in w:
            low = high = low + w["outer_bias"].astype(object) * (1 << f)
        for direction in self._grouped(inner):
            least, most = self._form(y, direction.form[None])
            ends = self._bent(least[:, 0].astype(object), most[:, 0].astype(object), direction, bias, outer)
            low, high = low + ends[0], high + ends[1]
        return self._stored(low, high, f).closed()

    def logits(self, q: Box, k: Box, where: str) -> Box:
        if not (q.closed().exact and k.closed().exact):
            raise Unproven(where, "what a token asks or shows depends on symbols, which exact formats are not bounded for")
        return self.of(self.ops.logits(Values(q.low), Values(k.low)))

    def attention(self, a: Box, visible: Array, kind: str) -> Box:
        return self.of(self.ops.attention(Values(a.low), visible, kind))

    def uniform(self, count: int) -> Box:
        w = narrow(np.array([[self.ops.ratio(self.ops.scale, count)]], dtype=object))
        return Box(w, w)

    def sums(self, w: Box, v: Box) -> Sum:
        low = product(w.low, v.low)
        return Sum(low, low if v.exact else product(w.low, v.high), low)

    def weighted(self, w: Box, v: Box) -> Box:
        low = times(w.low, v.low)
        return Box(low, low if v.exact else times(w.low, v.high))

    def plus(self, x: Array, y: Array) -> Array:
        return plus(x, y)

    def mixed(self, total: Sum, terms: int) -> Box:  # noqa: ARG002
        return self._stored(total.low, total.high, self.ops.f)

    def lead(self, logits: Box, targets: Array) -> Fraction:
        rows = np.arange(len(targets))
        others = np.ones(logits.shape, dtype=bool)
        others[rows, targets] = False
        rivals = np.where(others, logits.high, logits.high.min() - 1).max(axis=1)
        return Fraction(int((logits.low[rows, targets].astype(object) - rivals.astype(object)).min()), self.ops.scale)

    # -- how it is done ------------------------------------------------------------------------------------------------------------

    def _form(self, x: Box, weight: Array) -> tuple[Array, Array]:
        """The ends of x times the transposed weight, exactly."""
        up, down = np.maximum(weight, 0).T, np.minimum(weight, 0).T
        if x.exact:
            both = product(x.low, weight.T)
            return both, both
        return plus(product(x.low, up), product(x.high, down)), plus(product(x.high, up), product(x.low, down))

    def _bent(self, low: Array, high: Array, direction: Direction, bias: Array, outer: Array) -> tuple[Array, Array]:
        """Least and most of sum_u outer_u relu(unit_u(X)) over the integers X in [low, high], for each row and output."""
        f, top = self.ops.f, self.ops.high
        least, most = (np.zeros((len(low), len(outer)), dtype=object) for _ in range(2))
        factor: dict[int, Any] = dict(zip(direction.units, direction.factors, strict=True))
        for output, units in by_output(outer, direction.units).items():
            bends = []  # where a unit begins, and where it meets the end of the format; the integers on either side of each
            for u in units:
                for level in (0, top) if factor[u] else ():
                    at = Fraction((level - int(bias[u])) << f, factor[u])
                    bends += [at.numerator // at.denominator, -(-at.numerator // at.denominator)]
            ends = [low, high, *(np.minimum(np.maximum(low, at), high) for at in bends)]
            values = [np.sum([int(outer[output, u]) * self._unit(X, factor[u], int(bias[u])) for u in units], axis=0) for X in ends]
            off = sum(2 * abs(int(outer[output, u])) for u in units if factor[u] % (1 << f))
            least[:, output], most[:, output] = np.minimum.reduce(values) - off, np.maximum.reduce(values) + off
        return least, most

    def _unit(self, X: Array, factor: int, bias: int) -> Array:
        """relu of one unit, as the format has it."""
        return np.maximum(self.ops.store(X * factor + (bias << self.ops.f), self.ops.f), 0).astype(object)

    def _stored(self, low: Array, high: Array, bits: int) -> Box:
        stored = self.ops.store(low, bits)
        return Box(stored, stored if low is high else self.ops.store(high, bits))

    def _grouped(self, inner: Array) -> list[Direction]:
        known = self._directions.get(id(inner))
        if known is None or known[0] is not inner:
            known = self._directions[id(inner)] = (inner, whole_directions(inner))
        return known[1]
