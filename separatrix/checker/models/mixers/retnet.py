"""Retention: O (silu(G x_t) norm(q_t S_t)), S_t = gamma S_(t-1) + k_t v_t^T, gamma = 1 - 2^-(5 + h) for head h, an RMS norm for each head.

q = Q x and k = K x / sqrt(key width), both turned by their position; v = V x. Its step hangs on the position, so it is no `Recurrence`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.checker.models.mixers import Mixer, Shapes, Weights
from separatrix.checker.models.mixers.short_convolution import STEP, flat, shaped
from separatrix.checker.numbers.boxes import Array, Box, constant, join, positions
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.gates import divided, fades
from separatrix.checker.numbers.smooth import native, normed, swish, turned
from separatrix.checker.seal import Refused


@dataclass(frozen=True)
class RetNet(Mixer):
    """Heads side by side."""

    stepped = True
    heads: int
    key_width: int
    value_width: int

    def refuse(self, where: str) -> None:
        if self.key_width % 2:
            raise Refused(f"{where}.key_width: rotary positions need an even number, found {self.key_width}")

    def head_sizes(self) -> tuple[int, int, int]:
        return self.heads, self.key_width, self.value_width

    def shapes(self, width: int) -> Shapes:
        keys, values = self.heads * self.key_width, self.heads * self.value_width
        return {"query": (keys, width), "key": (keys, width), "value": (values, width), "gate": (values, width), "out": (width, values)}

    def mix(self, ops: Numbers, w: Weights, x: Box, readers: Array) -> Box:
        floats, H, m, u = native(ops, "retention"), self.heads, self.key_width, self.value_width
        last = int(readers.max()) + 1
        x = x.rows(slice(0, last))
        q, v = ops.linear(x, w["query"]), shaped(ops.linear(x, w["value"]), H, u)
        k = divided(floats, x, w["key"], math.sqrt(m))
        q, k = (join([turned(floats, part.columns(h * m, m), positions(0, last))[..., None, :] for h in range(H)]) for part in (q, k))
        fade = fades(floats, H)
        S, reads = constant((*x.shape[:-2], H, m, u)), []
        for t in range(last):
            here = [part[..., t, :, :] for part in (q, k, v)]
            S = ops.add(ops.product(fade, S), ops.product(here[1][..., None], here[2][..., None, :]))
            reads.append(ops.mix(here[0][..., None, :], S)[..., 0, :][..., None, :, :])
        read = normed(floats, join(reads, axis=-3)[..., readers, :, :], "rms", constant((u,), 1.0).low, None)
        gate = swish(floats, ops.linear(x.rows(readers), w["gate"]))
        return ops.linear(ops.product(gate, flat(read, 2)), w["out"])

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        weights, held = sum(math.prod(shape) for shape in self.shapes(width).values()), self.heads * self.key_width * self.value_width
        return n * ((weights + 40 * held) * ops.cost(width) + STEP)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return (
            3 * n * (width + 4 * self.heads * (2 * self.key_width + self.value_width)) + 30 * self.heads * self.key_width * self.value_width
        )

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return self.heads * self.key_width * self.value_width * bits
