"""Long short-term memory.

[bhattamishra2024 Section 2(2)]

    i, f, o = sigma(W x_t + U h + b)      gates
    g       = tanh(W x_t + U h + b)       what is written
    c'      = f c + i g,   h' = o tanh(c')

The state is (h, c). `step` is the definition; the whole sequence goes through torch's own kernel, which is held against it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.models.mixer import Mixer
from separatrix.models.sequence_model import Tensors
from separatrix.models.stack import Stack, recurrent_stack


def lstm(vocabulary: int, targets: int, width: int = 64, layers: int = 1, dropout: float = 0.0, seed: int = 0) -> Stack:
    """LSTM layers one above the other, between an embedding and a linear read-out."""
    return recurrent_stack("lstm", vocabulary, targets, width, layers, dropout, seed)


class LSTM(Mixer):
    """One layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.kernel = nn.LSTM(width, width, batch_first=True)

    def mix(self, x: Tensor) -> Tensor:
        mixed: Tensor = self.kernel(x)[0]
        return mixed

    def initial_state(self, rows: int) -> Tensors:
        zero = torch.zeros(rows, self.width, dtype=self.kernel.all_weights[0][0].dtype)
        return zero, zero

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:  # noqa: ARG002
        (W, U, b, b2), (h, c) = self.kernel.all_weights[0], state
        gates = functional.linear(x, W, b) + functional.linear(h, U, b2)
        i, f, g, o = gates.chunk(4, dim=-1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        return (h, c), h

    def state_numbers(self, length: int) -> int:  # noqa: ARG002
        return 2 * self.width
