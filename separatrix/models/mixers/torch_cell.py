"""A recurrent cell with torch's own weights and fast kernel, beside its definition token by token.

A law test compares the two. The weights have torch's names: kernel.weight_ih_l0 and so on.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.config import MixerConfig
from separatrix.models.frames import BARE, Frame
from separatrix.models.mixers.mixer import Recurrence, Tensors


@dataclass(frozen=True)
class TorchCellConfig(MixerConfig):
    """Its sizes follow from the width of the stream."""

    title: ClassVar[str]  # as in: an LSTM
    frame: ClassVar[Frame] = BARE

    @property
    def inexact(self) -> str:
        return self.title


class TorchCell(Recurrence):
    """One layer of a kernel; its state is `vectors` vectors of the stream's width, the first of which is the output."""

    vectors: ClassVar[int] = 1

    def __init__(self, kernel: nn.RNNBase, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.kernel = kernel

    @abstractmethod
    def cell(self, state: Tensors, read: Tensor, recurrent: Tensor) -> Tensors:
        """The next state, from the old one, W x + b and U h + b'."""

    @property
    def state_size(self) -> int:
        return self.vectors * self.width

    def mix(self, x: Tensor) -> Tensor:
        mixed: Tensor = self.kernel(x)[0]
        return mixed

    def initial_state(self, rows: int) -> Tensors:
        return (torch.zeros(rows, self.width, dtype=self.kernel.all_weights[0][0].dtype),) * self.vectors

    def following(self, state: Tensors, x: Tensor) -> tuple[Tensors, Tensor]:
        W, U, b, b2 = self.kernel.all_weights[0]
        state = self.cell(state, functional.linear(x, W, b), functional.linear(state[0], U, b2))
        return state, state[0]

    def start(self, deviation: float, shrink: float) -> None:
        """Keep torch's own initialisation."""
