"""Elman's recurrent network.

[bhattamishra2024 Section 2(2)]

    h' = tanh(W x_t + U h + b)

The state is h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.mixers.mixer import Tensors
from separatrix.models.mixers.torch_cell import TorchCell, TorchCellConfig


@dataclass(frozen=True)
class ElmanConfig(TorchCellConfig):
    """Configuration of an Elman layer."""

    kind: ClassVar[str] = "elman"
    title: ClassVar[str] = "an Elman network"

    def build(self, width: int, numbers: Arithmetic) -> Elman:
        return Elman(nn.RNN(width, width, batch_first=True), width, numbers)


class Elman(TorchCell):
    """An Elman network as a mixer."""

    def cell(self, state: Tensors, read: Tensor, recurrent: Tensor) -> Tensors:  # noqa: ARG002
        return ((read + recurrent).tanh(),)


def elman() -> ElmanConfig:
    """Elman's network; h is as wide as the stream."""
    return ElmanConfig()
