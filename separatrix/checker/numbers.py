"""The arithmetic of the checker: the operators of a number format on NumPy arrays."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from separatrix.checker.seal import Refused

Array = npt.NDArray[Any]


class Term(NamedTuple):
    """What an address adds to the embeddings of some tokens: gate (vectors directions)."""

    where: Array | slice  # which of the tokens
    vectors: Array  # integers, or weights where `stored`
    stored: bool
    directions: Array | None  # None: the vectors are as wide as the stream
    gate: Array | None


class Numbers(ABC):
    """What a number format does at each operator; matrices are [rows, columns]."""

    bits: int
    exact: bool
    scale: int | None = None  # in exact formats an array holds integers, which stand for multiples of 1 / scale

    @abstractmethod
    def parameter(self, tensor: Array, name: str) -> Array:
        """A weight of the model in this format; refused where it is not one of its numbers."""

    @abstractmethod
    def embed(self, rows: Array, terms: list[Term]) -> Array:
        """Rows of the token table plus the terms of every address: what enters the first layer."""

    @abstractmethod
    def linear(self, x: Array, weight: Array, bias: Array | None = None) -> Array:
        """x times the transposed weight, plus bias."""

    @abstractmethod
    def logits(self, q: Array, k: Array) -> Array:
        """All dot products."""

    @abstractmethod
    def attention(self, a: Array, visible: Array | None, kind: str) -> Array:
        """Weights over the last axis: softmax, hard (first maximum) or uniform; every row sees a key."""

    @abstractmethod
    def mix(self, w: Array, v: Array) -> Array:
        """Weighted sums."""

    @abstractmethod
    def add(self, x: Array, y: Array) -> Array:
        """A sum."""

    @abstractmethod
    def product(self, x: Array, y: Array) -> Array:
        """An elementwise product."""

    @abstractmethod
    def relu(self, x: Array) -> Array:
        """max(x, 0)."""


class Float(Numbers):
    """float64, or float32 computed in float32; the half formats are computed in float32 from their own weights."""

    exact = False
    kinds: ClassVar = {"float64": (64, np.float64), "float32": (32, np.float32), "bfloat16": (16, np.float32), "float16": (16, np.float32)}

    def __init__(self, name: str) -> None:
        self.bits, self.dtype = self.kinds[name]

    def parameter(self, tensor: Array, name: str) -> Array:  # noqa: ARG002
        return tensor.astype(self.dtype)

    def embed(self, rows: Array, terms: list[Term]) -> Array:
        x = rows.copy()
        for term in terms:
            y = term.vectors.astype(x.dtype)
            y = y if term.directions is None else y @ term.directions
            x[term.where] += y if term.gate is None else term.gate[:, None] * y
        return x

    def linear(self, x: Array, weight: Array, bias: Array | None = None) -> Array:
        return x @ weight.T if bias is None else x @ weight.T + bias

    def logits(self, q: Array, k: Array) -> Array:
        return q @ k.T

    def attention(self, a: Array, visible: Array | None, kind: str) -> Array:
        seen = np.ones(a.shape, dtype=bool) if visible is None else visible
        if kind == "hard":
            hidden = np.where(seen, a, -np.inf)
            w = np.zeros_like(a)
            w[np.arange(len(a)), hidden.argmax(axis=1)] = 1  # NumPy's argmax is the first
            return w
        if kind not in ("softmax", "uniform"):
            raise Refused(f"unknown attention {kind!r}")
        e = (
            np.exp(np.where(seen, a - np.where(seen, a, -np.inf).max(axis=1, keepdims=True), -np.inf))
            if kind == "softmax"
            else seen.astype(a.dtype)
        )
        return np.asarray(e / e.sum(axis=1, keepdims=True))

    def mix(self, w: Array, v: Array) -> Array:
        return w @ v

    def add(self, x: Array, y: Array) -> Array:
        return x + y

    def product(self, x: Array, y: Array) -> Array:
        return x * y

    def relu(self, x: Array) -> Array:
        return np.maximum(x, 0)


def numbers(name: str) -> Numbers:
    """The operators of a number format by name."""
    if name in Float.kinds:
        return Float(name)
    from separatrix.checker.exact_numbers import WIDEST, Fixed, Nearest
    from separatrix.checker.small_float import SmallFloat

    found = re.fullmatch(r"(fixed|nearest|float):([0-9]{1,4})(?:,([0-9]{1,4}|strict))?", name)
    if found is not None:
        kind, first, second = found[1], int(found[2]), found[3]
        if kind == "nearest" and 3 <= first <= WIDEST and first % 2 and second in (None, "strict"):
            return Nearest(first, second == "strict")
        if kind == "fixed" and 2 <= first <= WIDEST and second not in (None, "strict") and int(second) < first:
            return Fixed(first, int(second))
        if kind == "float" and 2 <= first <= 11 and second not in (None, "strict") and 1 <= int(second) <= 52:
            return SmallFloat(first, int(second))
    raise Refused(f"the checker does not know the arithmetic {name!r}")
