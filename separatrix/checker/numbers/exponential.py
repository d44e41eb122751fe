"""exp to the last bit: the true floor of exp(-t / 2^f), and softmax entries correctly rounded.

exp(-t / 2^f) is a product over the binary digits of t of the constants exp(-2^j), each enclosed between two integers at G bits.
If an enclosure does not decide the rounding, G is doubled; that ends, since exp of a rational number other than 0 is irrational,
and since by Lindemann and Weierstrass a softmax entry is irrational unless all logits are equal.

Most entries are decided more cheaply by float64 products of tabulated factors. That filter rests on IEEE multiplication and
addition alone, never on the accuracy of a mathematics library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FILTERED = 40  # fractional bits up to which float64 decides most entries; below REACH
REACH = 64  # the filter takes exp(-x) for x >= 64 as 0; it is below 2^-92
DIGIT = 8  # bits of t per table
SLACK = 2.0**-48  # at most six factors and five products, each within 2^-53, and the products with 1 - SLACK and 1 + SLACK
Enclosed = tuple[int, int]


class Exponential:
    """exp(-t / 2^f) for integers t >= 0."""

    def __init__(self, f: int) -> None:
        self.f = f
        self._constants: dict[int, list[Enclosed]] = {}

    def enclosure(self, t: int, G: int) -> Enclosed:
        """Integers lo, hi with lo < 2^G exp(-t / 2^f) < hi; at t = 0 both are 2^G."""
        if t == 0:
            return 1 << G, 1 << G
        if t >= G << self.f:
            return 0, 1  # e^-G < 2^-G
        constants = self._up_to(t.bit_length(), G)
        lo = hi = 1 << G
        while t:
            low, high = constants[(t & -t).bit_length() - 1]
            lo, hi = lo * low >> G, -(-hi * high >> G)
            t &= t - 1
        return lo, hi

    def floor(self, t: Array) -> Array:
        """floor(2^f exp(-t / 2^f)) of an array."""
        f, e = self.f, np.zeros(t.shape, dtype=np.int64 if self.f < 62 else object)
        e[t == 0] = 1 << f
        open_ = (t > 0) & (t < f << f)  # beyond it e^-f < 2^-f
        if f <= FILTERED:
            y = np.ldexp(self.approximate(t[open_].astype(np.int64)), f)
            low, high = np.floor(y * (1 - SLACK)), np.floor(y * (1 + SLACK))
            e[open_] = low.astype(np.int64)
            open_[open_] = low != high
        if open_.any():
            distinct, which = np.unique(t[open_], return_inverse=True)
            e[open_] = np.array([self.floor_of(int(v)) for v in distinct], dtype=e.dtype)[which]
        return e

    def floor_of(self, t: int) -> int:
        """floor(2^f exp(-t / 2^f))."""
        if t == 0:
            return 1 << self.f
        G = self.f + 32
        while True:
            lo, hi = self.enclosure(t, G)
            low, high = lo >> (G - self.f), (hi - 1) >> (G - self.f)  # the value lies strictly below hi
            if low == high:
                return low
            G *= 2

    def approximate(self, t: Array) -> Array:
        """exp(-t / 2^f) in float64 for 0 <= t < REACH 2^f, within a factor 1 +- 2^-49."""
        y = np.ones(t.shape)
        for k, table in enumerate(self._tables):
            y *= table[(t >> (DIGIT * k)) & ((1 << DIGIT) - 1)]
        return y

    @cached_property
    def _tables(self) -> list[Array]:
        """exp(-d 2^(8k) / 2^f) for each digit d, nearest float64; 0 where t would leave the reach."""
        G, tables = 160, []
        for k in range(-(-(self.f + REACH.bit_length() - 1) // DIGIT)):
            ts = [d << (DIGIT * k) for d in range(1 << DIGIT)]
            tables.append(np.array([self.enclosure(t, G)[0] / (1 << G) if t < REACH << self.f else 0.0 for t in ts]))
        return tables

    def _up_to(self, count: int, G: int) -> list[Enclosed]:
        """Enclosures of exp(-2^(b - f)) at G bits, for b = 0 .. count - 1 at least."""
        constants = self._constants.setdefault(G, [])
        for b in range(len(constants), count):
            if b <= self.f:
                constants.append(_series(self.f - b, G))
            else:
                lo, hi = constants[-1]
                constants.append((lo * lo >> G, -(-hi * hi >> G)))
        return constants


def _series(j: int, G: int) -> Enclosed:
    """exp(-2^-j) at G bits, from its alternating series with 64 more.

    Each term after the first is less than 2 units too small: the error of the one before, divided, and a floor.
    The terms fall and alternate in sign, so what is left out is less than its first term, which is below 2.
    """
    term, total, k = 1 << (G + 64), 0, 0
    while term:
        total += -term if k % 2 else term
        k += 1
        term = (term >> j) // k
    error = 2 * k
    return (total - error) >> 64, -((-total - error) >> 64)


def rounded_softmax(gaps: Array, visible: Array, exponential: Exponential) -> Array:
    """The real softmax of rows of logits M - t / 2^f, each entry to the nearest multiple of 2^-f, ties to even.

    The gaps t are 0 at the largest visible logit of each row; hidden entries are 0.
    """
    f = exponential.f
    w = np.zeros(gaps.shape, dtype=np.int64 if f < 62 else object)
    undecided = np.ones(len(gaps), dtype=bool)
    if f <= FILTERED:
        near = visible & (gaps < REACH << f)
        y = np.zeros(gaps.shape)
        y[near] = exponential.approximate(gaps[near].astype(np.int64))
        # y is within SLACK, its sum within that and n rounding errors; what lies beyond the reach adds at most n 2^-92
        slack = 4 * (SLACK + (gaps.shape[1] + 8) * 2.0**-52)
        y = np.ldexp(y / y.sum(axis=1, keepdims=True), f)
        low, high = np.floor(y * (1 - slack) + 0.5), np.floor(y * (1 + slack) + 0.5)
        undecided = (low != high).any(axis=1)
        w[:] = low.astype(np.int64)
    enclosure = cache(exponential.enclosure)  # rows share many of their gaps
    for row in np.flatnonzero(undecided):
        shown = visible[row]
        entry = _softmax_entries([int(t) for t in gaps[row][shown]], f, enclosure)
        w[row] = 0
        w[row, shown] = [entry[int(t)] for t in gaps[row][shown]]
    return w


def _softmax_entries(gaps: list[int], f: int, enclosure: Callable[[int, int], Enclosed]) -> dict[int, int]:
    """The rounded entry of each distinct gap."""
    counts = Counter(gaps)
    if len(counts) == 1:
        return {gaps[0]: nearest_ratio(1 << f, len(gaps))}
    entries: dict[int, int] = {}
    G = f + 32 + len(gaps).bit_length()
    while len(entries) < len(counts):
        at = {t: enclosure(t, G) for t in counts}
        least, most = (sum(n * at[t][side] for t, n in counts.items()) for side in (0, 1))
        for t, (lo, hi) in at.items():
            # The entry lies strictly between lo / most and hi / least and is no tie: a tie at either end rounds inwards.
            low = ((lo << (f + 1)) + most) // (2 * most)
            high = -((least - (hi << (f + 1))) // (2 * least))
            if low == high:
                entries[t] = low
        G *= 2
    return entries


def nearest_ratio(a: int, b: int) -> int:
    """a / b to the nearest integer, ties to even, for a >= 0 and b > 0."""
    below, rest = divmod(a, b)
    return below + (2 * rest > b or (2 * rest == b and below % 2 == 1))
