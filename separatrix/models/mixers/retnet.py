"""Retention: linear attention that fades, each head at a rate of its own, with rotary positions and a gate.

    S_t   = gamma S_(t-1) + k_t v_t^T,   gamma = 1 - 2^-(5 + h) for head h = 0, 1, ..
    mixed = O (silu(G x_t) norm(q_t S_t))          q and k turned by their position; an RMS norm for each head alone

Nothing is divided by a sum: the norm does not see the scale. The state is S of every head. `step` is the definition; the form for
all tokens stands in models/fast/decayed.py.
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
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.attention import rotate
from separatrix.models.mixers.mixer import Tensors, pick, weight
from separatrix.models.mixers.two_stage import TwoStage

EPSILON = 1e-6


@dataclass(frozen=True)
class RetNetConfig(MixerConfig):
    """Sizes of the heads, side by side; rows h m .. (h + 1) m - 1 of each weight belong to head h."""

    heads: int
    key_width: int  # of one head
    value_width: int

    kind: ClassVar[str] = "retnet"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("heads", "key_width", "value_width")
        if self.key_width % 2:
            raise BadInput(f"retnet: rotary positions need an even key width, found {self.key_width}")

    @property
    def inexact(self) -> str:
        return "retention, whose positions are rotations"

    def build(self, width: int, numbers: Arithmetic) -> RetNet:
        return RetNet(self, width, numbers)


class RetNet(TwoStage):
    """Heads with a state of key_width x value_width numbers each."""

    def __init__(self, config: RetNetConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        keys, values = config.heads * config.key_width, config.heads * config.value_width
        self.query, self.key, self.value = weight(keys, width), weight(keys, width), weight(values, width)
        self.gate, self.out = weight(values, width), weight(width, values)  # G, O

    @property
    def rates(self) -> list[float]:
        """The factor gamma by which each head's state decays per token."""
        return [1 - 2.0 ** -(5 + h) for h in range(self.config.heads)]

    def initial_state(self, rows: int) -> Tensors:
        """S, which has seen nothing."""
        c = self.config
        return (torch.zeros(rows, c.heads, c.key_width, c.value_width, dtype=self.out.dtype, device=self.out.device),)

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:
        at = torch.full((len(x),), clock, device=x.device)
        q, k, v = (part[:, :, 0] for part in (self.queries(x[:, None], at), self.keys(x[:, None], clock), self.values(x[:, None])))
        gamma = torch.tensor(self.rates, dtype=x.dtype, device=x.device)
        S = gamma[:, None, None] * state[0] + k[..., None] * v[:, :, None, :]
        return (S,), self.output((q[..., None] * S).sum(dim=2).flatten(1), x)

    def state_numbers(self, length: int) -> int:  # noqa: ARG002
        return self.config.heads * self.config.key_width * self.config.value_width

    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        n, k, v = x.shape[1], self.keys(x, 0), self.values(x)
        rates = torch.tensor([math.log(gamma) for gamma in self.rates], dtype=x.dtype, device=x.device)
        fades = rates[None, :, None].expand(1, -1, n)
        q = self.queries(x if at is None else pick(x, at), at)
        return (attended(q, k, v, fades) if at is None else read_once(q, k, v, fades, at)).transpose(1, 2).flatten(2)

    def output(self, read: Tensor, x: Tensor) -> Tensor:
        heads = read.reshape(*read.shape[:-1], self.config.heads, self.config.value_width)
        normed = functional.rms_norm(heads, (self.config.value_width,), eps=EPSILON).flatten(-2)
        return functional.linear(functional.silu(functional.linear(x, self.gate)) * normed, self.out)

    def queries(self, x: Tensor, at: Tensor | None) -> Tensor:
        """Q x, turned, [b, heads, rows, m]; at every position or at one of each row."""
        positions = torch.arange(x.shape[1], device=x.device) if at is None else at[:, None, None]
        return rotate(self._split(functional.linear(x, self.query)), positions)

    def keys(self, x: Tensor, start: int) -> Tensor:
        """K x, turned and scaled, where x stands at positions start, start + 1, .. counted from 0."""
        positions = torch.arange(start, start + x.shape[1], device=x.device)
        scaled = self.key / math.sqrt(self.config.key_width)  # a weight is smaller than all keys
        return rotate(self._split(functional.linear(x, scaled)), positions)

    def values(self, x: Tensor) -> Tensor:
        """The values of every head."""
        return self._split(functional.linear(x, self.value))

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        c = self.config
        return 3 * n * c.heads * (2 * c.key_width + 2 * c.value_width) + 3 * c.heads * 64 * n

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """As published: Xavier's uniform, times 2^-2.5 for what reads the stream and 1/2 for what writes into it."""
        for parameter in (self.query, self.key, self.value, self.gate):
            nn.init.xavier_uniform_(parameter, gain=2**-2.5)
        nn.init.xavier_uniform_(self.out, gain=0.5)

    def _split(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], self.config.heads, -1).transpose(1, 2)


def retnet(width: int, heads: int = 4, expand: int = 2) -> RetNetConfig:
    """Heads that share the width of the stream, with values `expand` times as wide as keys, as published."""
    if heads < 1 or width % heads:
        raise BadInput(f"retnet: width {width} is not divisible by heads {heads}")
    return RetNetConfig(heads, width // heads, expand * width // heads)
