"""Heads that learn by the delta rule as they read: what DeltaNet and gated DeltaNet share.

    q, k, v  = silu(convolution of W x), with q and k of norm 1 for each head
    beta     = sigma(b x), or twice that, so that I - beta k k^T may have the eigenvalue 1 - beta < 0
    S_t      = e^(g_t) (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T        g = 0 in DeltaNet
    read     = q_t S_t / sqrt(key width)

The state is S of every head and the last inputs of the convolution. `following` is the definition; the rule over all tokens
stands in models/fast/delta_rule.py.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.fast.delta_rule import delta_rule, following
from separatrix.models.mixers.mixer import Recurrence, Tensors, pick, weight
from separatrix.models.mixers.short_convolution import ShortConvolution, need_taps
from separatrix.models.mixers.two_stage import TwoStage

EPSILON = 1e-6


@dataclass(frozen=True)
class DeltaConfig(MixerConfig):
    """Sizes of the heads, taps of the convolution, and whether beta goes up to 2."""

    heads: int
    key_width: int  # of one head
    value_width: int
    convolution: int
    negative: bool  # eigenvalues down to -1

    def __post_init__(self) -> None:
        self.need_positive("heads", "key_width", "value_width")
        need_taps(self.kind, self.convolution)


class DeltaHeads(TwoStage, Recurrence):
    """Heads with a state of key_width x value_width numbers each."""

    def __init__(self, config: DeltaConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        keys, values = config.heads * config.key_width, config.heads * config.value_width
        self.into = weight(2 * keys + values, width)  # W
        self.convolution = ShortConvolution(2 * keys + values, config.convolution, biased=False)
        self.share = weight(config.heads, width)  # b
        self.norm = nn.RMSNorm(config.value_width, eps=EPSILON)
        self.out = weight(width, values)

    @abstractmethod
    def log_decay(self, x: Tensor) -> Tensor | None:
        """g of tokens x [.., width], [.., heads]; None where nothing fades."""

    @property
    def state_size(self) -> int:
        c = self.config
        return c.heads * c.key_width * c.value_width + self.convolution.state_size

    def initial_state(self, rows: int) -> Tensors:
        """No inputs, and S = 0."""
        c = self.config
        S = torch.zeros(rows, c.heads, c.key_width, c.value_width, dtype=self.out.dtype, device=self.out.device)
        return self.convolution.initial_state(rows), S

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        window, mixed = self.convolution.step(state[0], functional.linear(x, self.into))
        q, k, v = (part[:, :, 0] for part in self._heads(mixed[:, None]))
        S = following(state[1], k, v, self.shares(x), self.log_decay(x))
        return (window, S), self.output((q[..., None] * S).sum(dim=2).flatten(1), x)

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        q, k, v = self._heads(self.convolution(functional.linear(x, self.into)))
        g = self.log_decay(x)
        read = delta_rule(q, k, v, self.shares(x).transpose(1, 2), None if g is None else g.transpose(1, 2)).transpose(1, 2).flatten(2)
        return read if at is None else pick(read, at)

    def normed(self, read: Tensor) -> Tensor:
        """What heads have read, each with a norm of its own."""
        heads: Tensor = self.norm(read.reshape(*read.shape[:-1], self.config.heads, self.config.value_width))
        return heads.flatten(-2)

    def output(self, read: Tensor, x: Tensor) -> Tensor:  # noqa: ARG002
        return functional.linear(self.normed(read), self.out)

    def shares(self, x: Tensor) -> Tensor:
        """beta, [.., heads]: the share of a key's old value that each head replaces."""
        share = functional.linear(x, self.share).sigmoid()
        return 2 * share if self.config.negative else share

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        c = self.config
        return 6 * n * c.heads * (3 * c.key_width + 3 * c.value_width) + 4 * c.heads * 32 * n

    def start(self, deviation: float, shrink: float) -> None:
        """Matrices normal, as the rest of a residual block; filters as torch starts them."""
        super().start(deviation, shrink)
        self.convolution.start()

    def _heads(self, mixed: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """q, k and v [b, heads, n, .]."""
        c = self.config
        keys = c.heads * c.key_width
        q, k, v = (
            part.reshape(*part.shape[:2], c.heads, -1).transpose(1, 2)
            for part in torch.split(mixed, [keys, keys, c.heads * c.value_width], dim=-1)
        )
        return unit(q) / math.sqrt(c.key_width), unit(k), v


def unit(x: Tensor) -> Tensor:
    """x divided by its norm."""
    return x * torch.rsqrt((x * x).sum(dim=-1, keepdim=True) + EPSILON)


def head_width(mixer: str, width: int, heads: int) -> int:
    """The width of a head where the heads share the width of the stream."""
    if heads < 1 or width % heads:
        raise BadInput(f"{mixer}: width {width} is not divisible by heads {heads}")
    return width // heads
