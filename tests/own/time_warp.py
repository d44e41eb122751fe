"""Dynamic time warping of two series: the cheapest way to align them.   0 1 2  0 0 2 |  ->  1"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, minimum, where


@dataclass(frozen=True)
class TimeWarp(DynamicProgram):
    """State (i, j) is the least cost of aligning the first i entries of one series with the first j of the other."""

    symbols: int = 3

    @property
    def entries(self):
        return 2 * self.length

    def states(self):
        return [(i, j) for i in range(1, self.length + 1) for j in range(1, self.length + 1)]

    def needs(self, i, j):
        cells = {"up": cell(i - 1, j), "left": cell(i, j - 1), "both": cell(i - 1, j - 1)}
        return {**cells, "a": entry(i), "b": entry(self.length + j)}

    def transition(self, i, j, up, left, both, a, b):
        inside = minimum(up, left, both)
        before = where(i == 1, left, where(j == 1, up, inside))  # cells beyond the border read 0, so they are left out
        return before + abs(a - b)
