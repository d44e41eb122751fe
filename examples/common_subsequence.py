"""The longest common subsequence of two words, as a dynamic program of one's own.   a b a  b a a |  ->  2"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from separatrix.tasks.programs import DynamicProgram, cell, entry, maximum, where


@dataclass(frozen=True)
class CommonSubsequence(DynamicProgram):
    """Two words of N letters; state (i, j) is about the first i letters of one and the first j of the other."""

    symbols: int = 2

    name: ClassVar[str] = "common-subsequence"
    title: ClassVar[str] = "Longest common subsequence"
    tokens: ClassVar[str] = "2 N + 1"

    @property
    def entries(self):
        return 2 * self.length

    def states(self):
        return [(i, j) for i in range(1, self.length + 1) for j in range(1, self.length + 1)]

    def needs(self, i, j):
        cells = {"up": cell(i - 1, j), "left": cell(i, j - 1), "both": cell(i - 1, j - 1)}  # 0 where there is no such state
        return {**cells, "a": entry(i), "b": entry(self.length + j)}

    def transition(self, up, left, both, a, b):
        return where(a == b, both + 1, maximum(up, left))
