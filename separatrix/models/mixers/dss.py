"""Diagonal state spaces: every channel drives `state` complex numbers that turn and fade at fixed rates.

    lambda_n  = -e^(r_n) + i w_n,   a = e^(lambda step),   c = W (a - 1) / lambda        step and W for each channel
    s_t       = a s_(t-1) + u_t,    y_t = Re <c, s_t> + d u_t                            u = x, channel by channel
    mixed     = O gelu(y) + o

A gated one has twice as many rows in O and o, and mixes the first half, times the sigmoid of the second (GLU): what is read can then be
chosen by the token that asks. The state is s, two real numbers for each complex one. `following` is the definition; as a convolution it
stands in models/fast/diagonal.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.config import MixerConfig
from separatrix.models.fast.diagonal import convolved, read_once
from separatrix.models.layer_styles import ALONE, LayerStyle
from separatrix.models.mixers.mixer import Recurrence, Tensors, weight
from separatrix.models.mixers.starting import as_linear, log_time_steps
from separatrix.models.mixers.two_stage import TwoStage


@dataclass(frozen=True)
class DssConfig(MixerConfig):
    """How many complex numbers each channel has, and whether what they say is gated."""

    state: int
    gated: bool = False

    kind: ClassVar[str] = "dss"
    style: ClassVar[LayerStyle] = ALONE

    def __post_init__(self) -> None:
        self.need_positive("state")

    @property
    def inexact(self) -> str:
        return "a diagonal state space, whose decay is an exponential"

    def build(self, width: int, numbers: Arithmetic) -> Dss:
        return Dss(self, width, numbers)


class Dss(TwoStage, Recurrence):
    """One state space for each number of the stream, and a linear map across them."""

    def __init__(self, config: DssConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config, N = config, config.state
        self.fading, self.turning = nn.Parameter(torch.zeros(N)), nn.Parameter(torch.zeros(N))  # r, w
        self.log_step = nn.Parameter(torch.zeros(width))
        self.reading = nn.Parameter(torch.zeros(width, N, 2))  # W, real and imaginary
        self.skip = nn.Parameter(torch.zeros(width))  # d
        outputs = 2 * width if config.gated else width
        self.out, self.out_bias = weight(outputs, width), nn.Parameter(torch.zeros(outputs))  # O, o

    @property
    def state_size(self) -> int:
        return 2 * self.width * self.config.state

    def initial_state(self, rows: int) -> Tensors:
        """The state s = 0 before the first token."""
        return (torch.zeros(rows, self.width, self.config.state, 2, dtype=self.out.dtype, device=self.out.device),)

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        log_a, c = self.system()
        s = log_a.exp() * torch.view_as_complex(state[0]) + x[..., None]
        return (torch.view_as_real(s),), self.output((c * s).sum(dim=-1).real, x)

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        log_a, c = self.system()
        return convolved(x, log_a, c) if at is None else read_once(x, log_a, c, at)

    def output(self, read: Tensor, x: Tensor) -> Tensor:
        mixed = functional.linear(functional.gelu(read + self.skip * x), self.out, self.out_bias)
        return functional.glu(mixed) if self.config.gated else mixed

    def system(self) -> tuple[Tensor, Tensor]:
        """log a and c, complex [width, state]."""
        rates = torch.complex(-self.fading.exp(), self.turning)
        log_a = self.log_step.exp()[:, None] * rates
        return log_a, torch.view_as_complex(self.reading) * torch.expm1(log_a) / rates

    def working_numbers(self, n: int, readers: int) -> int:
        whole = 0 if readers == 1 else self.width * min(n, 128) ** 2
        return 8 * n * self.width + 4 * self.width * self.config.state * (n // 32 + 32) + whole

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Start as published: the spectrum of the skew HiPPO matrix, steps log-uniform in [0.001, 0.1], W and d normal."""
        nn.init.constant_(self.fading, math.log(0.5))
        self.turning.copy_(torch.from_numpy(skew_hippo(self.config.state)))
        self.log_step.copy_(log_time_steps(self.width))
        nn.init.normal_(self.reading)
        nn.init.normal_(self.skip)
        as_linear(self.out, math.sqrt(2) * shrink)  # one residual connection for each layer


def skew_hippo(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The positive imaginary parts of the spectrum of HiPPO's normal part, of order 2 count: its real parts are all -1/2.

    HiPPO's matrix is -sqrt((2i + 1)(2k + 1)) below the diagonal and -(i + 1) on it; with half of an outer product added it is
    -1/2 plus a skew-symmetric matrix.
    """
    root = np.sqrt(2 * np.arange(2 * count) + 1.0)
    below = np.tril(np.outer(root, root), -1) / 2
    return np.sort(np.linalg.eigvalsh(1j * (below - below.T)))[count:]


def dss(state: int = 64, gated: bool = False) -> DssConfig:
    """A diagonal state space of `state` complex numbers for each number of the stream, whose outputs may be gated."""
    return DssConfig(state, gated)
