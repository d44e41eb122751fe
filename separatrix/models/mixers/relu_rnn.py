"""A recurrence through one hidden layer of ReLUs: h_t = W relu(A h_(t-1) + B x_t + b) from a stored h_0; its output is C h_t.

[bhattamishra2024 Section 2(2)]

Only h crosses from one token to the next; the hidden units do not. So an automaton fits into a state of a few bits, however many units
its moves take. Each linear form is one operator, which an exact format stores once.
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

KEPT = 0.95  # of a register, from one token to the next, in a fresh unit


@dataclass(frozen=True)
class ReluRnnConfig(MixerConfig):
    """How many numbers h has, and how many hidden units compute the next ones."""

    state: int
    hidden: int

    kind: ClassVar[str] = "relu-rnn"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("state", "hidden")

    def build(self, width: int, numbers: Arithmetic) -> ReluRnn:
        return ReluRnn(self, width, numbers)


class ReluRnn(RegisterRecurrence):
    """`state` numbers beside a stream of `width` numbers."""

    initial: nn.Parameter

    def __init__(self, config: ReluRnnConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.transition = weight(config.hidden, config.state)  # A
        self.drive = weight(config.hidden, width)  # B
        self.bias = nn.Parameter(torch.zeros(config.hidden))  # b
        self.back = weight(config.state, config.hidden)  # W
        self.initial = nn.Parameter(torch.zeros(config.state))  # h_0
        self.out = weight(width, config.state)  # C

    def maps(self) -> Tensor:
        """A and B side by side: the units read one linear form of (h, x)."""
        return torch.cat([self.transition, self.drive], dim=1)

    def advanced(self, h: Values, x: Values, maps: Tensor) -> Values:
        units = self.numbers.relu(self.numbers.linear(self.numbers.join([h, x], 1), maps, self.bias))
        return self.numbers.linear(units, self.back)

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Pairs of units relu(h) and relu(-h) that keep most of h, and inputs and outputs that preserve the size of the stream."""
        state, hidden = self.config.state, self.config.hidden
        nn.init.normal_(self.drive, 0.0, 1 / math.sqrt(self.width))
        nn.init.normal_(self.out, 0.0, shrink / math.sqrt(state))
        signs = torch.eye(state).repeat(-(-hidden // state), 1)[:hidden] * (1 - 2 * (torch.arange(hidden) // state % 2))[:, None]
        self.transition.copy_(signs)
        self.back.copy_(KEPT * signs.T / max(1, hidden // (2 * state)))


def relu_rnn(width: int, state: int = 0, hidden: int = 0) -> ReluRnnConfig:
    """A recurrence of `state` numbers through `hidden` ReLUs; 0 means as many numbers as the stream is wide, and two units for each."""
    numbers = state or width
    return ReluRnnConfig(numbers, hidden or 2 * numbers)
