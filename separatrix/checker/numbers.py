"""The arithmetic of the checker: the operators of a number format on NumPy arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.seal import Refused

Array = npt.NDArray[Any]


class Numbers(ABC):
    """What a number format does at each operator; matrices are [rows, columns]."""

    bits: int
    exact: bool

    @abstractmethod
    def parameter(self, tensor: Array, name: str) -> Array:
        """A weight of the model in this format; refused where it is not one of its numbers."""

    @abstractmethod
    def enter(self, x: Array) -> Array:
        """Numbers of the format."""

    @abstractmethod
    def linear(self, x: Array, weight: Array | None, bias: Array | None = None) -> Array:
        """x times the transposed weight, plus bias."""

    @abstractmethod
    def logits(self, q: Array, k: Array) -> Array:
        """All dot products."""

    @abstractmethod
    def attention(self, a: Array, visible: Array | None, kind: str) -> Array:
        """Weights over the last axis: softmax, hard (first maximum) or uniform."""

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
    kinds = {"float64": (64, np.float64), "float32": (32, np.float32), "bfloat16": (16, np.float32), "float16": (16, np.float32)}

    def __init__(self, name: str) -> None:
        self.bits, self.dtype = self.kinds[name]

    def parameter(self, tensor: Array, name: str) -> Array:
        return tensor.astype(self.dtype)

    def enter(self, x: Array) -> Array:
        return x

    def linear(self, x: Array, weight: Array | None, bias: Array | None = None) -> Array:
        assert weight is not None
        return x @ weight.T if bias is None else x @ weight.T + bias

    def logits(self, q: Array, k: Array) -> Array:
        return q @ k.T

    def attention(self, a: Array, visible: Array | None, kind: str) -> Array:
        seen = np.ones(a.shape, dtype=bool) if visible is None else visible
        if kind == "hard":
            hidden = np.where(seen, a, -np.inf)
            return np.eye(a.shape[1], dtype=a.dtype)[hidden.argmax(axis=1)]  # NumPy's argmax is the first
        if kind not in ("softmax", "uniform"):
            raise Refused(f"unknown attention {kind!r}")
        e = np.exp(np.where(seen, a - np.where(seen, a, -np.inf).max(axis=1, keepdims=True), -np.inf)) if kind == "softmax" else seen.astype(a.dtype)
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
    raise Refused(f"the checker does not know the arithmetic {name!r}")
