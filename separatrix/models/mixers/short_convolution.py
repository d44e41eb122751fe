"""A short causal convolution with a SiLU, each channel by itself: y_t = silu(b + sum over j of w_j x_(t - K + 1 + j)), j = 0 .. K - 1.

What crosses a cut is the last K - 1 inputs, [b, K - 1, channels]; before the first token they are 0.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.errors import BadInput
from separatrix.models.fast.convolution import convolved


class ShortConvolution(nn.Module):
    """A filter of `size` taps for every channel."""

    def __init__(self, channels: int, size: int, biased: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(channels, size))
        self.bias = nn.Parameter(torch.zeros(channels)) if biased else None

    @property
    def state_size(self) -> int:
        """Numbers that cross a cut."""
        channels, size = self.weight.shape
        return int(channels * (size - 1))

    def forward(self, x: Tensor) -> Tensor:
        """All tokens of x [b, n, channels] at once."""
        return convolved(x, self.weight, self.bias)

    def initial_state(self, rows: int) -> Tensor:
        """The inputs before the first token: all 0."""
        channels, size = self.weight.shape
        return torch.zeros(rows, size - 1, channels, dtype=self.weight.dtype, device=self.weight.device)

    def step(self, before: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        """One token x [b, channels]: the inputs that the next one needs, and y [b, channels]."""
        window = torch.cat([before, x[:, None]], dim=1)
        y = (window * self.weight.T).sum(dim=1)
        return window[:, 1:], functional.silu(y if self.bias is None else y + self.bias)

    def start(self) -> None:
        """As torch starts a convolution: uniform within 1 / sqrt(size)."""
        bound = 1 / math.sqrt(self.weight.shape[1])
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                nn.init.uniform_(parameter, -bound, bound)


def need_taps(mixer: str, size: int) -> None:
    """Refuse a filter without taps."""
    if size < 1:
        raise BadInput(f"{mixer}: convolution must be at least 1, the token itself, found {size}")
