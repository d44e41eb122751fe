"""A recurrence through ReLUs: C h_t, with h_t = W relu(A h_(t-1) + B x_t + b) from a stored h_0."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, join, side_by_side, stored
from separatrix.checker.numbers.formats import Numbers

STEP = 40_000  # work of the calls of one step


@dataclass(frozen=True)
class ReluRnn(Recurrence):
    """`state` numbers beside a stream, computed by `hidden` units."""

    state: int
    hidden: int

    def shapes(self, width: int) -> Shapes:
        k, m = self.state, self.hidden
        return {"transition": (m, k), "drive": (m, width), "bias": (m,), "back": (k, m), "initial": (k,), "out": (width, k)}

    def prepared(self, w: Weights) -> Weights:
        """A and B side by side: the units read one linear form of (h, x), which an exact format stores once."""
        return {**w, "both": side_by_side(w["transition"], w["drive"])}

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (stored(w["initial"], shape),)

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        units = ops.relu(ops.linear(join([state[0], x], axis=-1), w["both"], w["bias"]))
        return (ops.linear(units, w["back"]),)

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:
        k, m = self.state, self.hidden
        step = m * (k + width) * ops.cost(k + width) + k * m * ops.cost(m)
        return n * (step + STEP) + readers * width * k * ops.cost(k)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * (n * (width + self.state) + 2 * self.hidden * (self.state + width))

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.state * bits
