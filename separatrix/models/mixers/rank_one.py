"""Rank-one factors: a state vector that each token multiplies by a product of matrices I - a b^T, both vectors chosen by the token.

    for j = 1 .. F:   h <- h - a_j (b_j . h),    a_j = A_j x, b_j = B_j x
    h_t   = h + D x_t,   h_0 a weight
    mixed = C h_t

With b = a it is a reflection or a projection, as in DeltaProduct; otherwise it may also merge two coordinates into one: a = e_i - e_j and
b = e_i. So one layer with one-hot states runs any automaton, with at most as many factors a token as a letter needs.
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
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.mixer import weight
from separatrix.models.mixers.registers import RegisterRecurrence


@dataclass(frozen=True)
class RankOneConfig(MixerConfig):
    """How many numbers h has, and how many factors a token."""

    state: int
    factors: int

    kind: ClassVar[str] = "rank-one"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("state", "factors")

    @property
    def inexact(self) -> str:
        return "rank-one factors, which multiply numbers of the state"

    def build(self, width: int, numbers: Arithmetic) -> RankOne:
        return RankOne(self, width, numbers)


class RankOne(RegisterRecurrence):
    """`state` numbers beside a stream of `width` numbers."""

    initial: nn.Parameter

    def __init__(self, config: RankOneConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.moved = weight(config.factors * config.state, width)  # A
        self.read = weight(config.factors * config.state, width)  # B
        self.drive = weight(config.state, width)  # D
        self.initial = nn.Parameter(torch.zeros(config.state))  # h_0
        self.out = weight(width, config.state)  # C

    def maps(self) -> None:
        """Nothing: every map depends on the token."""

    def advanced(self, h: Tensor, x: Tensor, maps: None) -> Tensor:  # noqa: ARG002
        F = self.config.factors
        a, b = (functional.linear(x, matrix).reshape(len(x), F, -1) for matrix in (self.moved, self.read))
        for j in range(F):
            h = h - a[:, j] * (b[:, j] * h).sum(dim=-1, keepdim=True)
        return h + functional.linear(x, self.drive)

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        return n * self.config.state * (4 * self.config.factors + 4) + 6 * n * self.width

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Factors near the identity, an input and an output that preserve the size of the stream."""
        small = 0.1 / math.sqrt(self.width * math.sqrt(self.config.state))
        for matrix in (self.moved, self.read):
            nn.init.normal_(matrix, 0.0, small)
        nn.init.normal_(self.drive, 0.0, 1 / math.sqrt(self.width))
        nn.init.normal_(self.initial, 0.0, 1.0)
        nn.init.normal_(self.out, 0.0, shrink / math.sqrt(self.config.state))


def rank_one(width: int, state: int = 0, factors: int = 2) -> RankOneConfig:
    """A state of `state` numbers, 0 for as many as the stream is wide, and so many factors a token."""
    return RankOneConfig(state or width, factors)
