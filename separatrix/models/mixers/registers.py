"""A recurrence of one vector of registers: h_t is a function of h_(t-1) and x_t, and the output is C h_t.

A mixer says how the registers move (`advanced`); what a whole sequence, one token, a read-out at one place and a trace make of that
is written here, once.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.arithmetic.operators import Values
from separatrix.models.mixers.mixer import Recurrence, Tensors, pick


class RegisterRecurrence(Recurrence):
    """Registers beside a stream of `width` numbers."""

    initial: nn.Parameter | None  # h_0; None: it is 0
    out: nn.Parameter  # C

    @abstractmethod
    def maps(self) -> Any:
        """What `advanced` needs of the weights; made once for a whole sequence."""

    @abstractmethod
    def advanced(self, h: Values, x: Values, maps: Any) -> Values:
        """The registers [b, state] after the vectors x [b, width] of one token."""

    @property
    def state_size(self) -> int:
        return self.out.shape[1]

    def initial_state(self, rows: int) -> Tensors:
        """h_0; a copy, so that no one who changes a state changes the weight."""
        if self.initial is None:
            return (self.numbers.enter(torch.zeros(rows, self.state_size, dtype=self.out.dtype)),)
        return (self.numbers.enter(self.initial.expand(rows, -1).clone()),)

    def following(self, state: Tensors, x: Values) -> tuple[Tensors, Values]:
        h = self.advanced(state[0], x, self.maps())
        return (h,), self.numbers.linear(h, self.out)

    def registers(self, x: Values) -> Values:
        """h_1, .., h_n, [b, n, state]."""
        (h,), maps = self.initial_state(len(x)), self.maps()
        every = []
        for t in range(x.shape[1]):
            h = self.advanced(h, x[:, t], maps)
            every.append(h[:, None])
        return self.numbers.join(every, 1)

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """C h_t everywhere, or at one position of each row: then C is applied there alone."""
        every = self.registers(x)
        return self.numbers.linear(every if at is None else pick(every, at), self.out)

    def mix(self, x: Values) -> Values:
        return self.forward(x)

    def inside(self, x: Values, at: Tensor | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The registers after every token, [b, n, state]."""
        return {"registers": self.numbers.leave(self.registers(x))}
