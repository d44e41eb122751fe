"""A mixer: the part of a layer that moves information from token to token, x [b, n, width] -> [b, n, width].

    mix(x)                     the whole sequence at once
    step(state, x_t, clock)    one token, from the state after the tokens before it
    state_numbers(n)           how many numbers the state has after n tokens

A mixer with an exact form computes with the operators of its number format and with nothing else.
The state is everything that crosses the cut between two tokens; the clock, the number of tokens read, is free.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.state_at_cut import LayerCut

Tensors = tuple[Any, ...]  # torch tensors, or whatever carries the numbers of an exact format; the first axis is the row


class Mixer(nn.Module, ABC):
    """A map of sequences that can also be run one token at a time."""

    causal: bool = True  # whether no token reads a later one
    state_known: bool = True  # whether it declares the size of its state

    def __init__(self, width: int, numbers: Arithmetic) -> None:
        super().__init__()
        self.width, self.numbers = width, numbers

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """The sequence [b, n, width] after mixing, or its vectors [b, 1, width] at one position of each row."""
        mixed = self.mix(x)
        return mixed if at is None else pick(mixed, at)

    @abstractmethod
    def mix(self, x: Values) -> Values:
        """The whole sequence at once."""

    @abstractmethod
    def initial_state(self, rows: int) -> Tensors:
        """The state before the first token."""

    @abstractmethod
    def step(self, state: Tensors, x: Values, clock: int) -> tuple[Tensors, Values]:
        """Read the vectors x [b, width] of token number `clock`, from 0: the next state and the mixed vectors [b, width]."""

    @abstractmethod
    def state_numbers(self, length: int) -> int:
        """How many numbers the state of one row has after `length` tokens."""

    def state_bits(self, length: int, bits: int) -> int:
        """How many bits the state of one row has, at `bits` per number."""
        return bits * self.state_numbers(length)

    def cut(self, length: int) -> LayerCut:
        """What crosses the cut after `length` tokens, for bounds on state bits; attention overrides it."""
        return LayerCut(numbers=self.state_numbers(length))

    def working_numbers(self, n: int, readers: int) -> int:  # noqa: ARG002
        """About how many numbers `mix` holds at once for one row of n tokens, read at `readers` of them."""
        return 6 * n * self.width

    def inside(self, x: Values, at: Tensor | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The inner values of one run that a trace shows, by name."""
        return {}

    def start(self, deviation: float, shrink: float) -> None:
        """Fresh weights from torch's generator: matrices normal, those that write into the stream smaller; vectors stay 0."""
        for name, parameter in self.named_parameters():
            if parameter.dim() >= 2:
                nn.init.normal_(parameter, 0.0, deviation * (shrink if name == "out" else 1.0))


class Recurrence(Mixer):
    """A mixer with the same step at every token and a state of fixed size."""

    @property
    @abstractmethod
    def state_size(self) -> int:
        """How many numbers the state of one row has."""

    @abstractmethod
    def following(self, state: Tensors, x: Values) -> tuple[Tensors, Values]:
        """The next state and the mixed vectors [b, width], from the vectors x [b, width] of one token."""

    def step(self, state: Tensors, x: Values, clock: int) -> tuple[Tensors, Values]:  # noqa: ARG002
        return self.following(state, x)

    def state_numbers(self, length: int) -> int:  # noqa: ARG002
        return self.state_size

    def mix(self, x: Values) -> Values:
        """The recurrence itself, token by token; mixers with a faster form override it."""
        state, mixed = self.initial_state(len(x)), []
        for t in range(x.shape[1]):
            state, y = self.following(state, x[:, t])
            mixed.append(y[:, None])
        return self.numbers.join(mixed, 1)


def pick(x: Values, at: Tensor) -> Values:
    """The vectors [b, 1, d] of x [b, n, d] at one position of each row."""
    rows, columns = torch.arange(len(at)), at
    if isinstance(x, Tensor):
        return x[rows, columns][:, None]
    return x[rows.numpy(), columns.numpy()][:, None]  # an array of Python integers takes a tensor of one element for an integer


def weight(out: int, into: int) -> nn.Parameter:
    """A matrix of zeros, to be set by `start`."""
    return nn.Parameter(torch.zeros(out, into))


def bias(out: int, there: bool) -> nn.Parameter | None:
    """An uninitialised bias, or None."""
    return nn.Parameter(torch.zeros(out)) if there else None
