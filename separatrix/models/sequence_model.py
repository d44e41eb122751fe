"""What every architecture can do: logits in parallel, the same logits token by token through a state, and the size of that state.

    model(tokens)              logits [b, n, targets]
    model(tokens, at=i)        logits [b, targets] at one position of each row
    model.step(state, s_t)     the next state, and the logits [b, targets] after token s_t

A state is everything that crosses the cut between two tokens, except the clock: the number of tokens read is free.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.arithmetic import parse_format
from separatrix.errors import BadInput

Tensors = tuple[Any, ...]  # torch tensors, or whatever carries the numbers of an exact format; the first axis is the row


@dataclass(frozen=True)
class State:
    """What a model remembers of the tokens it has read."""

    clock: int  # tokens read so far
    layers: tuple[Tensors, ...]  # the tensors of each layer


class SequenceModel(nn.Module, ABC):
    """A causal map from tokens to logits."""

    @abstractmethod
    def forward(self, tokens: Tensor, at: int | Tensor | None = None) -> Tensor:
        """Logits everywhere, or at the position `at` of each row (-1 is the last)."""

    @abstractmethod
    def initial_state(self, rows: int) -> State:
        """The state before the first token of `rows` sequences."""

    @abstractmethod
    def step(self, state: State, tokens: Tensor) -> tuple[State, Tensor]:
        """Read one token [rows] of each sequence: the next state and the logits [rows, targets]."""

    @abstractmethod
    def state_numbers(self, length: int) -> int:
        """How many numbers the state of one sequence holds after `length` tokens."""

    def state_bits(self, length: int, dtype: str = "float32") -> int:
        """Bits of the tensors that cross the cut after `length` tokens, when a number has the bits of `dtype`."""
        if length < 0:
            raise BadInput(f"state_bits: length must not be negative, found {length}")
        return parse_format(dtype).bits * self.state_numbers(length)


def pick(x: Any, at: Tensor) -> Any:
    """The vectors [b, 1, d] of x [b, n, d] at one position of each row."""
    return x[torch.arange(len(at)), at][:, None]


def need_tokens(tokens: Tensor) -> None:
    """Refuse anything but a batch of rows of ids."""
    if tokens.dim() != 2 or tokens.is_floating_point():
        raise BadInput(f"expected integer tokens [rows, n], found {str(tokens.dtype).removeprefix('torch.')} of shape {list(tokens.shape)}")
