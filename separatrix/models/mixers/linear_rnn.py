"""A linear recurrence over the tokens: h_t = A h_(t-1) + B x_t with h_0 = 0; its output is C h_t.

[wen2024 Definition 3.5]

A, B and C are the same at every step. A model with layers of this kind and of attention is a hybrid.
Each step is one linear form, which an exact format stores once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.config import MixerConfig
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.mixer import weight
from separatrix.models.mixers.registers import RegisterRecurrence

LONGEST = 512.0  # tokens over which the slowest register of a fresh unit forgets


@dataclass(frozen=True)
class LinearRnnConfig(MixerConfig):
    """How many registers h has."""

    state: int

    kind: ClassVar[str] = "linear-rnn"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("state")

    def build(self, width: int, numbers: Arithmetic) -> LinearRnn:
        return LinearRnn(self, width, numbers)


class LinearRnn(RegisterRecurrence):
    """`state` registers beside a stream of `width` numbers."""

    def __init__(self, config: LinearRnnConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.transition = weight(config.state, config.state)  # A
        self.drive = weight(config.state, width)  # B
        self.initial = None
        self.out = weight(width, config.state)  # C

    def maps(self) -> Tensor:
        """A and B side by side: one linear form of (h, x)."""
        return torch.cat([self.transition, self.drive], dim=1)

    def advanced(self, h: Values, x: Values, maps: Tensor) -> Values:
        return self.numbers.linear(self.numbers.join([h, x], 1), maps)

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Registers that forget at rates from one token to LONGEST, with input and output weights that preserve the size of the stream."""
        state, width = self.config.state, self.width
        rates = torch.exp(torch.linspace(0.0, -math.log(LONGEST), state))
        self.transition.copy_(torch.diag(torch.exp(-rates)))
        nn.init.normal_(self.drive, 0.0, 1 / math.sqrt(width))
        nn.init.normal_(self.out, 0.0, shrink / math.sqrt(state))


def linear_rnn(width: int, state: int = 0) -> LinearRnnConfig:
    """A linear recurrence with `state` registers; 0 means as many as the stream is wide."""
    return LinearRnnConfig(state or width)
