"""Ordinary floating point: every operator is torch's own."""

from __future__ import annotations

from typing import final

import torch
from torch import Tensor
from torch.nn import functional

from separatrix.arithmetic.format import Format
from separatrix.arithmetic.operators import Arithmetic, Attention
from separatrix.arithmetic.visible import first_largest, hide

DTYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


@final
class NativeFloat(Arithmetic):
    """The machine's own float64, float32, bfloat16 or float16."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self.dtype = DTYPES[format.name]

    def enter(self, x: Tensor) -> Tensor:
        return x

    def leave(self, x: Tensor) -> Tensor:
        return x

    def on_grid(self, x: Tensor) -> bool:
        return bool((x.detach().to(self.dtype).to(x.dtype) == x.detach()).all())

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        return functional.linear(x, weight, bias)

    def logits(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.swapaxes(-1, -2)

    def softmax(self, a: Tensor, visible: Tensor | None) -> Tensor:
        w = torch.softmax(hide(a, visible), dim=-1)
        return w if visible is None else w.masked_fill(~visible, 0.0)  # a row that sees no key is NaN before

    def hard(self, a: Tensor, visible: Tensor | None) -> Tensor:
        return first_largest(a, visible).to(a.dtype)

    def uniform(self, a: Tensor, visible: Tensor | None) -> Tensor:
        return self.softmax(torch.zeros_like(a), visible)

    def mix(self, w: Tensor, v: Tensor) -> Tensor:
        return w @ v

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    def product(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y

    def relu(self, x: Tensor) -> Tensor:
        return torch.relu(x)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, visible: Tensor | None, kind: Attention) -> Tensor:
        if kind == "softmax":  # the same three steps, fused
            return functional.scaled_dot_product_attention(q, k, v, attn_mask=visible, scale=1.0)
        return super().attend(q, k, v, visible, kind)  # type: ignore[no-any-return]
