"""The exact formats `fixed:p,f` and `nearest:p` on integers: a number is a multiple of 2^-f, and its array holds the multiples.

[bhattamishra2024 Appendix B.2; wen2024 Equation 5]

Every operator is an exact sum or product, rounded and clamped once. What the two differ in is how they round:

    fixed     toward minus infinity, to -2^(p-1) .. 2^(p-1) - 1 units; softmax by floored exponentials
    nearest   to the nearest, ties to even, to -(2^(p-1) - 1) .. 2^(p-1) - 1 units; softmax entries are the real ones, rounded
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.exact_exp import Exponential, nearest_ratio, rounded_softmax
from separatrix.checker.integers import dropped, halves_to_even, largest, lean, narrow, plus, product, shifted, times, whole
from separatrix.checker.numbers import Numbers, Term
from separatrix.checker.seal import Refused

Array = npt.NDArray[Any]
WIDEST = 1024  # bits of a number: its weights are written as float64, whose range that is


class Grid(Numbers):
    """What the two formats share: multiples of 2^-f between two bounds, one rounding per operator."""

    exact = True
    scale: int
    name: str
    low: int
    high: int

    def __init__(self, p: int, f: int) -> None:
        self.bits, self.f, self.scale = p, f, 1 << f
        self.exponential = Exponential(f)

    @abstractmethod
    def rounded(self, x: Array, bits: int) -> Array:
        """x / 2^bits as an integer."""

    @abstractmethod
    def ratio(self, a: int, b: int) -> int:
        """a / b as an integer, for a >= 0 and b > 0."""

    @abstractmethod
    def softmax(self, gaps: Array, visible: Array) -> Array:
        """Weights of rows of logits, given how far each lies below the row's largest visible one."""

    def store(self, x: Array, bits: int) -> Array:
        """The format's number nearest below, or nearest, to x 2^-(f + bits)."""
        return self.clamped(self.rounded(x, bits))

    def clamped(self, x: Array) -> Array:
        """Within the bounds of the format."""
        return narrow(np.minimum(np.maximum(x, self.low), self.high)) if largest(x) > self.high else narrow(x)

    def embed(self, rows: Array, terms: list[Term]) -> Array:
        """The exact sum, whatever its scale, stored once."""
        parts: list[tuple[Any, Array, int]] = []
        for term in terms:
            y, scale = lean(term.vectors.astype(np.int64), 0) if not term.stored else lean(term.vectors, self.f)
            if term.directions is not None:
                directions, s = lean(term.directions, self.f)
                y, scale = product(y, directions), scale + s
            if term.gate is not None:
                gate, s = lean(term.gate, self.f)
                y, scale = times(y, gate[:, None]), scale + s
            parts.append((term.where, y, scale))
        finest = max([self.f, *(scale for _, _, scale in parts)])
        x = shifted(rows, finest - self.f)
        for where, y, scale in parts:
            added = np.zeros(x.shape, dtype=y.dtype)
            added[where] = y
            x = plus(x, shifted(added, finest - scale))
        return self.store(x, finest - self.f)

    def linear(self, x: Array, weight: Array, bias: Array | None = None) -> Array:
        exact = product(x, weight.T)
        return self.store(exact if bias is None else plus(exact, shifted(bias, self.f)), self.f)

    def logits(self, q: Array, k: Array) -> Array:
        return self.store(product(q, k.T), self.f)

    def attention(self, a: Array, visible: Array | None, kind: str) -> Array:
        """Weights with f fractional bits; they are not clamped, so a weight can be 1 where the format ends just below it."""
        seen = np.ones(a.shape, dtype=bool) if visible is None else visible
        rows = np.arange(len(a))
        first = np.where(seen, a, a.min() - 1).argmax(axis=1)  # NumPy's argmax is the first
        if kind == "softmax":
            return self.softmax(narrow(plus(a[rows, first][:, None], -a)), seen)
        w = np.zeros(a.shape, dtype=np.int64 if self.f < 62 else object)
        if kind == "hard":
            w[rows, first] = self.scale
        elif kind == "uniform":
            for row, count in enumerate(seen.sum(axis=1).tolist()):
                w[row, seen[row]] = self.ratio(self.scale, count)
        else:
            raise Refused(f"unknown attention {kind!r}")
        return w

    def mix(self, w: Array, v: Array) -> Array:
        return self.store(product(w, v), self.f)

    def add(self, x: Array, y: Array) -> Array:
        return self.clamped(plus(x, y))

    def product(self, x: Array, y: Array) -> Array:
        return self.store(times(x, y), self.f)

    def relu(self, x: Array) -> Array:
        return np.maximum(x, 0)


class Fixed(Grid):
    """`fixed:p,f`."""

    def __init__(self, p: int, f: int) -> None:
        super().__init__(p, f)
        self.name, self.low, self.high = f"fixed:{p},{f}", -(1 << (p - 1)), (1 << (p - 1)) - 1

    def parameter(self, tensor: Array, name: str) -> Array:
        """A weight has to be a number of the format already."""
        x = tensor.astype(np.float64)
        end = 2.0 ** (self.bits - 1 - self.f)
        inside = (x >= -end) & (x < end)
        units = np.ldexp(np.where(inside, x, 0.0), self.f)
        wrong = x[~inside | (units != np.floor(units))]
        if wrong.size:
            raise Refused(f"weights: {name} holds {float(wrong[0])!r}, which is no number of {self.name}")
        return whole(units)

    def rounded(self, x: Array, bits: int) -> Array:
        return dropped(x, bits)

    def ratio(self, a: int, b: int) -> int:
        return a // b

    def softmax(self, gaps: Array, visible: Array) -> Array:
        """e = floor(exp), Z the exact sum, w = floor(e / Z), at f bits each."""
        e = np.where(visible, self.exponential.floor(np.where(visible, gaps, 0)), 0)
        if 2 * self.f > 61 or self.f + e.shape[1].bit_length() > 61:
            e = e.astype(object)
        return narrow((e << self.f) // e.sum(axis=1)[:, None])


class Nearest(Grid):
    """`nearest:p`; `strict` refuses a number beyond the range instead of saturating."""

    def __init__(self, p: int, strict: bool = False) -> None:
        super().__init__(p, (p - 1) // 2)
        self.name, self.strict = f"nearest:{p}" + (",strict" if strict else ""), strict
        self.high = (1 << (p - 1)) - 1
        self.low = -self.high

    def clamped(self, x: Array) -> Array:
        if self.strict and largest(x) > self.high:
            raise Refused(f"a number of magnitude {largest(x) / self.scale!r} overflows {self.name}")
        return super().clamped(x)

    def parameter(self, tensor: Array, name: str) -> Array:  # noqa: ARG002
        """A weight is rounded like any number."""
        end = 2.0 ** (self.f + 1)  # beyond the range, and small enough to be scaled in float64
        return self.clamped(whole(np.rint(np.ldexp(np.clip(tensor.astype(np.float64), -end, end), self.f))))

    def rounded(self, x: Array, bits: int) -> Array:
        return halves_to_even(x, bits)

    def ratio(self, a: int, b: int) -> int:
        return nearest_ratio(a, b)

    def softmax(self, gaps: Array, visible: Array) -> Array:
        return rounded_softmax(gaps, visible, self.exponential)
