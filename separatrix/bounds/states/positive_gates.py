"""PARITY by one number with gates that cannot be negative: for how many bits it works at most, over all its weights.

    h_t = store(store(g(x_t) h_(t-1)) + b(x_t)),   g(0), g(1) >= 0,   h an integer of `fixed:p,0`

Storing rounds and clamps, which keeps the order of numbers, and so does a gate that is not negative. So every symbol moves all numbers
monotonously, and a word that is read again and again moves h in one direction until it stands still: such a machine has no groups, and
PARITY is one. What remains is to count: 2^p - 1 bits, with a state for each number of 1s.

Here all weights are tried. A state after n bits that words of both parities reach shows that no read-out decides PARITY of n bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

MOST = 4  # bits: 2^(5 p - 2) machines


@dataclass(frozen=True)
class Gated:
    """One number of p bits: gate and drive of each of the two symbols, and the first state."""

    p: int
    gates: tuple[int, int]
    drives: tuple[int, int]
    first: int

    def after(self, h: int, symbol: int) -> int:
        """The number that is stored after one more symbol."""
        return self._stored(self._stored(self.gates[symbol] * h) + self.drives[symbol])

    def _stored(self, x: int) -> int:
        low = -(1 << (self.p - 1))
        return max(low, min(-low - 1, x))

    def confused_at(self, most: int) -> int | None:
        """The least number of bits after which words of both parities lead to one state; None if there is none up to `most`."""
        reached = {(self.first, 0)}
        for n in range(1, most + 1):
            reached = {(self.after(h, symbol), odd ^ symbol) for h, odd in reached for symbol in (0, 1)}
            if any((h, 1 - odd) in reached for h, odd in reached):
                return n
        return None


def machines(p: int, positive: bool) -> Iterator[Gated]:
    """Every machine of one number of p bits; with `positive`, only those without a negative gate."""
    numbers = range(-(1 << (p - 1)), 1 << (p - 1))
    gates = [g for g in numbers if g >= 0 or not positive]
    for g, b, first in product(product(gates, repeat=2), product(numbers, repeat=2), numbers):
        yield Gated(p, (g[0], g[1]), (b[0], b[1]), first)


def longest_parity(p: int) -> int:
    """The most bits of which some number of p bits with positive gates decides PARITY."""
    return max((each.confused_at(1 << (p + 2)) or 0) for each in machines(p, positive=True)) - 1
