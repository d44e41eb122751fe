"""The operators of a number format, and the formats by name."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.seal import Refused

WIDEST = 1024  # bits of a number: weights are stored as float64, so this is its range
HALF = {"bfloat16": "float:8,7", "float16": "float:5,10"}  # refused, with the format to use instead


class Term(NamedTuple):
    """What an address adds to the embeddings of some tokens: gate (vectors directions)."""

    where: tuple[Array, ...] | slice  # which of the tokens
    vectors: Array  # integers, or weights if `stored`, or floats with an error
    stored: bool
    directions: Array | None  # None: the vectors are as wide as the stream
    gate: Array | None
    error: Array | None = None  # of vectors that no format holds exactly, such as sines


class Numbers(ABC):
    """What a number format does at each operator. Arrays are matrices [.., rows, columns], one for each of many inputs or a single one."""

    name: str
    bits: int
    exact: bool
    scale: int | None = None  # in exact formats values are integers, which stand for multiples of 1 / scale
    f: int = 0  # and 2^f is that scale
    low: int
    high: int  # the least and the largest of these integers
    floors: bool = False  # whether they round down
    free: bool = False  # in floats: whether a program may add up in any order, or rounds the exact sum once
    u: float
    tiny: float  # a rounding is off by u relatively, plus this
    room: float  # below which no magnitude overflows

    @abstractmethod
    def parameter(self, tensor: Array, name: str) -> Array:
        """A weight of the model in this format; refused if it is not a number of the format."""

    @abstractmethod
    def integers(self, x: Array) -> Box:
        """Integers as numbers of the format; refused if they are not."""

    def zeros(self, shape: tuple[int, ...]) -> Box:
        """0 everywhere."""
        return self.integers(np.zeros(shape, dtype=np.int64))

    @abstractmethod
    def embed(self, rows: Array, terms: list[Term]) -> Box:
        """Rows of the token table plus the terms of every address: what enters the first layer."""

    @abstractmethod
    def linear(self, x: Box, weight: Array, bias: Array | None = None) -> Box:
        """x times the transposed weight, plus bias."""

    @abstractmethod
    def logits(self, q: Box, k: Box) -> Box:
        """All dot products."""

    @abstractmethod
    def attention(self, a: Box, visible: Array | None, kind: str) -> Box:
        """Weights over the last axis: softmax, hard (first maximum) or uniform; every row sees a key. Exact formats need known logits."""

    @abstractmethod
    def mix(self, w: Box, v: Box) -> Box:
        """Weighted sums."""

    def unweighed(self, read: Box, size: Array) -> Box:  # noqa: ARG002
        """What a head reads of values whose magnitudes add up to `size`: a program with free sums may divide by all weights at the end."""
        return read

    @abstractmethod
    def add(self, x: Box, y: Box) -> Box:
        """A sum."""

    @abstractmethod
    def product(self, x: Box, y: Box) -> Box:
        """An elementwise product."""

    @abstractmethod
    def relu(self, x: Box) -> Box:
        """max(x, 0)."""

    @abstractmethod
    def enclosing(self, low: Array, high: Array, size: Callable[[], Array], terms: int) -> Box:
        """What a program makes of a sum between low and high, which it adds up from so many products.

        In exact formats the ends are exact, in units of 2^-2f. In floats they were computed in float64 from sums of up to twice as many
        terms, and `size` is the sum of the products' magnitudes.
        """

    @abstractmethod
    def share(self, gaps: Array, counts: Array, ahead: Array, n: int) -> tuple[Array, float, Array | float, float]:
        """The least and the largest weight, in a softmax over n keys, of one that leads so many by such gaps, and the same of the sum of
        all weights; 0 where one of those may be ahead."""

    @abstractmethod
    def cost(self, depth: int) -> int:
        """Work of one multiplication in a sum of `depth` terms, in units of one float64 multiplication."""

    def whole(self, stored: Array) -> Array | None:
        """Weights as integers of 64 bits; None if one is not, or is far beyond."""
        if self.scale is None:
            whole = bool((stored == np.rint(stored)).all() and (np.abs(stored) < 2.0**62).all())
            return stored.astype(np.int64) if whole else None
        units = stored.astype(object)
        if any(int(v) % self.scale or abs(int(v)) >= self.scale << 62 for v in units.ravel()):
            return None
        return (units // self.scale).astype(np.int64)

    def not_a_number(self, wrong: Array, name: str) -> Refused:
        """The message about the first weight that the format does not have."""
        return Refused(f"weights: {name} holds {float(wrong.ravel()[0])!r}, which is not a number of {self.name}")


def visible_rows(a: Array, visible: Array | None) -> Array:
    """Which keys each row sees, with all rows stacked; `visible` [rows, keys] is the same for every input."""
    shown = np.ones(a.shape, dtype=bool) if visible is None else np.broadcast_to(visible, a.shape)
    return shown.reshape(-1, a.shape[-1])


def numbers(name: str) -> Numbers:
    """The operators of a number format by name."""
    if name in ("float64", "float32"):
        from separatrix.checker.numbers.floats import Float

        return Float(name)
    if name in HALF:
        raise Refused(f"{name} is accumulated differently on different machines: expected {HALF[name]}, which rounds after each operator")
    parts = re.fullmatch(r"(fixed|nearest|float):([0-9]{1,4})(?:,([0-9]{1,4}|strict))?", name)
    if parts is not None:
        kind, first, second = parts[1], int(parts[2]), parts[3]
        if kind == "float" and 2 <= first <= 11 and second not in (None, "strict") and 1 <= int(second) <= 52:
            from separatrix.checker.numbers.small_float import SmallFloat

            return SmallFloat(first, int(second))
        from separatrix.checker.numbers.exact import Fixed, Nearest

        if kind == "nearest" and 3 <= first <= WIDEST and first % 2 and second in (None, "strict"):
            return Nearest(first, second == "strict")
        if kind == "fixed" and 2 <= first <= WIDEST and second not in (None, "strict") and int(second) < first:
            return Fixed(first, int(second))
    raise Refused(f"the checker does not know the arithmetic {name!r}")
