"""Mixers: the part of a layer through which tokens read each other. One file for each kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any, ClassVar, Self

from separatrix.checker.fields import require_fields, within
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.seal import Refused

Shapes = dict[str, tuple[int, ...]]
Weights = Mapping[str, Array]
MOST = 1 << 20  # of any size
TYPES = {"int": int, "bool": bool, "str": str}


class Mixer(ABC):
    """One kind of mixer in one configuration."""

    stepped: ClassVar[bool] = False  # whether its bounds are about one token after another, and about no other form

    @classmethod
    def read(cls, document: Any, where: str, width: int) -> Self:  # noqa: ARG003
        """The mixer of a description, which has the fields of the class: sizes from 1 on, and choices."""
        types = {field.name: TYPES[str(field.type)] for field in fields(cls)}  # type: ignore[arg-type]
        require_fields(document, where, kind=str, **types)
        mixer = cls(
            **{key: within(document[key], 1, MOST, f"{where}.{key}") if kind is int else document[key] for key, kind in types.items()}
        )
        mixer.refuse(where)
        return mixer

    def refuse(self, where: str) -> None:  # noqa: B027
        """Refuse fields that do not go together, or that are none of a few words."""

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


MIXERS = {  # kind -> its class, in a file of its own name
    "attention": "Attention",
    "linear-rnn": "LinearRnn",
    "linear-attention": "LinearAttention",
    "relu-rnn": "ReluRnn",
    "selective-rnn": "SelectiveRnn",
    "lstm": "Lstm",
    "gru": "Gru",
    "elman": "Elman",
    "deltanet": "DeltaNet",
    "gated-deltanet": "GatedDeltaNet",
    "mamba": "Mamba",
    "mamba2": "Mamba2",
    "retnet": "RetNet",
    "deltaproduct": "DeltaProduct",
    "rank-one": "RankOne",
    "pd": "Pd",
    "register-file": "RegisterFile",
}


def read_mixer(document: Any, where: str, width: int) -> Mixer:
    """The mixer of a description."""
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in MIXERS:
        raise Refused(f"{where}: expected the kind {', '.join(MIXERS)}, found {kind!r:.80}")
    mixer: type[Mixer] = getattr(import_module(f"{__name__}.{kind.replace('-', '_')}"), MIXERS[kind])
    return mixer.read(document, where, width)
