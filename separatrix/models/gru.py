"""Gated recurrent unit.

[bhattamishra2024 Section 2(2)]

    r, z = sigma(W x_t + U h + b)                    reset, update
    n    = tanh(W x_t + b + r (U h + b'))            candidate
    h'   = (1 - z) n + z h

The state is h. `step` is the definition; the whole sequence goes through torch's own kernel, which is held against it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.models.mixer import Mixer
from separatrix.models.sequence_model import Tensors
from separatrix.models.stack import Stack, recurrent_stack


def gru(vocabulary: int, targets: int, width: int = 64, layers: int = 1, dropout: float = 0.0, seed: int = 0) -> Stack:
    """GRU layers one above the other, between an embedding and a linear read-out."""
    return recurrent_stack("gru", vocabulary, targets, width, layers, dropout, seed)


class GRU(Mixer):
    """One layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.kernel = nn.GRU(width, width, batch_first=True)

    def mix(self, x: Tensor) -> Tensor:
        mixed: Tensor = self.kernel(x)[0]
        return mixed

    def initial_state(self, rows: int) -> Tensors:
        return (torch.zeros(rows, self.width, dtype=self.kernel.all_weights[0][0].dtype),)

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:  # noqa: ARG002
        (W, U, b, b2), (h,) = self.kernel.all_weights[0], state
        read_r, read_z, read_n = functional.linear(x, W, b).chunk(3, dim=-1)
        kept_r, kept_z, kept_n = functional.linear(h, U, b2).chunk(3, dim=-1)
        r, z = (read_r + kept_r).sigmoid(), (read_z + kept_z).sigmoid()
        h = (1 - z) * (read_n + r * kept_n).tanh() + z * h
        return (h,), h

    def state_numbers(self, length: int) -> int:  # noqa: ARG002
        return self.width
