"""Small floating point `float:e,m`: every operator is the exact result, rounded once to the format.

Sign, e exponent bits and m mantissa bits as in IEEE 754: subnormal numbers, nearest with ties to even, infinity beyond the range.

An operator is computed in float64, and both ends of the enclosure are rounded. Rounding is monotone, so if both give the same number, it is
the rounded exact result; if they differ, the result lies between them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import SLACK, TINY64, U64, gamma, mass
from separatrix.checker.seal import Refused


def _rounded(name: str) -> Any:
    """An operator of float64, rounded once."""

    def operator(self: SmallFloat, *arguments: Any) -> Box:
        return self.once(getattr(self.double, name)(*arguments))

    return operator


class SmallFloat(Numbers):
    """The operators of `float:e,m`."""

    exact = False

    def __init__(self, e: int, m: int) -> None:
        self.name, self.bits, self.m, self.double = f"float:{e},{m}", 1 + e + m, m, Float("float64")
        self.greatest = (1 << (e - 1)) - 1  # exponent of the largest numbers
        self.least = 1 - self.greatest  # exponent of the smallest normal numbers
        self.u, self.tiny, self.room = 2.0 ** -(m + 1), max(2.0 ** (self.least - m - 1), TINY64), 2.0**self.greatest

    def rounded(self, x: Array) -> Array:
        """The nearest number of the format."""
        finite = np.isfinite(x)
        _, exponent = np.frexp(np.where(finite, x, 0.0))  # x = fraction 2^exponent with 1/2 <= |fraction| < 1
        last = np.maximum(exponent - 1, self.least) - self.m  # exponent of the last remaining bit
        y = np.ldexp(np.rint(np.ldexp(x, -last)), last)
        largest = np.ldexp(2.0 - 2.0**-self.m, self.greatest)
        return np.where(finite, np.where(np.abs(y) > largest, np.copysign(np.inf, x), y), x)

    def once(self, x: Box) -> Box:
        """An operator's result, rounded once."""
        if x.low is x.high:
            return Box(self.rounded(x.low))
        low, high = self.rounded(np.nextafter(x.low, -np.inf)), self.rounded(np.nextafter(x.high, np.inf))
        return Box(low) if bool((low == high).all()) else Box(low, high)

    def parameter(self, tensor: Array, name: str) -> Array:
        x = tensor.astype(np.float64)
        wrong = x[~np.isfinite(x) | (x != self.rounded(x))]
        if wrong.size:
            raise self.not_a_number(wrong, name)
        return x

    def integers(self, x: Array) -> Box:
        y = x.astype(np.float64)
        if (y != self.rounded(y)).any():
            raise Refused(f"an input holds an integer up to {int(np.abs(x).max())}, which is not a number of {self.name}")
        return Box(y)

    embed, linear, logits = _rounded("embed"), _rounded("linear"), _rounded("logits")
    attention, mix = _rounded("attention"), _rounded("mix")
    add, product, relu = _rounded("add"), _rounded("product"), _rounded("relu")

    def enclosing(self, low: Array, high: Array, size: Callable[[], Array], terms: int) -> Box:
        off = (gamma(2 * terms + 4, U64) * np.broadcast_to(size(), low.shape) + 2 * terms * TINY64) * SLACK
        return self.once(Box(low - off, high + off))

    def share(self, gaps: Array, counts: Array, ahead: Array, n: int) -> tuple[Array, float, Array | float, float]:
        real = np.where(ahead, 0.0, (1 - 2.0**-40) / (1 + mass(gaps, counts)))
        lost = self.u + n * 2.0 ** (self.least - self.m - 1)
        return self.rounded(real), 1.0 + lost, np.asarray(max(0.0, 1 - lost * SLACK)), 1 + lost * SLACK

    def cost(self, depth: int) -> int:
        return self.double.cost(depth)
