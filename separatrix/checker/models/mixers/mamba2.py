"""Mamba-2: O norm((C_t S_t + d u_t) silu(z_t)), S_t = e^(-delta_t e^a) S_(t-1) + delta_t B_t u_t^T, an RMS norm for each group of heads.

z, c, r = W x; u, B and C are silu of a short convolution of c, B and C shared by the heads of a group; delta = softplus(r + b).
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.short_convolution import ShortConvolution, flat, shaped
from separatrix.checker.numbers.boxes import Box, stored
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.gates import exponential, softplus
from separatrix.checker.numbers.smooth import normed, swish
from separatrix.checker.seal import Refused


@dataclass(frozen=True)
class Mamba2(ShortConvolution):
    """Groups of heads side by side."""

    heads: int
    head_width: int
    groups: int
    state: int

    title = "Mamba-2"

    def refuse(self, where: str) -> None:
        if self.heads % self.groups:
            raise Refused(f"{where}: {self.heads} heads are not divisible by groups {self.groups}")

    @property
    def inner(self) -> int:
        """Numbers of all heads together."""
        return self.heads * self.head_width

    @property
    def channels(self) -> int:
        return self.inner + 2 * self.groups * self.state

    @property
    def memory(self) -> tuple[int, ...]:
        return self.groups, self.heads // self.groups, self.state, self.head_width

    def shapes(self, width: int) -> Shapes:
        H, C = self.heads, self.channels
        filters: Shapes = {"convolution.weight": (C, self.convolution), "convolution.bias": (C,), "norm.weight": (self.inner,)}
        return {"into": (self.inner + C + H, width), **filters, "rate_bias": (H,), "decay": (H,), "skip": (H,), "out": (width, self.inner)}

    def prepared(self, w: Weights) -> Weights:
        E, C = self.inner, self.channels
        return {**w, "gate": w["into"][:E], "channels": w["into"][E : E + C], "rate": w["into"][E + C :]}

    def token(self, ops: Float, w: Weights, x: Box, mixed: Box, S: Box) -> tuple[Box, Box]:
        G, E, N = self.groups, self.inner, self.state
        u = shaped(mixed.columns(0, E), G, self.heads // G, self.head_width)
        B, C = (shaped(mixed.columns(E + part * G * N, G * N), G, 1, N) for part in (0, 1))
        delta = shaped(softplus(ops, ops.linear(x, w["rate"], w["rate_bias"])), G, self.heads // G)
        rate = shaped(exponential(ops, stored(w["decay"])), G, self.heads // G)
        fade = ops.product(delta, rate)
        kept = ops.product(exponential(ops, -fade)[..., None, None], S)
        S = ops.add(kept, ops.product(ops.product(delta[..., None], B)[..., None], u[..., None, :]))
        skipped = ops.product(shaped(stored(w["skip"]), G, self.heads // G)[..., None], u)
        y = ops.add(ops.mix(C[..., None, :], S)[..., 0, :], skipped)
        gated = ops.product(flat(y, 3), swish(ops, ops.linear(x, w["gate"])))
        y = normed(ops, shaped(gated, G, E // G), "rms", w["norm.weight"].reshape(G, E // G), None)
        return S, ops.linear(flat(y, 2), w["out"])
