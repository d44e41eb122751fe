"""DeltaNet: O norm(q_t S_t), S_t = S_(t-1) + k_t u_t^T, u_t = beta_t (v_t - k_t S_(t-1)), an RMS norm for each head.

q, k and v are silu of a short convolution of W x, q and k at norm 1 for each head, q divided by sqrt(key width); beta = sigma(b x), or
twice that where `negative`. Gated DeltaNet is in gated_deltanet.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.short_convolution import ShortConvolution, flat, shaped
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.gates import overwritten, unit
from separatrix.checker.numbers.smooth import normed, scaled, sigmoid


@dataclass(frozen=True)
class DeltaNet(ShortConvolution):
    """Heads side by side."""

    heads: int
    key_width: int
    value_width: int
    negative: bool

    title = "DeltaNet"

    @property
    def channels(self) -> int:
        return self.heads * (2 * self.key_width + self.value_width)

    @property
    def memory(self) -> tuple[int, ...]:
        return self.heads, self.key_width, self.value_width

    def head_sizes(self) -> tuple[int, int, int]:
        return self.heads, self.key_width, self.value_width

    def shapes(self, width: int) -> Shapes:
        taps = {"convolution.weight": (self.channels, self.convolution), "norm.weight": (self.value_width,)}
        return {"into": (self.channels, width), **taps, "share": (self.heads, width), "out": (width, self.heads * self.value_width)}

    def prepared(self, w: Weights) -> Weights:
        return {**w, "channels": w["into"]}

    def token(self, ops: Float, w: Weights, x: Box, mixed: Box, S: Box) -> tuple[Box, Box]:
        H, m = self.heads, self.key_width
        q, k = (unit(ops, shaped(mixed.columns(part * H * m, H * m), H, m)) for part in (0, 1))
        v = shaped(mixed.columns(2 * H * m, H * self.value_width), H, self.value_width)
        beta = scaled(ops, sigmoid(ops, ops.linear(x, w["share"])), 2.0 if self.negative else 1.0)
        S = overwritten(ops, self.faded(ops, w, x, S), k, v, beta)
        read = ops.mix(scaled(ops, q, 1 / math.sqrt(m))[..., None, :], S)[..., 0, :]
        read = normed(ops, read, "rms", w["norm.weight"], None)
        return S, ops.linear(self.gated(ops, w, x, flat(read, 2)), w["out"])

    def faded(self, ops: Float, w: Weights, x: Box, S: Box) -> Box:  # noqa: ARG002
        """What is left of S."""
        return S

    def gated(self, ops: Float, w: Weights, x: Box, read: Box) -> Box:  # noqa: ARG002
        """What passes of what was read."""
        return read
