"""Shared by LSTM, GRU and Elman networks: a cell that reads one token after another, with torch's weights under torch's names.

kernel.weight_ih_l0 [gates width, width]   kernel.weight_hh_l0 [gates width, width]   kernel.bias_ih_l0   kernel.bias_hh_l0

What a gate sees, W x + U h + b + b', is one sum, in whatever order a program adds it up: torch's own LSTM begins with b + b' in float32.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, constant, join, side_by_side
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import native

STEP = 20_000  # work of the calls of one step


@dataclass(frozen=True)
class Cell(Recurrence):
    """A cell with `gates` gates; its state is `vectors` vectors of the stream's width, the first of which is the output."""

    title: ClassVar[str]
    gates: ClassVar[int]
    vectors: ClassVar[int] = 1
    held: ClassVar[int]  # numbers of each token and coordinate that a run holds at once

    @abstractmethod
    def step(self, ops: Float, w: Weights, sums: Box, x: Box, state: State) -> State:
        """The next state, from W x + U h + b + b' of the `summed` gates, the token and the old one."""

    @property
    def summed(self) -> int:
        """Gates, the first ones, that see one sum."""
        return self.gates

    def shapes(self, width: int) -> Shapes:
        matrix, bias = (self.gates * width, width), (self.gates * width,)
        return {"kernel.weight_ih_l0": matrix, "kernel.weight_hh_l0": matrix, "kernel.bias_ih_l0": bias, "kernel.bias_hh_l0": bias}

    def prepared(self, w: Weights) -> Weights:
        """W, U, b and b' side by side."""
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        parts = [w[f"kernel.{name}"] for name in names]
        rows = self.summed * parts[0].shape[1]
        return {**w, "all": side_by_side(*(part[:rows].reshape(rows, -1) for part in parts))}

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (constant((*shape, width)),) * self.vectors

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        floats = native(ops, self.title)
        ones = constant((*x.shape[:-1], 2), 1.0)
        return self.step(floats, w, floats.linear(join([x, state[0], ones], axis=-1), w["all"]), x, state)

    def output(self, ops: Numbers, w: Weights, state: State) -> Box:  # noqa: ARG002
        return state[0]

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        return n * (2 * self.gates * width * (width + 20) * ops.cost(width) + STEP)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return self.held * n * width

    def state_bits(self, width: int, bits: int) -> int | None:
        return self.vectors * width * bits
