"""The heaviest way down a triangle of numbers, one step straight down or to the right at a time.   1 | 0 2 | 2 0 1 |  ->  4"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, maximum


@dataclass(frozen=True)
class NumberTriangle(DynamicProgram):
    """N rows; state (i, j) is the heaviest way to number j of row i, and row N + 1 takes the maximum of row N."""

    symbols: int = 3

    @property
    def entries(self):
        return self.length * (self.length + 1) // 2

    def states(self):
        rows = [(i, j) for i in range(1, self.length + 1) for j in range(1, i + 1)]
        return rows + [(self.length + 1, j) for j in range(1, self.length + 1)]

    def needs(self, i, j):
        if i == self.length + 1:
            return {"one": cell(i, j - 1), "other": cell(i - 1, j)}
        return {"one": cell(i - 1, j - 1), "other": cell(i - 1, j), "number": entry(i * (i - 1) // 2 + j)}

    def transition(self, one, other, number):
        return maximum(one, other) + number
