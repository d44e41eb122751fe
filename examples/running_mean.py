"""A mixer of one's own: each token reads a decaying mean of the past, and a state of one vector carries it."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class RunningMean(nn.Module):
    """y_t = W h_t with h_t = a h_{t-1} + (1 - a) x_t; one learned decay per coordinate."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(-2.0, 4.0, width))
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        state, read = None, []
        for t in range(x.shape[1]):
            state, y = self.step(state, x[:, t])
            read.append(y)
        return torch.stack(read, dim=1)

    def step(self, state: Tensor | None, x: Tensor) -> tuple[Tensor, Tensor]:
        a = torch.sigmoid(self.decay)
        h = (1 - a) * x if state is None else a * state + (1 - a) * x
        return h, self.out(h)
