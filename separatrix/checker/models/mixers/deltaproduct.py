"""DeltaProduct: O norm(q S), S <- S + k_j u_j^T with u_j = beta_j (v_j - k_j S) for j = 1 .. F at each token; an RMS norm for each head.

q = Q x and k_j = K_j x at norm 1 for each head, q divided by sqrt(key width); v_j = V_j x, beta_j = 2 sigma(b_j x).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.models.mixers.short_convolution import STEP, flat, shaped
from separatrix.checker.numbers.boxes import Box, constant
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.gates import overwritten, unit
from separatrix.checker.numbers.smooth import native, normed, scaled, sigmoid


@dataclass(frozen=True)
class DeltaProduct(Recurrence):
    """Heads side by side, `factors` steps a token."""

    heads: int
    key_width: int
    value_width: int
    factors: int

    def head_sizes(self) -> tuple[int, int, int]:
        return self.heads, self.key_width, self.value_width

    def shapes(self, width: int) -> Shapes:
        keys, values, F = self.heads * self.key_width, self.heads * self.value_width, self.factors
        inner: Shapes = {"query": (keys, width), "key": (F * keys, width), "value": (F * values, width), "share": (F * self.heads, width)}
        return inner | {"norm.weight": (self.value_width,), "out": (width, values)}

    @property
    def memory(self) -> int:
        """Numbers of S."""
        return self.heads * self.key_width * self.value_width

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        return (constant((*shape, self.memory)),)

    def advance(self, ops: Numbers, w: Weights, state: State, x: Box) -> tuple[State, Box]:
        floats, H, m, d = native(ops, "DeltaProduct"), self.heads, self.key_width, self.value_width
        S = shaped(state[0], H, m, d)
        keys, values = floats.linear(x, w["key"]), floats.linear(x, w["value"])
        shares = scaled(floats, sigmoid(floats, floats.linear(x, w["share"])), 2.0)
        for j in range(self.factors):
            k = unit(floats, shaped(keys.columns(j * H * m, H * m), H, m))
            S = overwritten(floats, S, k, shaped(values.columns(j * H * d, H * d), H, d), shares.columns(j * H, H))
        q = scaled(floats, unit(floats, shaped(floats.linear(x, w["query"]), H, m)), 1 / math.sqrt(m))
        read = normed(floats, floats.mix(q[..., None, :], S)[..., 0, :], "rms", w["norm.weight"], None)
        return (flat(S, 3),), floats.linear(flat(read, 2), w["out"])

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        linear = sum(math.prod(shape) for shape in self.shapes(width).values())
        return n * ((linear + 40 * self.factors * self.memory) * ops.cost(width) + self.factors * STEP)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * n * width + 30 * self.factors * (self.heads * (self.key_width + self.value_width) + self.memory)

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.memory * bits
