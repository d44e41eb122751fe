"""The feed-forward part of a layer, at each position alone: W_2 act(W_1 y + b_1) + b_2.

Gated activations (ReGLU, SwiGLU) multiply act(W_1 y + b_1) by W_g y + b_g.
"""

from __future__ import annotations

from torch import nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.config import FeedForwardConfig
from separatrix.models.mixers.mixer import bias, weight


class FeedForward(nn.Module):
    """Two linear maps with a non-linearity between them."""

    def __init__(self, config: FeedForwardConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__()
        self.config, self.numbers = config, numbers
        self.inner, self.inner_bias = weight(config.hidden, width), bias(config.hidden, config.bias)
        self.gate = weight(config.hidden, width) if config.gated else None
        self.gate_bias = bias(config.hidden, config.bias and config.gated)
        self.outer, self.outer_bias = weight(width, config.hidden), bias(width, config.bias)

    def forward(self, y: Values) -> Values:
        """The feed-forward part of every vector, without the residual connection."""
        h = self.activated(self.numbers.linear(y, self.inner, self.inner_bias))
        if self.gate is not None:
            h = self.numbers.product(h, self.numbers.linear(y, self.gate, self.gate_bias))
        return self.numbers.linear(h, self.outer, self.outer_bias)

    def activated(self, h: Values) -> Values:
        """The hidden units after the activation, gated if it has a gate."""
        if self.config.activation == "gelu":
            return functional.gelu(h, approximate="tanh")
        return functional.silu(h) if self.config.activation == "swiglu" else self.numbers.relu(h)

    def start(self, deviation: float, shrink: float) -> None:
        """Fresh matrices from torch's generator; the one that writes into the stream starts smaller."""
        for parameter in (self.inner, self.gate):
            if parameter is not None:
                nn.init.normal_(parameter, 0.0, deviation)
        nn.init.normal_(self.outer, 0.0, deviation * shrink)
