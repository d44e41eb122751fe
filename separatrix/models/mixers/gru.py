"""Gated recurrent unit.

[bhattamishra2024 Section 2(2)]

    r, z = sigma(W x_t + U h + b)                    reset, update
    n    = tanh(W x_t + b + r (U h + b'))            candidate
    h'   = (1 - z) n + z h

The state is h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.mixers.mixer import Tensors
from separatrix.models.mixers.torch_cell import GatedCell, GatedCellConfig


@dataclass(frozen=True)
class GruConfig(GatedCellConfig):
    """Configuration of a GRU layer."""

    kind: ClassVar[str] = "gru"
    title: ClassVar[str] = "a GRU"

    def build(self, width: int, numbers: Arithmetic) -> Gru:
        return Gru(nn.GRU(width, width, batch_first=True), width, numbers, self.memory)


class Gru(GatedCell):
    """A layer of gated recurrent units."""

    keeping: ClassVar[int] = 1  # z

    def cell(self, state: Tensors, read: Tensor, recurrent: Tensor) -> Tensors:
        read_r, read_z, read_n = read.chunk(3, dim=-1)
        recurrent_r, recurrent_z, recurrent_n = recurrent.chunk(3, dim=-1)
        r, z = (read_r + recurrent_r).sigmoid(), (read_z + recurrent_z).sigmoid()
        return ((1 - z) * (read_n + r * recurrent_n).tanh() + z * state[0],)


def gru(memory: int = 0) -> GruConfig:
    """A gated recurrent unit; h is as wide as the stream, and a fresh one with a `memory` keeps what it reads for up to so many tokens."""
    return GruConfig(memory)
