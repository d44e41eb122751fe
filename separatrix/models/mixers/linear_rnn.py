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
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.frames import BLOCK, Frame
from separatrix.models.mixers.mixer import Recurrence, Tensors, pick, weight

LONGEST = 512.0  # tokens over which the slowest register of a fresh unit forgets


@dataclass(frozen=True)
class LinearRnnConfig(MixerConfig):
    """How many registers h has."""

    state: int

    kind: ClassVar[str] = "linear-rnn"
    frame: ClassVar[Frame] = BLOCK

    def __post_init__(self) -> None:
        if self.state < 1:
            raise BadInput(f"linear-rnn: state must be at least 1, found {self.state}")

    def build(self, width: int, numbers: Arithmetic) -> LinearRnn:
        return LinearRnn(self, width, numbers)


class LinearRnn(Recurrence):
    """`state` registers beside a stream of `width` numbers."""

    def __init__(self, config: LinearRnnConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.transition = weight(config.state, config.state)  # A
        self.drive = weight(config.state, width)  # B
        self.out = weight(width, config.state)  # C

    @property
    def state_size(self) -> int:
        return self.config.state

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """C h_t everywhere, or at one position of each row: then C is applied there alone."""
        every = self.registers(x)
        return self.numbers.linear(every if at is None else pick(every, at), self.out)

    def mix(self, x: Values) -> Values:
        return self.forward(x)

    def registers(self, x: Values) -> Values:
        """h_1, .., h_n, [b, n, state]."""
        (h,), matrix = self.initial_state(len(x)), torch.cat([self.transition, self.drive], dim=1)
        every = []
        for t in range(x.shape[1]):
            h = self.numbers.linear(self.numbers.join([h, x[:, t]], 1), matrix)
            every.append(h[:, None])
        return self.numbers.join(every, 1)

    def initial_state(self, rows: int) -> Tensors:
        """h_0."""
        return (self.numbers.enter(torch.zeros(rows, self.config.state, dtype=self.transition.dtype)),)

    def following(self, state: Tensors, x: Values) -> tuple[Tensors, Values]:
        h = self.numbers.linear(self.numbers.join([state[0], x], 1), torch.cat([self.transition, self.drive], dim=1))
        return (h,), self.numbers.linear(h, self.out)

    def inside(self, x: Values, at: Tensor | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The registers after every token, [b, n, state]."""
        return {"registers": self.numbers.leave(self.registers(x))}

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
