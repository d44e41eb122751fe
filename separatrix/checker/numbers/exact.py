"""The exact formats `fixed:p,f` and `nearest:p` on integers: a number is a multiple of 2^-f, and its array holds the multiples.

[bhattamishra2024 Appendix B.2; wen2024 Equation 5]

Every operator is an exact sum or product, rounded and clamped once. The two differ in how they round:

    fixed     toward minus infinity, to -2^(p-1) .. 2^(p-1) - 1 units; softmax by floored exponentials
    nearest   to the nearest, ties to even, to -(2^(p-1) - 1) .. 2^(p-1) - 1 units; softmax entries are the real ones, rounded
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.exponential import Exponential, nearest_ratio, rounded_softmax
from separatrix.checker.numbers.formats import Numbers, Term, visible_rows
from separatrix.checker.numbers.integers import (
    halves_to_even,
    largest,
    narrow,
    plus,
    product,
    shift_floor,
    shifted,
    strip_common_zeros,
    times,
    whole,
)
from separatrix.checker.numbers.rounding import mass
from separatrix.checker.seal import Refused, Unproven


class Grid(Numbers):
    """What the two formats share: multiples of 2^-f between two bounds, one rounding per operator."""

    exact = True
    scale: int

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

    def parameter(self, tensor: Array, name: str) -> Array:
        """A weight, which must already be a number of the format."""
        x = tensor.astype(np.float64)
        end = 2.0 ** (self.bits - 1 - self.f)
        inside = (x < end) & ((x >= -end) if self.low + self.high < 0 else (x > -end))
        units = np.ldexp(np.where(inside, x, 0.0), self.f)
        wrong = x[~inside | (units != np.floor(units))]
        if wrong.size:
            raise self.not_a_number(wrong, name)
        return whole(units)

    def integers(self, x: Array) -> Box:
        if x.size and not self.low <= int(x.min()) * self.scale <= int(x.max()) * self.scale <= self.high:
            raise Refused(f"an input holds the integer {int(np.abs(x).max())}, which is not a number of {self.name}")
        return Box(shifted(x.astype(np.int64), self.f))

    def embed(self, rows: Array, terms: list[Term]) -> Box:
        """The exact sum, whatever its scale, stored once."""
        parts: list[tuple[Any, Array, int]] = []
        for term in terms:
            y, scale = strip_common_zeros(term.vectors.astype(np.int64), 0) if not term.stored else strip_common_zeros(term.vectors, self.f)
            if term.directions is not None:
                directions, s = strip_common_zeros(term.directions, self.f)
                y, scale = product(y, directions), scale + s
            if term.gate is not None:
                gate, s = strip_common_zeros(term.gate, self.f)
                y, scale = times(y, gate[..., None]), scale + s
            parts.append((term.where, y, scale))
        finest = max([self.f, *(scale for _, _, scale in parts)])
        x = shifted(rows, finest - self.f)
        for where, y, scale in parts:
            added = np.zeros(x.shape, dtype=y.dtype)
            added[where] = y
            x = plus(x, shifted(added, finest - scale))
        return self.stored(x, finest - self.f)

    def linear(self, x: Box, weight: Array, bias: Array | None = None) -> Box:
        offset = 0 if bias is None else shifted(bias, self.f)
        if x.point:
            return self.stored(plus(product(x.low, weight.T), np.asarray(offset)), self.f)
        up, down = np.maximum(weight, 0).T, np.minimum(weight, 0).T
        ends = [plus(plus(product(a, up), product(b, down)), np.asarray(offset)) for a, b in ((x.low, x.high), (x.high, x.low))]
        return self.stored(ends[0], self.f, ends[1])

    def logits(self, q: Box, k: Box) -> Box:
        return self.mix(q, k.swapped())

    def attention(self, a: Box, visible: Array | None, kind: str) -> Box:
        """Weights with f fractional bits; they are not clamped, so a weight can be 1 even if the format ends just below it."""
        shown, logits = visible_rows(a.low, visible), a.low.reshape(-1, a.shape[-1])
        if kind != "uniform" and bool((shown & (logits != a.high.reshape(logits.shape))).any()):
            raise Unproven("attention", "a query or a key depends on the input, which is not bounded in exact formats")
        rows = np.arange(len(logits))
        first = np.where(shown, logits, logits.min() - 1).argmax(axis=1)  # NumPy's argmax is the first
        if kind == "softmax":
            return Box(self.softmax(narrow(plus(logits[rows, first][:, None], -logits)), shown).reshape(a.shape))
        w = np.zeros(logits.shape, dtype=np.int64 if self.f < 62 else object)
        if kind == "hard":
            w[rows, first] = self.scale
        elif kind == "uniform":
            for row, count in enumerate(shown.sum(axis=1).tolist()):
                w[row, shown[row]] = self.ratio(self.scale, count)
        else:
            raise Refused(f"unknown scores {kind!r}: expected softmax, hard or uniform")
        return Box(w.reshape(a.shape))

    def mix(self, w: Box, v: Box) -> Box:
        if w.point and v.point:
            return self.stored(product(w.low, v.low), self.f)
        low = high = np.zeros((), dtype=np.int64)
        for c in range(w.shape[-1]):
            ends = corners(w[..., :, c, None], v[..., c, None, :])
            low, high = plus(low, ends[0]), plus(high, ends[1])
        return self.stored(low, self.f, high)

    def add(self, x: Box, y: Box) -> Box:
        low = self.clamped(plus(x.low, y.low))
        return Box(low) if x.low is x.high and y.low is y.high else Box(low, self.clamped(plus(x.high, y.high)))

    def product(self, x: Box, y: Box) -> Box:
        if x.point and y.point:
            return self.stored(times(x.low, y.low), self.f)
        low, high = corners(x, y)
        return self.stored(low, self.f, high)

    def relu(self, x: Box) -> Box:
        return Box(np.maximum(x.low, 0)) if x.low is x.high else Box(np.maximum(x.low, 0), np.maximum(x.high, 0))

    def enclosing(self, low: Array, high: Array, size: Callable[[], Array], terms: int) -> Box:  # noqa: ARG002
        return self.stored(low, self.f, high)

    def one(self, total: int) -> int:
        """One exact sum of products, in units of 2^-2f, as the format stores it."""
        return int(self.store(np.array([total], dtype=object), self.f)[0])

    def stored(self, low: Array, bits: int, high: Array | None = None) -> Box:
        """The result of an operator, or two ends of it: rounding is monotone."""
        return Box(self.store(low, bits), None if high is None else self.store(high, bits))

    def cost(self, depth: int) -> int:
        """float64 where sums fit 53 bits, int64 below 62, and beyond that limbs of Python integers."""
        bits = 2 * self.bits + depth.bit_length()
        if bits <= 53:
            return 4
        return 40 if bits < 62 else 100 * (1 + self.bits // 32) ** 2


class Fixed(Grid):
    """`fixed:p,f`."""

    floors = True

    def __init__(self, p: int, f: int) -> None:
        super().__init__(p, f)
        self.name, self.low, self.high = f"fixed:{p},{f}", -(1 << (p - 1)), (1 << (p - 1)) - 1

    def rounded(self, x: Array, bits: int) -> Array:
        return shift_floor(x, bits)

    def ratio(self, a: int, b: int) -> int:
        return a // b

    def share(self, gaps: Array, counts: Array, ahead: Array, n: int) -> tuple[Array, float, Array | float, float]:  # noqa: ARG002
        rest = np.where(counts > 0, self.exponential.floor(gaps).astype(object) * counts.astype(object), 0).sum(axis=1)
        least = np.array([0 if late else self.scale * self.scale // (self.scale + int(r)) for late, r in zip(ahead, rest, strict=True)])
        return least, self.scale, least, self.scale

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

    def rounded(self, x: Array, bits: int) -> Array:
        return halves_to_even(x, bits)

    def ratio(self, a: int, b: int) -> int:
        return nearest_ratio(a, b)

    def share(self, gaps: Array, counts: Array, ahead: Array, n: int) -> tuple[Array, float, Array | float, float]:
        rest = mass((gaps / self.scale).astype(np.float64) * (1 - 2.0**-50), counts)
        real = np.where(ahead, 0.0, (1 - 2.0**-40) / (1 + rest))
        least = np.array([int(float(r) * (1 << 40)) * self.scale + (1 << 39) >> 40 for r in real], dtype=object)  # rounding is monotone
        least = np.minimum(least, self.scale)
        return least, self.scale, least, self.scale + n

    def softmax(self, gaps: Array, visible: Array) -> Array:
        return rounded_softmax(gaps, visible, self.exponential)


def corners(x: Box, y: Box) -> tuple[Array, Array]:
    """The ends of the products of two boxes, entry by entry."""
    products = np.stack([times(a, b) for a in (x.low, x.high) for b in (y.low, y.high)])
    return products.min(axis=0), products.max(axis=0)
