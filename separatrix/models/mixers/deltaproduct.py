"""DeltaProduct: several steps of the delta rule for each token, so that one token applies a product of reflections.

    for j = 1 .. F:   S <- (I - beta_j k_j k_j^T) S + beta_j k_j v_j^T,    k_j = K_j x at norm 1, v_j = V_j x, beta_j = 2 sigma(b_j x)
    mixed = O norm(q S),   q = Q x at norm 1, divided by sqrt(key width); an RMS norm for each head

beta goes up to 2, at which the factor is a reflection; at 1 it forgets what its key holds. There is no convolution and no activation of
keys (the option `identity` of published layers): a silu would take away the sign that a reflection between two numbers needs. `following`
is the definition; over all tokens it is the delta rule on F times as many, read at every F-th.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.config import MixerConfig
from separatrix.models.fast.delta_rule import delta_rule, following
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.delta_heads import EPSILON, head_width, unit
from separatrix.models.mixers.mixer import Recurrence, Tensors, pick, weight
from separatrix.models.mixers.two_stage import TwoStage


@dataclass(frozen=True)
class DeltaProductConfig(MixerConfig):
    """Sizes of the heads, and how many factors a token."""

    heads: int
    key_width: int  # of one head
    value_width: int
    factors: int

    kind: ClassVar[str] = "deltaproduct"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("heads", "key_width", "value_width", "factors")

    @property
    def inexact(self) -> str:
        return "DeltaProduct, whose keys are normalised"

    def build(self, width: int, numbers: Arithmetic) -> DeltaProduct:
        return DeltaProduct(self, width, numbers)


class DeltaProduct(TwoStage, Recurrence):
    """Heads with a state of key_width x value_width numbers each."""

    def __init__(self, config: DeltaProductConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        keys, values, F = config.heads * config.key_width, config.heads * config.value_width, config.factors
        self.query = weight(keys, width)  # Q
        self.key = weight(F * keys, width)  # K_1, .., K_F
        self.value = weight(F * values, width)  # V_1, .., V_F
        self.share = weight(F * config.heads, width)  # b_1, .., b_F
        self.norm = nn.RMSNorm(config.value_width, eps=EPSILON)
        self.out = weight(width, values)  # O

    @property
    def state_size(self) -> int:
        c = self.config
        return c.heads * c.key_width * c.value_width

    def initial_state(self, rows: int) -> Tensors:
        c = self.config
        return (torch.zeros(rows, c.heads, c.key_width, c.value_width, dtype=self.out.dtype, device=self.out.device),)

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        q, k, v, beta = self._heads(x[:, None])
        S = state[0]
        for j in range(self.config.factors):
            S = following(S, k[:, :, j], v[:, :, j], beta[:, :, j], None)
        return (S,), self.output((q[:, :, 0, :, None] * S).sum(dim=2).flatten(1), x)

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        q, k, v, beta = self._heads(x)
        F = self.config.factors
        read = delta_rule(q.repeat_interleave(F, dim=2), k, v, beta, None)[:, :, F - 1 :: F].transpose(1, 2).flatten(2)
        return read if at is None else pick(read, at)

    def output(self, read: Tensor, x: Tensor) -> Tensor:  # noqa: ARG002
        heads: Tensor = self.norm(read.reshape(*read.shape[:-1], self.config.heads, self.config.value_width))
        return functional.linear(heads.flatten(-2), self.out)

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        c = self.config
        return 6 * n * c.factors * c.heads * (4 * c.key_width + 3 * c.value_width) + 4 * c.heads * 32 * n * c.factors

    def _heads(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """q [b, heads, n, .], and k, v [b, heads, n F, .] and beta [b, heads, n F], the factors of a token one after the other."""
        c, (b, n) = self.config, x.shape[:2]

        def split(matrix: Tensor, count: int) -> Tensor:
            return functional.linear(x, matrix).reshape(b, n * count, c.heads, -1).transpose(1, 2)

        q, k, v = split(self.query, 1), split(self.key, c.factors), split(self.value, c.factors)
        return unit(q) / math.sqrt(c.key_width), unit(k), v, 2 * split(self.share, c.factors)[..., 0].sigmoid()


def deltaproduct(width: int, heads: int = 4, factors: int = 2) -> DeltaProductConfig:
    """Heads that share the width of the stream, and so many factors a token."""
    each = head_width("deltaproduct", width, heads)
    return DeltaProductConfig(heads, each, each, factors)
