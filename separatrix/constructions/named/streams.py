"""What the constructions for named architectures share: a stream with named coordinates, binary codes, and the model around a mixer.

No norm before a part, ReLU where there is a feed-forward part, and heads of any size: these are the options of the modules that are used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Sizes
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Array = npt.NDArray[Any]
Tensors = dict[str, Array]
FLOATS = ("float64", "float32")


@dataclass(frozen=True)
class Stream:
    """Named coordinates, side by side, and unused ones behind them."""

    slots: Mapping[str, int]
    width: int

    def __getitem__(self, name: str) -> slice:
        """The coordinates of a slot in the stream."""
        first = 0
        for slot, size in self.slots.items():
            if slot == name:
                return slice(first, first + size)
            first += size
        raise KeyError(name)

    def rows(self, count: int, **parts: Array) -> Array:
        """A linear map [count, width] that reads each slot by a matrix [count, its size]."""
        matrix = np.zeros((count, self.width))
        for slot, part in parts.items():
            matrix[:, self[slot]] = part
        return matrix


def split(keys: int, slot: int, bucket: int) -> tuple[int, int]:
    """Slots and buckets for so many keys, where each costs so many numbers of the stream: the cheapest, with fewest slots."""
    about = math.isqrt(keys * bucket // slot) + 1
    candidates = range(max(1, about // 2), min(keys, 2 * about) + 1)
    slots = min(candidates, key=lambda m: slot * m + bucket * -(-keys // m))
    return slots, -(-keys // slots)


def table_sides(keys: int, state: int, slot: int, bucket: int) -> tuple[int, int]:
    """Slots and buckets: as many slots as the author asks, or by cost where that is 0."""
    if state < 0:
        raise BadInput(f"a table needs at least 1 slot, or 0 for as many as make the narrowest stream, found state = {state}")
    return (state, -(-keys // state)) if state else split(keys, slot, bucket)


def stream(what: str, width: int, **slots: int) -> Stream:
    """A stream that holds these slots; it is as wide as they are, or as the author asks."""
    least = sum(slots.values())
    if width and width < least:
        raise BadInput(f"{what} needs a stream of at least {least} numbers ({_listed(slots)}), found width = {width}")
    return Stream(slots, width or least)


def code_bits(symbols: int) -> int:
    """Bits of a binary code."""
    return max(1, (symbols - 1).bit_length())


def binary(symbols: int) -> Array:
    """The binary code of each symbol, [symbols, bits], the lowest bit first."""
    return (np.arange(symbols)[:, None] >> np.arange(code_bits(symbols)) & 1).astype(np.float64)


def one_hot(indices: Array, count: int) -> Array:
    """One-hot vectors of the indices, along a new last axis of size `count`."""
    return np.eye(count)[indices]


def bits_of(what: str, arithmetic: str) -> int:
    """Bits of a number; refuses formats in which the functions of these modules are not defined."""
    format = parse_format(arithmetic)
    if format.name not in FLOATS:
        raise BadInput(f"{what}: expected the arithmetic float64 or float32, found {format.name}")
    return format.bits


def by_bits(symbols: int, columns: Array, threshold: float) -> tuple[Array, Array]:
    """A read-out for numbers that are 0 where a bit is 0 and beyond a threshold where it is 1.

    The logit of a symbol is the sum over its bits of +-(number - threshold): every bit is in favour of the right symbol, whatever the
    scale of the numbers, so it leads by 2 x the least distance from the threshold.
    """
    signs = 2 * binary(symbols) - 1
    return signs @ columns, -threshold * signs.sum(axis=1)


def assembled(
    task: Task,
    name: str,
    arithmetic: str,
    settings: dict[str, Any],
    sizes: Sizes,
    embedding: EmbeddingConfig,
    layers: tuple[LayerConfig, ...],
    tensors: Tensors,
    facts: dict[str, float],
) -> Built:
    """The model of these tensors, with its claim."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.claim import Claim
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of, read_as

    config = ModelConfig(embedding, layers, ReadoutConfig(task.targets), sizes.width, arithmetic, task.token_count)
    model = model_of(config, tensors, name)
    claim = Claim(name, "", task.name, task.parameters, settings, arithmetic, {"state bits": float(sizes["state_bits"]), **facts})
    return Built(Program(model, read_as(task)), claim, task)


def _listed(slots: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {size}" for name, size in slots.items())
