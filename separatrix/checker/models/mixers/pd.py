"""PD: C h_t, with h_t = P_x (clip(g x + b) h_(t-1)) + D x from a stored h_0; gates are cut off at -1 and 1.

Column q of P_x has its 1 where the mixture sum_k (w x)_k T_k of the tables is largest in that column; a tie within the error is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, stored, transposed
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.gates import clipped, one_a_column
from separatrix.checker.numbers.smooth import native
from separatrix.checker.seal import Refused

STEP = 100_000  # work of the calls of one step


@dataclass(frozen=True)
class Pd(Recurrence):
    """`state` numbers beside a stream, and so many tables."""

    state: int
    tables: int

    def shapes(self, width: int) -> Shapes:
        k, K = self.state, self.tables
        vectors = {"gate_bias": (k,), "initial": (k,)}
        return {"choice": (K, width), "tables": (K, k * k), "gate": (k, width), "drive": (k, width), "out": (width, k), **vectors}

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (stored(w["initial"], shape),)

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        floats = native(ops, "PD")
        kept = floats.product(clipped(floats, floats.linear(x, w["gate"], w["gate_bias"])), state[0])
        scores = floats.linear(floats.linear(x, w["choice"]), transposed(w["tables"]))
        P = one_a_column(scores.reshape(*scores.shape[:-1], self.state, self.state))
        if P is None:
            raise Refused("pd: two rows of a column are equally large, within the error of the arithmetic, or one may overflow")
        return (floats.add(floats.mix(P, kept[..., None])[..., 0], floats.linear(x, w["drive"])),)

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        linear = sum(math.prod(shape) for shape in self.shapes(width).values())
        return n * ((linear + 40 * self.state * self.state) * ops.cost(width) + STEP)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * (n * (width + self.state) + 10 * self.state * (self.state + width + 1))

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.state * bits
