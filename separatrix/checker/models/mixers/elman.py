"""Elman's recurrent network: h' = tanh(W x + U h + b)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import exactly
from separatrix.checker.models.mixers import Mixer, Shapes, Weights, cells
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import tanh
from separatrix.checker.numbers.values import Array, Values


@dataclass(frozen=True)
class Elman(Mixer):
    """One layer; the state is h."""

    def shapes(self, width: int) -> Shapes:
        return cells.shapes(1, width)

    def mix(self, ops: Numbers, w: Weights, x: Values, readers: Array) -> Values:
        return cells.run(ops, w, x, readers, 1, _step, "Elman network")

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        return cells.work(1, width, n, ops)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 9 * n * width

    def state_bits(self, width: int, bits: int) -> int | None:
        return width * bits


def _step(ops: Float, x: Values, h: Values, state: cells.State) -> cells.State:  # noqa: ARG001
    return (tanh(ops, ops.add(x, h)),)


def read(document: Any, where: str, width: int) -> Elman:  # noqa: ARG001
    """The mixer that a description names."""
    exactly(document, where, kind=str)
    return Elman()
