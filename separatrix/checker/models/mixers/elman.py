"""Elman's recurrent network: h' = tanh(W x + U h + b)."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.cells import Cell
from separatrix.checker.models.mixers.recurrence import State
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.smooth import tanh


@dataclass(frozen=True)
class Elman(Cell):
    """One layer; the state is h."""

    title, gates, held = "Elman network", 1, 9

    def step(self, ops: Float, w: Weights, sums: Box, x: Box, state: State) -> State:  # noqa: ARG002
        return (tanh(ops, sums),)
