"""A linear recurrence: C h_t, with h_t = A h_(t-1) + B x_t from h_0 = 0."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, join, side_by_side
from separatrix.checker.numbers.formats import Numbers

STEP = 4_000  # work of the calls of one step


@dataclass(frozen=True)
class LinearRnn(Recurrence):
    """`state` numbers beside a stream."""

    state: int

    def shapes(self, width: int) -> Shapes:
        return {"transition": (self.state, self.state), "drive": (self.state, width), "out": (width, self.state)}

    def prepared(self, w: Weights) -> Weights:
        """A and B side by side: each step is one linear form of (h, x), which an exact format stores once."""
        return {**w, "both": side_by_side(w["transition"], w["drive"])}

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (ops.zeros((*shape, self.state)),)

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        return (ops.linear(join([state[0], x], axis=-1), w["both"]),)

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:
        step = self.state * (self.state + width) * ops.cost(self.state + width)
        return n * (step + STEP) + readers * width * self.state * ops.cost(self.state)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * (n * (width + self.state) + self.state * (self.state + width))

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.state * bits
