"""Linear attention: a product of positive features instead of a softmax, so that a state of fixed size replaces the cache.

[yang2024 Equation 7] [yang2024 Equation 8] [yang2024 Equation 15] [yang2024 Equation 17] [yang2024 Equation 19]
[yang2024 Lemma A.8]

    phi(u) = elu(u) + 1,   S_t = S_(t-1) + phi(k_t) v_t^T,   z_t = z_(t-1) + phi(k_t)
    what a head reads is phi(q_t) S_t / phi(q_t) z_t

The state is S and z of every head. `step` is the definition; the form for all tokens
stands in models/fast/decayed.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.fast.decayed import attended, read_once
from separatrix.models.layer_styles import PLACED_BLOCK, LayerStyle
from separatrix.models.mixers.mixer import Recurrence, Tensors, bias, weight
from separatrix.models.mixers.two_stage import TwoStage


@dataclass(frozen=True)
class LinearAttentionConfig(MixerConfig):
    """Sizes of the heads, side by side; rows h m .. (h + 1) m - 1 of each weight belong to head h."""

    heads: int
    key_width: int  # of one head
    value_width: int
    bias: bool = False

    kind: ClassVar[str] = "linear-attention"
    style: ClassVar[LayerStyle] = PLACED_BLOCK

    def __post_init__(self) -> None:
        self.need_positive("heads", "key_width", "value_width")

    @property
    def inexact(self) -> str:
        return "linear attention, whose features are exponentials"

    def build(self, width: int, numbers: Arithmetic) -> LinearAttention:
        return LinearAttention(self, width, numbers)


class LinearAttention(TwoStage, Recurrence):
    """Heads with a state of key_width (value_width + 1) numbers each."""

    def __init__(self, config: LinearAttentionConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        keys, values, biased = config.heads * config.key_width, config.heads * config.value_width, config.bias
        self.query, self.key = weight(keys, width), weight(keys, width)
        self.value, self.out = weight(values, width), weight(width, values)
        self.query_bias, self.key_bias = bias(keys, biased), bias(keys, biased)
        self.value_bias, self.out_bias = bias(values, biased), bias(width, biased)

    @property
    def state_size(self) -> int:
        return self.config.heads * self.config.key_width * (self.config.value_width + 1)

    def initial_state(self, rows: int) -> Tensors:
        """S and z, all zero."""
        c, dtype = self.config, self.key.dtype
        return torch.zeros(rows, c.heads, c.key_width, c.value_width, dtype=dtype), torch.zeros(rows, c.heads, c.key_width, dtype=dtype)

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        q, k, v = (part[:, :, 0] for part in self._features(x[:, None]))
        S, z = state[0] + k[..., None] * v[..., None, :], state[1] + k
        read = torch.einsum("bhm,bhmv->bhv", q, S) / (q * z).sum(dim=-1, keepdim=True)
        return (S, z), functional.linear(read.reshape(len(x), -1), self.out, self.out_bias)

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        q, k, v = self._features(x)
        z = k.cumsum(dim=2)
        if at is None:
            read = attended(q, k, v, None) / (q * z).sum(dim=-1, keepdim=True)
        else:
            rows = torch.arange(len(at), device=x.device)
            q, z = q[rows, :, at][:, :, None], z[rows, :, at][:, :, None]
            read = read_once(q, k, v, None, at) / (q * z).sum(dim=-1, keepdim=True)
        return read.transpose(1, 2).flatten(2)

    def output(self, read: Tensor, x: Tensor) -> Tensor:  # noqa: ARG002
        return functional.linear(read, self.out, self.out_bias)

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        return 6 * n * self.width + 3 * self.config.heads * 64 * n

    def _features(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """phi(Q x), phi(K x) and V x, [b, heads, n, width of a head]."""
        c = self.config

        def split(y: Tensor, width: int) -> Tensor:
            return y.reshape(*y.shape[:2], c.heads, width).transpose(1, 2)

        q = split(functional.linear(x, self.query, self.query_bias), c.key_width)
        k = split(functional.linear(x, self.key, self.key_bias), c.key_width)
        return functional.elu(q) + 1, functional.elu(k) + 1, split(functional.linear(x, self.value, self.value_bias), c.value_width)


def linear_attention(width: int, heads: int = 4) -> LinearAttentionConfig:
    """Heads that share the width of the stream, with biases, as usually trained."""
    if heads < 1 or width % heads:
        raise BadInput(f"linear-attention: width {width} is not divisible by heads {heads}")
    return LinearAttentionConfig(heads, width // heads, width // heads, bias=True)
