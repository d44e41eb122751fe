"""Long short-term memory.

[bhattamishra2024 Section 2(2)]

    i, f, o = sigma(W x_t + U h + b)      gates
    g       = tanh(W x_t + U h + b)       what is written
    c'      = f c + i g,   h' = o tanh(c')

The state is (h, c).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.mixers.mixer import Tensors
from separatrix.models.mixers.torch_cell import GatedCell, GatedCellConfig


@dataclass(frozen=True)
class LstmConfig(GatedCellConfig):
    """Configuration of an LSTM layer."""

    kind: ClassVar[str] = "lstm"
    title: ClassVar[str] = "an LSTM"

    def build(self, width: int, numbers: Arithmetic) -> Lstm:
        return Lstm(nn.LSTM(width, width, batch_first=True), width, numbers, self.memory)


class Lstm(GatedCell):
    """A layer of long short-term memory."""

    keeping: ClassVar[int] = 1  # f
    writing: ClassVar[int | None] = 0  # i
    vectors: ClassVar[int] = 2

    def cell(self, state: Tensors, read: Tensor, recurrent: Tensor) -> Tensors:
        i, f, g, o = (read + recurrent).chunk(4, dim=-1)
        c = f.sigmoid() * state[1] + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


def lstm(memory: int = 0) -> LstmConfig:
    """Long short-term memory; h is as wide as the stream, and a fresh one with a `memory` keeps what it reads for up to so many tokens."""
    return LstmConfig(memory)
