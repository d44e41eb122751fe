"""Long short-term memory: i, f, g, o from W x + U h + b; c' = sigma(f) c + sigma(i) tanh(g), h' = sigma(o) tanh(c')."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import exactly
from separatrix.checker.models.mixers import Mixer, Shapes, Weights, cells
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import sigmoid, tanh
from separatrix.checker.numbers.values import Array, Values


@dataclass(frozen=True)
class Lstm(Mixer):
    """One layer; the state is (h, c)."""

    def shapes(self, width: int) -> Shapes:
        return cells.shapes(4, width)

    def mix(self, ops: Numbers, w: Weights, x: Values, readers: Array) -> Values:
        return cells.run(ops, w, x, readers, 2, _step, "LSTM")

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        return cells.work(4, width, n, ops)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 24 * n * width

    def state_bits(self, width: int, bits: int) -> int | None:
        return 2 * width * bits


def _step(ops: Float, x: Values, h: Values, state: cells.State) -> cells.State:
    gates, d = ops.add(x, h), x.shape[-1] // 4
    i, f, g, o = (gates.columns(k * d, d) for k in range(4))
    c = ops.add(ops.product(sigmoid(ops, f), state[1]), ops.product(sigmoid(ops, i), tanh(ops, g)))
    return ops.product(sigmoid(ops, o), tanh(ops, c)), c


def read(document: Any, where: str, width: int) -> Lstm:  # noqa: ARG001
    """The mixer that a description names."""
    exactly(document, where, kind=str)
    return Lstm()
