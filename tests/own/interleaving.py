"""Is the third word an interleaving of the first two?   0 1  1 1  1 0 1 1 |  ->  1"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, where


@dataclass(frozen=True)
class Interleaving(DynamicProgram):
    """Words of N, N and 2 N letters; state (i, j): do the first i and j letters interleave to the first i + j?"""

    symbols: int = 2

    @property
    def entries(self):
        return 4 * self.length

    def states(self):
        return [(i, j) for i in range(self.length + 1) for j in range(self.length + 1)]

    def needs(self, i, j):
        words = {"a": entry(i) if i else None, "b": entry(self.length + j) if j else None, "c": entry(2 * self.length + i + j)}
        cells = {"up": cell(i - 1, j), "left": cell(i, j - 1)}
        return {**cells, **{name: word for name, word in words.items() if word is not None}}

    def transition(self, i, j, up, left, a, b, c):
        first = where((up == 1) & (a == c), 1, 0)
        second = where((left == 1) & (b == c), 1, 0)
        return where((i == 0) & (j == 0), 1, where((first == 1) | (second == 1), 1, 0))
