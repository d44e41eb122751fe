"""The read-out: logits = U norm(x) + c."""

from __future__ import annotations

import math

from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.config import ReadoutConfig
from separatrix.models.layer import norm
from separatrix.models.mixers.mixer import bias, weight


class Readout(nn.Module):
    """From stream vectors to logits, as a floating-point tensor."""

    def __init__(self, config: ReadoutConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__()
        self.config, self.numbers = config, numbers
        self.norm = norm(config.norm, width)
        self.weight, self.bias = weight(config.targets, width), bias(config.targets, config.bias)

    def forward(self, x: Values) -> Tensor:
        """Logits [..., targets] of stream vectors [..., width]."""
        return self.numbers.leave(self.numbers.linear(x if self.norm is None else self.norm(x), self.weight, self.bias))

    def start(self, deviation: float | None) -> None:
        """Fresh weights, normal with this deviation; None starts them as torch starts linear maps, uniform within 1 / sqrt(width)."""
        if deviation is not None:
            nn.init.normal_(self.weight, 0.0, deviation)
            return
        bound = 1 / math.sqrt(self.weight.shape[1])
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                nn.init.uniform_(parameter, -bound, bound)
