"""The number of ways through a square grid with walls, right and down, modulo 5.   0 0 1 0 |  ->  1"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, table, where


@dataclass(frozen=True)
class FreePaths(DynamicProgram):
    """N rows of N cells, 1 is a wall; state (i, j) counts the ways from the first cell to cell j of row i."""

    symbols: int = 2

    @property
    def entries(self):
        return self.length * self.length

    def states(self):
        return [(i, j) for i in range(1, self.length + 1) for j in range(1, self.length + 1)]

    def needs(self, i, j):
        return {"up": cell(i - 1, j), "left": cell(i, j - 1), "wall": entry((i - 1) * self.length + j)}

    def transition(self, i, j, up, left, wall):
        ways = where((i == 1) & (j == 1), 1, table(up + left, [v % 5 for v in range(10)]))
        return where(wall == 1, 0, ways)
