"""A linear recurrence over the tokens: h_t = A h_(t-1) + B x_t from h_0 = 0, and what is read from h_t is C h_t.

[wen2024 Definition 3.5]

A, B and C are the same at every step. In the place of attention it makes a layer of a linear recurrent network; a model with layers
of both kinds is a hybrid. Each step is one linear form, which an exact format stores once.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.sequence_model import Tensors, pick


class LinearUnit(nn.Module):
    """`state` registers beside a stream of `width` numbers."""

    def __init__(self, width: int, state: int, numbers: Arithmetic) -> None:
        super().__init__()
        self.numbers = numbers
        self.transition = nn.Parameter(torch.zeros(state, state))  # A
        self.drive = nn.Parameter(torch.zeros(state, width))  # B
        self.out = nn.Parameter(torch.zeros(width, state))  # C

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """C h_t at every position of x [b, n, width], or at one position of each row."""
        h, matrix = self.initial(len(x)), torch.cat([self.transition, self.drive], dim=1)
        held = []
        for t in range(x.shape[1]):
            h = self.numbers.linear(self.numbers.join([h, x[:, t]], 1), matrix)
            held.append(h[:, None])
        every = self.numbers.join(held, 1)
        return self.numbers.linear(every if at is None else pick(every, at), self.out)

    def initial(self, rows: int) -> Values:
        """h_0."""
        return self.numbers.enter(torch.zeros(rows, len(self.transition), dtype=self.transition.dtype))

    def step(self, state: Tensors, x: Values) -> tuple[Tensors, Values]:
        """The next h and C h, from x [b, 1, width]."""
        h = self.numbers.linear(self.numbers.join([state[0], x[:, 0]], 1), torch.cat([self.transition, self.drive], dim=1))
        return (h,), self.numbers.linear(h[:, None], self.out)
