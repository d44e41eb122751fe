"""Gated recurrent unit: r, z = sigma(W x + U h + b), n = tanh(W x + b + r (U h + b')), h' = (1 - z) n + z h."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.cells import Cell
from separatrix.checker.models.mixers.recurrence import State
from separatrix.checker.numbers.boxes import Box, constant, rows_of
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.smooth import convex, minus, sigmoid, tanh


@dataclass(frozen=True)
class Gru(Cell):
    """One layer; the state is h."""

    title, gates, held = "GRU", 3, 18

    @property
    def summed(self) -> int:
        return 2  # n takes r times U h + b' alone

    def prepared(self, w: Weights) -> Weights:
        d, kernel = w["kernel.weight_hh_l0"].shape[1], {name: w[f"kernel.{name}_l0"] for name in ("weight_ih", "weight_hh")}
        biases = {name: w[f"kernel.{name}_l0"][2 * d :] for name in ("bias_ih", "bias_hh")}
        return {**super().prepared(w), **{name: rows_of(tensor, 2 * d, d) for name, tensor in kernel.items()}, **biases}

    def step(self, ops: Float, w: Weights, sums: Box, x: Box, state: State) -> State:
        """h' as n + z (h - n), a form that programs may use: its magnitudes are no smaller than those of (1 - z) n + z h."""
        d = x.shape[-1]
        r, z = sigmoid(ops, sums.columns(0, d)), sigmoid(ops, sums.columns(d, d))
        xn, hn = ops.linear(x, w["weight_ih"], w["bias_ih"]), ops.linear(state[0], w["weight_hh"], w["bias_hh"])
        n = tanh(ops, ops.add(xn, ops.product(r, hn)))
        one = constant(z.shape, 1.0)
        mixed = ops.add(ops.product(minus(ops, one, z), n), ops.product(z, state[0]))
        return (convex(ops, n, state[0], mixed.looser(8 * ops.u * (n.reach + state[0].reach))),)
