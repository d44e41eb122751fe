"""Mixers: the part of a layer through which tokens read each other. One file for each kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.seal import Refused

Shapes = dict[str, tuple[int, ...]]
Weights = Mapping[str, Array]


class Mixer(ABC):
    """One kind of mixer in one configuration."""

    stepped: ClassVar[bool] = False  # whether its bounds are about one token after another, and about no other form

    @property
    def causal(self) -> bool:
        """Whether no token reads a later one."""
        return True

    @abstractmethod
    def shapes(self, width: int) -> Shapes:
        """Its tensors, without the name of the layer."""

    def head_sizes(self) -> tuple[int, int, int]:
        """How many heads it has, and the widths of their keys and values."""
        return 0, 0, 0

    def indices(self) -> dict[str, int]:
        """Its integer tensors, and the number of values each entry may have."""
        return {}

    @abstractmethod
    def mix(self, ops: Numbers, w: Weights, x: Box, readers: Array) -> Box:
        """Its output [.., readers, width] at some positions, from 0 on, for streams [.., n, width]."""

    @abstractmethod
    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:
        """The cost of `mix`, in float64 multiplications."""

    @abstractmethod
    def numbers(self, width: int, n: int, readers: int) -> int:
        """Numbers of the largest arrays that `mix` holds at once, for one input."""

    @abstractmethod
    def state_bits(self, width: int, bits: int) -> int | None:
        """Bits that cross from one token to the next; None if they grow with the input."""


def head_shapes(keys: int, values: int, width: int, bias: bool) -> Shapes:
    """The tensors of heads whose keys and values have `keys` and `values` coordinates in total."""
    weights: Shapes = {"query": (keys, width), "key": (keys, width), "value": (values, width), "out": (width, values)}
    biases: Shapes = {"query_bias": (keys,), "key_bias": (keys,), "value_bias": (values,), "out_bias": (width,)}
    return weights | (biases if bias else {})


MIXERS = {  # kind -> the module that has its `read`
    "attention": "attention",
    "linear-rnn": "linear_rnn",
    "linear-attention": "linear_attention",
    "relu-rnn": "relu_rnn",
    "selective-rnn": "selective_rnn",
    "lstm": "lstm",
    "gru": "gru",
    "elman": "elman",
    "deltanet": "deltanet",
    "gated-deltanet": "gated_deltanet",
    "mamba": "mamba",
    "mamba2": "mamba2",
    "retnet": "retnet",
    "deltaproduct": "deltaproduct",
    "rank-one": "rank_one",
    "pd": "pd",
    "register-file": "register_file",
}


def read_mixer(document: Any, where: str, width: int) -> Mixer:
    """The mixer of a description."""
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in MIXERS:
        raise Refused(f"{where}: expected the kind {', '.join(MIXERS)}, found {kind!r:.80}")
    reader: Callable[[Any, str, int], Mixer] = import_module(f"{__name__}.{MIXERS[kind]}").read
    return reader(document, where, width)
