"""Gated recurrent unit: r, z = sigma(W x + U h + b), n = tanh(W x + b + r (U h + b')), h' = (1 - z) n + z h."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields
from separatrix.checker.models.mixers.cells import Cell
from separatrix.checker.models.mixers.recurrence import State
from separatrix.checker.numbers.boxes import Box, constant
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.smooth import convex, minus, sigmoid, tanh


@dataclass(frozen=True)
class Gru(Cell):
    """One layer; the state is h."""

    title, gates, held = "GRU", 3, 18

    def step(self, ops: Float, x: Box, h: Box, state: State) -> State:
        """h' as n + z (h - n), a form that programs may use: its magnitudes are no smaller than those of (1 - z) n + z h."""
        d = x.shape[-1] // 3
        (xr, xz, xn), (hr, hz, hn) = ([part.columns(k * d, d) for k in range(3)] for part in (x, h))
        r, z = sigmoid(ops, ops.add(xr, hr)), sigmoid(ops, ops.add(xz, hz))
        n = tanh(ops, ops.add(xn, ops.product(r, hn)))
        one = constant(z.shape, 1.0)
        mixed = ops.add(ops.product(minus(ops, one, z), n), ops.product(z, state[0]))
        return (convex(ops, n, state[0], mixed.looser(8 * ops.u * (n.reach + state[0].reach))),)


def read(document: Any, where: str, width: int) -> Gru:  # noqa: ARG001
    """The mixer of a description."""
    require_fields(document, where, kind=str)
    return Gru()
