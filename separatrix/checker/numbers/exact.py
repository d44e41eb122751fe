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
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.seal import Refused


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

    def integers(self, x: Array) -> Values:
        if x.size and not self.low <= int(x.min()) * self.scale <= int(x.max()) * self.scale <= self.high:
            raise Refused(f"an input holds the integer {int(np.abs(x).max())}, which is not a number of {self.name}")
        return Values(shifted(x.astype(np.int64), self.f))

    def embed(self, rows: Array, terms: list[Term]) -> Values:
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

    def linear(self, x: Values, weight: Array, bias: Array | None = None) -> Values:
        exact = product(x.value, weight.T)
        return self.stored(exact if bias is None else plus(exact, shifted(bias, self.f)), self.f)

    def logits(self, q: Values, k: Values) -> Values:
        return self.stored(product(q.value, np.swapaxes(k.value, -1, -2)), self.f)

    def attention(self, a: Values, visible: Array | None, kind: str) -> Values:
        """Weights with f fractional bits; they are not clamped, so a weight can be 1 even if the format ends just below it."""
        shown, logits = visible_rows(a.value, visible), a.value.reshape(-1, a.shape[-1])
        rows = np.arange(len(logits))
        first = np.where(shown, logits, logits.min() - 1).argmax(axis=1)  # NumPy's argmax is the first
        if kind == "softmax":
            return Values(self.softmax(narrow(plus(logits[rows, first][:, None], -logits)), shown).reshape(a.shape))
        w = np.zeros(logits.shape, dtype=np.int64 if self.f < 62 else object)
        if kind == "hard":
            w[rows, first] = self.scale
        elif kind == "uniform":
            for row, count in enumerate(shown.sum(axis=1).tolist()):
                w[row, shown[row]] = self.ratio(self.scale, count)
        else:
            raise Refused(f"unknown scores {kind!r}: expected softmax, hard or uniform")
        return Values(w.reshape(a.shape))

    def mix(self, w: Values, v: Values) -> Values:
        return self.stored(product(w.value, v.value), self.f)

    def add(self, x: Values, y: Values) -> Values:
        return Values(self.clamped(plus(x.value, y.value)))

    def product(self, x: Values, y: Values) -> Values:
        return self.stored(times(x.value, y.value), self.f)

    def relu(self, x: Values) -> Values:
        return Values(np.maximum(x.value, 0))

    def enclosing(self, low: Array, high: Array, size: Callable[[], Array], terms: int) -> tuple[Array, Array]:  # noqa: ARG002
        return self.store(low, self.f), self.store(high, self.f)  # rounding is monotone

    def one(self, total: int) -> int:
        """One exact sum of products, in units of 2^-2f, as the format stores it."""
        return int(self.store(np.array([total], dtype=object), self.f)[0])

    def stored(self, x: Array, bits: int) -> Values:
        """The result of an operator."""
        return Values(self.store(x, bits))

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
