"""v <- v^2 + x + 2: values that soon exceed every table, so that their product is one of GeLUs.   0 1 0 |  ->  51"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry


@dataclass(frozen=True)
class GrowingSquares(DynamicProgram):
    """One state for each entry."""

    symbols: int = 3

    def states(self):
        return [(i,) for i in range(1, self.length + 1)]

    def needs(self, i):
        return {"before": cell(i - 1), "x": entry(i)}

    def transition(self, before, x):
        return before * before + x + 2
