"""Gated DeltaNet: the delta rule over a state that fades, with a gate on what is read.

    g_t   = -e^a softplus(f x_t + b)                            one number for each head
    S_t   = e^(g_t) (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T
    mixed = O (norm(q_t S_t) silu(G x_t))                       an RMS norm for each head

The rest is in delta_heads.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.delta_heads import DeltaConfig, DeltaHeads, head_width
from separatrix.models.mixers.mixer import weight
from separatrix.models.mixers.starting import time_step_biases

LEAST_RATE = 1e-4  # of fading: the published uniform draw includes 0, which has no logarithm


@dataclass(frozen=True)
class GatedDeltaNetConfig(DeltaConfig):
    """Nothing beside the sizes of its heads."""

    kind: ClassVar[str] = "gated-deltanet"
    style: ClassVar[LayerStyle] = BLOCK

    @property
    def inexact(self) -> str:
        return "gated DeltaNet, whose decay is an exponential"

    def build(self, width: int, numbers: Arithmetic) -> GatedDeltaNet:
        return GatedDeltaNet(self, width, numbers)


class GatedDeltaNet(DeltaHeads):
    """Heads that fade by a number that the token chooses."""

    def __init__(self, config: GatedDeltaNetConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(config, width, numbers)
        self.rate, self.rate_bias = weight(config.heads, width), nn.Parameter(torch.zeros(config.heads))  # f, b
        self.decay = nn.Parameter(torch.zeros(config.heads))  # a
        self.gate = weight(config.heads * config.value_width, width)  # G

    def log_decay(self, x: Tensor) -> Tensor | None:
        return -self.decay.exp() * functional.softplus(functional.linear(x, self.rate, self.rate_bias))

    def output(self, read: Tensor, x: Tensor) -> Tensor:
        return functional.linear(self.normed(read) * functional.silu(functional.linear(x, self.gate)), self.out)

    def start(self, deviation: float, shrink: float) -> None:
        """As published: e^a uniform in [0, 16], softplus(b) log-uniform in [0.001, 0.1]."""
        super().start(deviation, shrink)
        self.decay.copy_(torch.empty(self.config.heads).uniform_(0, 16).clamp(min=LEAST_RATE).log())
        self.rate_bias.copy_(time_step_biases(self.config.heads))


def gated_deltanet(width: int, heads: int = 4, convolution: int = 4, negative: bool = False) -> GatedDeltaNetConfig:
    """Heads that share the width of the stream; `negative` lets beta go up to 2, and eigenvalues down to -1."""
    each = head_width("gated-deltanet", width, heads)
    return GatedDeltaNetConfig(heads, each, each, convolution, negative)
