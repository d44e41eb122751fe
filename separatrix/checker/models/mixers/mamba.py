"""Mamba: O ((C_t h_t + d u_t) silu(z_t)), h_t = e^(-delta_t e^a) h_(t-1) + delta_t u_t B_t^T, each channel with `state` numbers.

c, z = W x; u is silu of a short convolution of c; (r, B, C) = S u; delta = softplus(R r + b).
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.short_convolution import ShortConvolution
from separatrix.checker.numbers.boxes import Box, stored
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.gates import exponential, softplus
from separatrix.checker.numbers.smooth import swish


@dataclass(frozen=True)
class Mamba(ShortConvolution):
    """Channels side by side."""

    inner: int
    state: int
    rank: int

    title = "Mamba"

    @property
    def channels(self) -> int:
        return self.inner

    @property
    def memory(self) -> tuple[int, ...]:
        return self.inner, self.state

    def shapes(self, width: int) -> Shapes:
        E, N, R = self.inner, self.state, self.rank
        filters: Shapes = {"convolution.weight": (E, self.convolution), "convolution.bias": (E,), "select": (R + 2 * N, E)}
        return {"into": (2 * E, width), **filters, "rate": (E, R), "rate_bias": (E,), "decay": (E, N), "skip": (E,), "out": (width, E)}

    def prepared(self, w: Weights) -> Weights:
        return {**w, "channels": w["into"][: self.inner], "gate": w["into"][self.inner :]}

    def token(self, ops: Float, w: Weights, x: Box, mixed: Box, S: Box) -> tuple[Box, Box]:
        N, R = self.state, self.rank
        selected = ops.linear(mixed, w["select"])
        B, C = selected.columns(R, N)[..., None, :], selected.columns(R + N, N)
        delta = softplus(ops, ops.linear(selected.columns(0, R), w["rate"], w["rate_bias"]))
        fade = ops.product(delta[..., None], exponential(ops, stored(w["decay"])))
        kept = ops.product(exponential(ops, -fade), S)
        S = ops.add(kept, ops.product(ops.product(delta, mixed)[..., None], B))
        y = ops.add(ops.mix(S, C[..., None])[..., 0], ops.product(stored(w["skip"]), mixed))
        return S, ops.linear(ops.product(y, swish(ops, ops.linear(x, w["gate"]))), w["out"])
