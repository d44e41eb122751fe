"""Mamba: a diagonal state space whose time step, input and output maps are chosen by the token.

    u, z     = W x;   u <- silu(convolution of u)
    delta    = softplus(R r + b),   (r, B, C) = S u
    h_t      = e^(delta_t A) h_(t-1) + delta_t u_t B_t       A = -e^a, each channel with `state` numbers
    mixed    = O ((C_t h_t + d u_t) silu(z_t))

The state is h and the last inputs of the convolution. `following` is the definition; the scan stands in models/fast/selective_scan.py.
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
from separatrix.models.fast.selective_scan import following, selective_scan
from separatrix.models.layer_styles import ALONE, LayerStyle
from separatrix.models.mixers.mixer import Recurrence, Tensors, pick, weight
from separatrix.models.mixers.short_convolution import ShortConvolution, need_taps
from separatrix.models.mixers.starting import as_linear, time_step_biases
from separatrix.models.mixers.two_stage import TwoStage


@dataclass(frozen=True)
class MambaConfig(MixerConfig):
    """Sizes: channels, numbers of state in each, taps of the convolution, and the rank of the map to the time steps."""

    inner: int
    state: int
    convolution: int
    rank: int

    kind: ClassVar[str] = "mamba"
    style: ClassVar[LayerStyle] = ALONE

    def __post_init__(self) -> None:
        self.need_positive("inner", "state", "rank")
        need_taps("mamba", self.convolution)

    @property
    def inexact(self) -> str:
        return "Mamba, whose decay is an exponential"

    def build(self, width: int, numbers: Arithmetic) -> Mamba:
        return Mamba(self, width, numbers)


class Mamba(TwoStage, Recurrence):
    """One block without its norm."""

    def __init__(self, config: MambaConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        E, N, R = config.inner, config.state, config.rank
        self.into = weight(2 * E, width)  # W
        self.convolution = ShortConvolution(E, config.convolution, biased=True)
        self.select = weight(R + 2 * N, E)  # S
        self.rate, self.rate_bias = weight(E, R), nn.Parameter(torch.zeros(E))  # R, b
        self.decay = weight(E, N)  # a
        self.skip = nn.Parameter(torch.zeros(E))  # d
        self.out = weight(width, E)  # O

    @property
    def state_size(self) -> int:
        return self.config.inner * self.config.state + self.convolution.state_size

    def initial_state(self, rows: int) -> Tensors:
        """No inputs, and h = 0."""
        h = torch.zeros(rows, self.config.inner, self.config.state, dtype=self.out.dtype, device=self.out.device)
        return self.convolution.initial_state(rows), h

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        window, u = self.convolution.step(state[0], functional.linear(x, self.into[: self.config.inner]))
        delta, B, C = self.selected(u)
        h = following(state[1], u, delta, -self.decay.exp(), B)
        read = (h * C[:, None, :]).sum(dim=-1) + self.skip * u
        return (window, h), self.output(read, x)

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        u = self.convolution(functional.linear(x, self.into[: self.config.inner]))
        delta, B, C = self.selected(u)
        y = selective_scan(u, delta, -self.decay.exp(), B, C, self.skip)
        return y if at is None else pick(y, at)

    def output(self, read: Tensor, x: Tensor) -> Tensor:
        return functional.linear(read * functional.silu(functional.linear(x, self.into[self.config.inner :])), self.out)

    def selected(self, u: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """delta [.., inner], B and C [.., state]."""
        N, R = self.config.state, self.config.rank
        r, B, C = torch.split(functional.linear(u, self.select), [R, N, N], dim=-1)
        return functional.softplus(functional.linear(r, self.rate, self.rate_bias)), B, C

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        return n * self.config.inner * (8 + self.config.state // 16)

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """As published: A = -1, .., -N in every channel, time steps log-uniform in [0.001, 0.1], d = 1; O shrinks with the depth."""
        as_linear(self.into)
        as_linear(self.select)
        as_linear(self.out, math.sqrt(2) * shrink)  # one residual connection for each layer
        self.convolution.start()
        bound = 1 / math.sqrt(self.config.rank)
        nn.init.uniform_(self.rate, -bound, bound)
        self.rate_bias.copy_(time_step_biases(self.config.inner))
        self.decay.copy_(torch.arange(1, self.config.state + 1).log().expand_as(self.decay))
        nn.init.ones_(self.skip)


def mamba(width: int, state: int = 16, expand: int = 2, convolution: int = 4, rank: int = 0) -> MambaConfig:
    """Mamba with `expand` channels for each number of the stream; rank 0 is a sixteenth of the width, rounded up."""
    return MambaConfig(expand * width, state, convolution, rank or -(-width // 16))
