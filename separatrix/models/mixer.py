"""A mixer: the part of a layer that moves information from token to token, x [b, n, d] -> [b, n, d].

A mixer of ours also works token by token: `initial_state(b)`, `step(state, x [b, d])`. A user's mixer is any module with
`forward(x)`; where it has a `step(state, x)` too, its own state is what is carried (None before the first token),
and where it has none, what is carried is every vector it has read.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.models.sequence_model import Tensors, pick
from separatrix.naming import find

MIXERS = {
    "attention": "separatrix.models.attention_mixer:AttentionMixer",
    "lstm": "separatrix.models.lstm:LSTM",
    "gru": "separatrix.models.gru:GRU",
    "elman": "separatrix.models.elman:Elman",
}


class Mixer(nn.Module, ABC):
    """A causal map of sequences that can also be run one token at a time."""

    def forward(self, x: Tensor, at: Tensor | None = None) -> Tensor:
        """The sequence [b, n, d] after mixing, or its vectors [b, 1, d] at one position of each row."""
        mixed = self.mix(x)
        return mixed if at is None else pick(mixed, at)

    @abstractmethod
    def mix(self, x: Tensor) -> Tensor:
        """The whole sequence at once."""

    @abstractmethod
    def initial_state(self, rows: int) -> Tensors:
        """The tensors that are carried before the first token."""

    @abstractmethod
    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:
        """Read the vectors x [b, d] of token number `clock` (from 0): the next state and the mixed vectors."""

    @abstractmethod
    def state_numbers(self, length: int) -> int:
        """How many numbers are carried for one row after `length` tokens."""


class UserMixer(Mixer):
    """A module of someone else's, with the little it needs to stand in a stack."""

    def __init__(self, module: nn.Module, width: int) -> None:
        super().__init__()
        self.module, self.width = module, width
        self.steps = callable(getattr(module, "step", None))

    def mix(self, x: Tensor) -> Tensor:
        mixed = self.module(x)
        if not isinstance(mixed, Tensor) or mixed.shape != x.shape:
            found = list(mixed.shape) if isinstance(mixed, Tensor) else type(mixed).__name__
            raise BadInput(f"mixer {type(self.module).__name__}: forward must return [b, n, d] = {list(x.shape)}, found {found}")
        return mixed

    def initial_state(self, rows: int) -> Tensors:
        dtype = next((p.dtype for p in self.module.parameters()), torch.float32)
        return () if self.steps else (torch.zeros(rows, 0, self.width, dtype=dtype),)

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:
        if not self.steps:
            read = torch.cat([state[0], x[:, None]], dim=1)
            return (read,), self.mix(read)[:, -1]
        carried: Any = None if clock == 0 else state[0] if len(state) == 1 else state
        following, mixed = self.module.step(carried, x)  # type: ignore[operator]
        return (following,) if isinstance(following, Tensor) else tuple(following), mixed

    def state_numbers(self, length: int) -> int:
        """Without a step every vector is carried; with one, its state is measured by running it."""
        if not self.steps:
            return length * self.width
        state, dtype = self.initial_state(1), next((p.dtype for p in self.module.parameters()), torch.float32)
        with torch.no_grad():
            for clock in range(length):
                state, _ = self.step(state, torch.zeros(1, self.width, dtype=dtype), clock)
        return sum(int(tensor.numel()) for tensor in state)


def make_mixer(name: str, width: int, heads: int) -> Mixer:
    """A mixer by name, or a user's by file.py:Name; it is given the width (and heads) if its constructor asks for them."""
    maker = find(name, MIXERS, "mixer")
    if not callable(maker):
        raise BadInput(f"mixer {name!r}: expected a class or function, found {type(maker).__name__}")
    given = {"width": width, "heads": heads}
    asked = inspect.signature(maker).parameters
    for parameter in asked.values():
        optional = parameter.default is not inspect.Parameter.empty or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if parameter.name not in given and not optional:
            raise BadInput(f"mixer {name!r} needs {parameter.name!r}: a mixer is made from width and heads alone")
    made = maker(**{key: value for key, value in given.items() if key in asked})
    if isinstance(made, Mixer):
        return made
    if not isinstance(made, nn.Module):
        raise BadInput(f"mixer {name!r}: expected a torch module, found {type(made).__name__}")
    return UserMixer(made, width)
