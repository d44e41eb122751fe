"""Small floating point `float:e,m`: every operator in float64, then rounded once to the format.

Sign, e exponent bits and m mantissa bits as in IEEE 754: subnormal numbers, nearest with ties to even, infinity beyond the range.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.numbers import Float, Numbers, Term

Array = npt.NDArray[Any]


class SmallFloat(Numbers):
    """The operators of `float:e,m`."""

    exact = False

    def __init__(self, e: int, m: int) -> None:
        self.bits, self.m, self.double = 1 + e + m, m, Float("float64")
        self.greatest = (1 << (e - 1)) - 1  # exponent of the largest numbers
        self.least = 1 - self.greatest  # exponent of the smallest normal numbers

    def rounded(self, x: Array) -> Array:
        """The nearest number of the format."""
        finite = np.isfinite(x)
        _, exponent = np.frexp(np.where(finite, x, 0.0))  # x = fraction 2^exponent with 1/2 <= |fraction| < 1
        last = np.maximum(exponent - 1, self.least) - self.m  # exponent of the last bit kept
        y = np.ldexp(np.rint(np.ldexp(x, -last)), last)
        largest = np.ldexp(2.0 - 2.0**-self.m, self.greatest)
        return np.where(finite, np.where(np.abs(y) > largest, np.copysign(np.inf, x), y), x)

    def parameter(self, tensor: Array, name: str) -> Array:
        return self.rounded(self.double.parameter(tensor, name))

    def embed(self, rows: Array, terms: list[Term]) -> Array:
        return self.rounded(self.double.embed(rows, terms))

    def linear(self, x: Array, weight: Array, bias: Array | None = None) -> Array:
        return self.rounded(self.double.linear(x, weight, bias))

    def logits(self, q: Array, k: Array) -> Array:
        return self.rounded(self.double.logits(q, k))

    def attention(self, a: Array, visible: Array | None, kind: str) -> Array:
        return self.rounded(self.double.attention(a, visible, kind))

    def mix(self, w: Array, v: Array) -> Array:
        return self.rounded(self.double.mix(w, v))

    def add(self, x: Array, y: Array) -> Array:
        return self.rounded(self.double.add(x, y))

    def product(self, x: Array, y: Array) -> Array:
        return self.rounded(self.double.product(x, y))

    def relu(self, x: Array) -> Array:
        return self.double.relu(x)
