"""Reversed prefix sums: add up a list from its end.

    3 1 4 |  ->  8        dp: 4, 5, 8

dp(i) = dp(i - 1) + s_(n + 1 - i). Every input has its own values, and the chain is about as long as the input:
the one program of the fourth paper's kind that meets all hypotheses of its lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from separatrix.tasks.capabilities import Revealed
from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.programs.expression import Expression
from separatrix.tasks.programs.places import Cell, Entry, cell, entry
from separatrix.tasks.task import sized


@dataclass(frozen=True)
class ReverseSum(DynamicProgram):
    """N numbers; state i holds the sum of the last i."""

    symbols: int = 10

    name = "reverse-sum"
    title = "Reversed sum"
    source = "a dynamic program that meets the hypotheses of Yang et al. 2024, Theorem 4.4"
    length_means = "numbers"
    drawn_at = sized(length=4)

    def states(self) -> Iterable[int]:
        return range(1, self.length + 1)

    def needs(self, i: int) -> Mapping[str, Cell | Entry]:  # type: ignore[override]
        return {"before": cell(i - 1), "number": entry(self.length + 1 - i)}

    def transition(self, before: Expression, number: Expression) -> Expression:  # type: ignore[override]
        return before + number

    def revealed_by_chain(self) -> Revealed:
        """s_n, s_n + s_(n-1), ..: every entry is a difference of two values."""
        return Revealed(self.length * math.log2(self.symbols), "n log2 |S|")

    def second(self, tokens: Sequence[int]) -> int:
        return sum(tokens[:-1])
