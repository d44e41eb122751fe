"""A recurrent cell with torch's own weights and fast kernel, beside its definition token by token.

A law test compares the two. The weights have torch's names: kernel.weight_ih_l0 and so on.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.layer_styles import BARE, LayerStyle
from separatrix.models.mixers.mixer import Recurrence, Tensors
from separatrix.models.mixers.starting import memory_biases

SHORTEST = 3  # tokens of a memory: a gate that is half open has 2


@dataclass(frozen=True)
class TorchCellConfig(MixerConfig):
    """Its sizes follow from the width of the stream."""

    title: ClassVar[str]  # as in: an LSTM
    style: ClassVar[LayerStyle] = BARE

    @property
    def inexact(self) -> str:
        return self.title


@dataclass(frozen=True)
class GatedCellConfig(TorchCellConfig):
    """A cell with a gate that keeps, and the longest memory of a fresh one, in tokens; 0 starts it as torch does."""

    memory: int = field(default=0, compare=False, metadata={"described": False})  # only of fresh weights, so descriptions leave it out

    def __post_init__(self) -> None:
        if self.memory != 0 and self.memory < SHORTEST:
            raise BadInput(f"{self.kind}: memory must be 0 or at least {SHORTEST} tokens, found {self.memory}")


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


class GatedCell(TorchCell):
    """One whose gates, in the order of torch's weights, include one that keeps what is remembered and perhaps one that writes to it."""

    keeping: ClassVar[int]
    writing: ClassVar[int | None] = None

    def __init__(self, kernel: nn.RNNBase, width: int, numbers: Arithmetic, memory: int) -> None:
        super().__init__(kernel, width, numbers)
        self.memory = memory

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """As torch does, or with memories of all lengths: each number is then written as slowly as it is forgotten."""
        if self.memory:
            biases, width = self.kernel.all_weights[0][2:], self.width
            kept = memory_biases(width, self.memory)
            for gate, start in ((self.keeping, kept), (self.writing, -kept)):
                if gate is not None:
                    of_gate = slice(gate * width, (gate + 1) * width)
                    biases[0][of_gate], biases[1][of_gate] = start, 0
