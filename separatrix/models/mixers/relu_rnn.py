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
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.frames import BLOCK, Frame
from separatrix.models.mixers.mixer import Recurrence, Tensors, pick, weight

KEPT = 0.95  # of a register, from one token to the next, in a fresh unit


@dataclass(frozen=True)
class ReluRnnConfig(MixerConfig):
    """How many numbers h has, and how many hidden units compute the next ones."""

    state: int
    hidden: int

    kind: ClassVar[str] = "relu-rnn"
    frame: ClassVar[Frame] = BLOCK

    def __post_init__(self) -> None:
        if self.state < 1 or self.hidden < 1:
            raise BadInput(f"relu-rnn: state and hidden must be at least 1, found state={self.state}, hidden={self.hidden}")

    def build(self, width: int, numbers: Arithmetic) -> ReluRnn:
        return ReluRnn(self, width, numbers)


class ReluRnn(Recurrence):
    """`state` numbers beside a stream of `width` numbers."""

    def __init__(self, config: ReluRnnConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        self.transition = weight(config.hidden, config.state)  # A
        self.drive = weight(config.hidden, width)  # B
        self.bias = nn.Parameter(torch.zeros(config.hidden))  # b
        self.back = weight(config.state, config.hidden)  # W
        self.initial = nn.Parameter(torch.zeros(config.state))  # h_0
        self.out = weight(width, config.state)  # C

    @property
    def state_size(self) -> int:
        return self.config.state

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """C h_t everywhere, or at one position of each row: then C is applied there alone."""
        every = self.states(x)
        return self.numbers.linear(every if at is None else pick(every, at), self.out)

    def mix(self, x: Values) -> Values:
        return self.forward(x)

    def states(self, x: Values) -> Values:
        """h_1, .., h_n, [b, n, state]."""
        (h,), both = self.initial_state(len(x)), self._both()
        every = []
        for t in range(x.shape[1]):
            h = self._next(h, x[:, t], both)
            every.append(h[:, None])
        return self.numbers.join(every, 1)

    def initial_state(self, rows: int) -> Tensors:
        """h_0; a copy, so that no one who changes a state changes the weight."""
        return (self.numbers.enter(self.initial.expand(rows, -1).clone()),)

    def following(self, state: Tensors, x: Values) -> tuple[Tensors, Values]:
        h = self._next(state[0], x, self._both())
        return (h,), self.numbers.linear(h, self.out)

    def inside(self, x: Values, at: Tensor | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The state after every token, [b, n, state]."""
        return {"registers": self.numbers.leave(self.states(x))}

    def _both(self) -> Tensor:
        """A and B side by side: the units read one linear form of (h, x)."""
        return torch.cat([self.transition, self.drive], dim=1)

    def _next(self, h: Values, x: Values, both: Tensor) -> Values:
        units = self.numbers.relu(self.numbers.linear(self.numbers.join([h, x], 1), both, self.bias))
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
