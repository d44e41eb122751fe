"""Rank-one factors: C h_t, with h <- h - a_j (b_j . h) for j = 1 .. F and then h + D x_t, from a stored h_0; a_j = A_j x, b_j = B_j x."""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, constant, stored
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import native

STEP = 100_000  # work of the calls of one step


@dataclass(frozen=True)
class RankOne(Recurrence):
    """`state` numbers beside a stream, `factors` a token."""

    state: int
    factors: int

    def shapes(self, width: int) -> Shapes:
        k, F = self.state, self.factors
        return {"moved": (F * k, width), "read": (F * k, width), "drive": (k, width), "initial": (k,), "out": (width, k)}

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (stored(w["initial"], shape),)

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        floats, k = native(ops, "rank-one"), self.state
        a, b = floats.linear(x, w["moved"]), floats.linear(x, w["read"])
        h, minus = state[0], constant((1, k), -1.0).low
        for j in range(self.factors):
            shown = floats.linear(floats.product(b.columns(j * k, k), h), minus)  # -(b . h)
            h = floats.add(h, floats.product(a.columns(j * k, k), shown))
        return (floats.add(h, floats.linear(x, w["drive"])),)

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        linear = sum(math.prod(shape) for shape in self.shapes(width).values())
        return n * ((linear + 40 * self.factors * self.state) * ops.cost(width) + self.factors * STEP)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * (n * (width + self.state) + 6 * (self.factors + 1) * self.state * (1 + width))

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.state * bits
