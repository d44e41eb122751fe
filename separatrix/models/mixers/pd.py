"""PD: a state vector that each token multiplies by a diagonal matrix and by one with a single 1 in every column, both chosen by the token.

    P_x   one-hot columns: where the mixture sum_k (w x)_k T_k of a few tables is largest in the column
    h_t   = P_x (clip(g x_t + b) h_(t-1)) + D x_t,    h_0 a weight; gates are cut off at -1 and 1
    mixed = C h_t

A column-one-hot matrix is a map of coordinates, so one layer of N numbers runs any automaton with N states. Gradients pass through P as
through the softmax of its columns (straight through).
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

KEPT = 0.95  # of a number, from one token to the next, in a fresh unit


@dataclass(frozen=True)
class PdConfig(MixerConfig):
    """How many numbers h has, and how many tables P is mixed from."""

    state: int
    tables: int

    kind: ClassVar[str] = "pd"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("state", "tables")

    @property
    def inexact(self) -> str:
        return "PD, which multiplies numbers of the state by a matrix of the token"

    def build(self, width: int, numbers: Arithmetic) -> Pd:
        return Pd(self, width, numbers)


class Pd(RegisterRecurrence):
    """`state` numbers beside a stream of `width` numbers."""

    initial: nn.Parameter

    def __init__(self, config: PdConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.choice = weight(config.tables, width)  # w
        self.tables = weight(config.tables, config.state * config.state)  # T, [target, source] each
        self.gate, self.gate_bias = weight(config.state, width), nn.Parameter(torch.zeros(config.state))  # g, b
        self.drive = weight(config.state, width)  # D
        self.initial = nn.Parameter(torch.zeros(config.state))  # h_0
        self.out = weight(width, config.state)  # C

    def maps(self) -> None:
        """Nothing: every map depends on the token."""

    def advanced(self, h: Tensor, x: Tensor, maps: None) -> Tensor:  # noqa: ARG002
        kept = functional.linear(x, self.gate, self.gate_bias).clamp(-1, 1) * h
        return (self.columns(x) * kept[:, None, :]).sum(dim=-1) + functional.linear(x, self.drive)

    def columns(self, x: Tensor) -> Tensor:
        """P [b, target, source] of tokens x [b, width]."""
        N = self.config.state
        scores = functional.linear(functional.linear(x, self.choice), self.tables.T).reshape(len(x), N, N)
        soft = scores.softmax(dim=1)
        hard: Tensor = functional.one_hot(scores.argmax(dim=1), N).transpose(1, 2).to(soft.dtype)
        return hard + (soft - soft.detach())

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        return n * self.config.state * (6 * self.config.state + 6) + 6 * n * self.width

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Numbers that are mostly kept, tables of size 1, an input and an output that preserve the size of the stream."""
        nn.init.normal_(self.choice, 0.0, 1 / math.sqrt(self.width))
        nn.init.normal_(self.tables, 0.0, 1.0)
        nn.init.normal_(self.gate, 0.0, 0.1 / math.sqrt(self.width))
        self.gate_bias.fill_(KEPT)
        nn.init.normal_(self.drive, 0.0, 1 / math.sqrt(self.width))
        nn.init.normal_(self.initial, 0.0, 1.0)
        nn.init.normal_(self.out, 0.0, shrink / math.sqrt(self.config.state))


def pd(width: int, state: int = 0, tables: int = 6) -> PdConfig:
    """A state of `state` numbers, 0 for as many as the stream is wide, and so many tables."""
    return PdConfig(state or width, tables)
