"""A gated linear recurrence: C h_t, with h_t = g(x_t) h_(t-1) + (B x_t + b) from a stored h_0, g(x) = A x + a, or its ReLU."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, stored
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.seal import Refused

STEP = 60_000  # work of the calls of one step
GATES = ("signed", "positive")


@dataclass(frozen=True)
class SelectiveRnn(Recurrence):
    """`state` numbers beside a stream."""

    state: int
    gates: str

    def refuse(self, where: str) -> None:
        if self.gates not in GATES:
            raise Refused(f"{where}.gates: expected one of {', '.join(GATES)}, found {self.gates!r:.80}")

    def shapes(self, width: int) -> Shapes:
        k = self.state
        return {"gate": (k, width), "gate_bias": (k,), "drive": (k, width), "drive_bias": (k,), "initial": (k,), "out": (width, k)}

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (stored(w["initial"], shape),)

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        gates = ops.linear(x, w["gate"], w["gate_bias"])
        kept = ops.product(ops.relu(gates) if self.gates == "positive" else gates, state[0])
        return (ops.add(kept, ops.linear(x, w["drive"], w["drive_bias"])),)

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:
        return n * (2 * self.state * width * ops.cost(width) + STEP) + readers * width * self.state * ops.cost(self.state)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * (n * (width + self.state) + 4 * self.state * (1 + width))

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.state * bits
