"""The longest palindromic subsequence: a program over intervals, the short ones first.   0 1 2 0 |  ->  3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from separatrix.tasks.programs import DynamicProgram, cell, entry, maximum, where


@dataclass(frozen=True)
class Palindrome(DynamicProgram):
    """N letters; state (i, j) is about the letters i .. j."""

    symbols: int = 3

    name: ClassVar[str] = "palindrome"
    title: ClassVar[str] = "Longest palindromic subsequence"

    def states(self):
        return [(i, i + gap) for gap in range(self.length) for i in range(1, self.length - gap + 1)]

    def needs(self, i, j):
        cells = {"without_first": cell(i + 1, j), "without_last": cell(i, j - 1), "inner": cell(i + 1, j - 1)}
        return {**cells, "first": entry(i), "last": entry(j)}

    def transition(self, i, j, without_first, without_last, inner, first, last):
        longer = where(first == last, inner + 2, maximum(without_first, without_last))
        return where(i == j, 1, longer)
