"""Gated DeltaNet: O (norm(q_t S_t) silu(G x_t)), where S fades by e^(g_t) before it is overwritten, g = -e^a softplus(f x + b)."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.deltanet import DeltaNet
from separatrix.checker.numbers.boxes import Box, stored
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.gates import exponential, softplus
from separatrix.checker.numbers.smooth import swish


@dataclass(frozen=True)
class GatedDeltaNet(DeltaNet):
    """Heads that fade by a number that the token chooses."""

    title = "gated DeltaNet"

    def shapes(self, width: int) -> Shapes:
        rates: Shapes = {"rate": (self.heads, width), "rate_bias": (self.heads,), "decay": (self.heads,)}
        return super().shapes(width) | rates | {"gate": (self.heads * self.value_width, width)}

    def faded(self, ops: Float, w: Weights, x: Box, S: Box) -> Box:
        rate = exponential(ops, stored(w["decay"]))
        g = ops.product(rate, softplus(ops, ops.linear(x, w["rate"], w["rate_bias"])))
        return ops.product(exponential(ops, -g)[..., None, None], S)

    def gated(self, ops: Float, w: Weights, x: Box, read: Box) -> Box:
        return ops.product(read, swish(ops, ops.linear(x, w["gate"])))
