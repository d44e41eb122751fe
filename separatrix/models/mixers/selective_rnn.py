"""A linear recurrence whose gates depend on the token: h_t = g(x_t) h_(t-1) + B x_t + b, each number by itself; its output is C h_t.

    signed     g(x) = A x + a            a number may be turned round
    positive   g(x) = relu(A x + a)      it may only be kept, faded or forgotten, as in most recurrences with a state that decays

One number with signed gates computes PARITY: every 1 turns it round. With positive gates a word of 1s moves a number in one direction only,
until it stands still. Each linear form, the product and the sum are operators, which an exact format stores one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import nn

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.mixer import weight
from separatrix.models.mixers.registers import RegisterRecurrence

Gates = Literal["signed", "positive"]
KEPT = 0.95  # of a number, from one token to the next, in a fresh unit


@dataclass(frozen=True)
class SelectiveRnnConfig(MixerConfig):
    """How many numbers h has, and whether a gate may be negative."""

    state: int
    gates: Gates = "signed"

    kind: ClassVar[str] = "selective-rnn"
    style: ClassVar[LayerStyle] = BLOCK

    def __post_init__(self) -> None:
        self.need_positive("state")
        if self.gates not in ("signed", "positive"):
            raise BadInput(f"selective-rnn: gates must be signed or positive, found {self.gates!r}")

    def build(self, width: int, numbers: Arithmetic) -> SelectiveRnn:
        return SelectiveRnn(self, width, numbers)


class SelectiveRnn(RegisterRecurrence):
    """`state` numbers beside a stream of `width` numbers."""

    initial: nn.Parameter

    def __init__(self, config: SelectiveRnnConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.gate = weight(config.state, width)  # A
        self.gate_bias = nn.Parameter(torch.zeros(config.state))  # a
        self.drive = weight(config.state, width)  # B
        self.drive_bias = nn.Parameter(torch.zeros(config.state))  # b
        self.initial = nn.Parameter(torch.zeros(config.state))  # h_0
        self.out = weight(width, config.state)  # C

    def maps(self) -> None:
        """The weights are used as they are."""

    def advanced(self, h: Values, x: Values, maps: None) -> Values:  # noqa: ARG002
        gates = self.numbers.linear(x, self.gate, self.gate_bias)
        if self.config.gates == "positive":
            gates = self.numbers.relu(gates)
        return self.numbers.add(self.numbers.product(gates, h), self.numbers.linear(x, self.drive, self.drive_bias))

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Numbers that are mostly kept, with inputs and outputs that preserve the size of the stream."""
        nn.init.normal_(self.gate, 0.0, 0.1 / math.sqrt(self.width))
        self.gate_bias.fill_(KEPT)
        nn.init.normal_(self.drive, 0.0, 1 / math.sqrt(self.width))
        nn.init.normal_(self.out, 0.0, shrink / math.sqrt(self.config.state))


def selective_rnn(width: int, state: int = 0, gates: Gates = "signed") -> SelectiveRnnConfig:
    """A gated linear recurrence of `state` numbers; 0 means as many as the stream is wide."""
    return SelectiveRnnConfig(state or width, gates)
