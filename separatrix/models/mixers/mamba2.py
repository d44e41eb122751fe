"""Mamba-2: heads that fade by one number each, chosen by the token, over keys B and queries C that all heads of a group share.

    z, (u, B, C), r = W x;   (u, B, C) <- silu(convolution of (u, B, C))
    delta           = softplus(r + b),   A = -e^a               one number for each head
    S_t             = e^(delta_t A) S_(t-1) + delta_t B_t u_t^T
    mixed           = O norm((C_t S_t + d u_t) silu(z_t))       an RMS norm over the heads of each group

The state is S of every head and the last inputs of the convolution. `following` is the definition; the form for all tokens
stands in models/fast/decayed.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.fast.decayed import attended, read_once
from separatrix.models.layer_styles import ALONE, LayerStyle
from separatrix.models.mixers.mixer import Recurrence, Tensors, weight
from separatrix.models.mixers.short_convolution import ShortConvolution, need_taps
from separatrix.models.mixers.starting import as_linear, time_step_biases
from separatrix.models.mixers.two_stage import TwoStage

HEAD = 64  # published width of a head


@dataclass(frozen=True)
class Mamba2Config(MixerConfig):
    """Heads and their width, groups of heads that share B and C, the width of these, and taps of the convolution."""

    heads: int
    head_width: int
    groups: int
    state: int
    convolution: int

    kind: ClassVar[str] = "mamba2"
    style: ClassVar[LayerStyle] = ALONE

    def __post_init__(self) -> None:
        self.need_positive("heads", "head_width", "groups", "state")
        if self.heads % self.groups:
            raise BadInput(f"mamba2: {self.heads} heads are not divisible by groups {self.groups}")
        need_taps("mamba2", self.convolution)

    @property
    def inner(self) -> int:
        """Numbers of all heads together."""
        return self.heads * self.head_width

    @property
    def inexact(self) -> str:
        return "Mamba-2, whose decay is an exponential"

    def build(self, width: int, numbers: Arithmetic) -> Mamba2:
        return Mamba2(self, width, numbers)


class Mamba2(TwoStage, Recurrence):
    """One block without the norm before it."""

    def __init__(self, config: Mamba2Config, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        mixed = config.inner + 2 * config.groups * config.state
        self.into = weight(config.inner + mixed + config.heads, width)  # W
        self.convolution = ShortConvolution(mixed, config.convolution, biased=True)
        self.rate_bias = nn.Parameter(torch.zeros(config.heads))  # b
        self.decay = nn.Parameter(torch.zeros(config.heads))  # a
        self.skip = nn.Parameter(torch.zeros(config.heads))  # d
        self.norm = GroupedNorm(config.inner, config.groups)
        self.out = weight(width, config.inner)  # O

    @property
    def state_size(self) -> int:
        return self.config.inner * self.config.state + self.convolution.state_size

    def initial_state(self, rows: int) -> Tensors:
        """No inputs, and S = 0."""
        c = self.config
        S = torch.zeros(rows, c.heads, c.state, c.head_width, dtype=self.out.dtype, device=self.out.device)
        return self.convolution.initial_state(rows), S

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        window, mixed = self.convolution.step(state[0], functional.linear(x, self._columns()[1]))
        u, B, C = (part[:, :, 0] for part in self._heads(mixed[:, None]))
        delta = self._steps(x)
        S = state[1] * (-delta * self.decay.exp()).exp()[..., None, None] + (delta[..., None] * B)[..., None] * u[:, :, None, :]
        read = (C[..., None] * S).sum(dim=2) + self.skip[:, None] * u
        return (window, S), self.output(read.flatten(1), x)

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        mixed = self.convolution(functional.linear(x, self._columns()[1]))
        u, B, C = self._heads(mixed)  # [b, heads, n, .]
        delta = self._steps(x).transpose(1, 2)  # [b, heads, n]
        log_decay, driven = -delta * self.decay.exp()[:, None], delta[..., None] * u
        if at is None:
            read = attended(C, B, driven, log_decay) + self.skip[:, None, None] * u
        else:
            rows = torch.arange(len(at), device=x.device)
            read = read_once(C[rows, :, at][:, :, None], B, driven, log_decay, at) + self.skip[:, None, None] * u[rows, :, at][:, :, None]
        return read.transpose(1, 2).flatten(2)

    def output(self, read: Tensor, x: Tensor) -> Tensor:
        return functional.linear(self.norm(read * functional.silu(functional.linear(x, self._columns()[0]))), self.out)

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        return 8 * n * (self.config.inner + self.config.heads * self.config.state) + 3 * self.config.heads * 64 * n

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """As published: A uniform in [-16, -1], time steps log-uniform in [0.001, 0.1], d = 1; O shrinks with the depth."""
        as_linear(self.into)
        as_linear(self.out, math.sqrt(2) * shrink)  # one residual connection for each layer
        self.convolution.start()
        self.rate_bias.copy_(time_step_biases(self.config.heads))
        self.decay.copy_(torch.empty(self.config.heads).uniform_(1, 16).log())
        nn.init.ones_(self.skip)

    def _columns(self) -> tuple[Tensor, Tensor, Tensor]:
        """The parts of W that make z, (u, B, C) and r."""
        c = self.config
        gate, mixed, steps = torch.split(self.into, [c.inner, c.inner + 2 * c.groups * c.state, c.heads])
        return gate, mixed, steps

    def _steps(self, x: Tensor) -> Tensor:
        return functional.softplus(functional.linear(x, self._columns()[2], self.rate_bias))

    def _heads(self, mixed: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """u, B and C of every head, [b, heads, n, .]."""
        c = self.config
        u, B, C = torch.split(mixed, [c.inner, c.groups * c.state, c.groups * c.state], dim=-1)
        u = u.reshape(*u.shape[:2], c.heads, c.head_width).transpose(1, 2)
        B, C = (y.reshape(*y.shape[:2], c.groups, c.state).transpose(1, 2).repeat_interleave(c.heads // c.groups, dim=1) for y in (B, C))
        return u, B, C


class GroupedNorm(nn.Module):
    """An RMS norm over each group of heads for itself, with one weight for each number."""

    def __init__(self, width: int, groups: int) -> None:
        super().__init__()
        self.groups = groups
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        each = len(self.weight) // self.groups
        return functional.rms_norm(x.reshape(*x.shape[:-1], self.groups, each), (each,), eps=1e-6).flatten(-2) * self.weight


def mamba2(width: int, state: int = 64, head: int = 0, expand: int = 2, groups: int = 1, convolution: int = 4) -> Mamba2Config:
    """Mamba-2 with `expand` numbers for each one of the stream, in heads of width `head`; 0 is 64, or all where there are fewer."""
    inner = expand * width
    each = head or min(HEAD, inner)
    if each < 1 or inner % each:
        raise BadInput(f"mamba2: {expand} x width {width} = {inner} is not divisible by head {each}")
    return Mamba2Config(inner // each, each, groups, state, convolution)
