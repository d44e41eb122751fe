"""Long short-term memory: i, f, g, o from W x + U h + b; c' = sigma(f) c + sigma(i) tanh(g), h' = sigma(o) tanh(c')."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.cells import Cell
from separatrix.checker.models.mixers.recurrence import State
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.smooth import sigmoid, tanh


@dataclass(frozen=True)
class Lstm(Cell):
    """One layer; the state is (h, c)."""

    title, gates, vectors, held = "LSTM", 4, 2, 24

    def step(self, ops: Float, w: Weights, sums: Box, x: Box, state: State) -> State:  # noqa: ARG002
        i, f, g, o = (sums.columns(k * x.shape[-1], x.shape[-1]) for k in range(4))
        c = ops.add(ops.product(sigmoid(ops, f), state[1]), ops.product(sigmoid(ops, i), tanh(ops, g)))
        return ops.product(sigmoid(ops, o), tanh(ops, c)), c
