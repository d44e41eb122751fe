"""The largest sum of a segment, each entry counted from the middle of the alphabet.   0 2 2 0 2 |  ->  2"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, maximum, where


@dataclass(frozen=True)
class BestSegment(DynamicProgram):
    """State (i, 0) is the largest sum that ends at i, the empty one included; state (i, 1) the largest so far."""

    symbols: int = 3

    def states(self):
        return [(i, k) for i in range(1, self.length + 1) for k in (0, 1)]

    def needs(self, i, k):
        if k == 0:
            return {"before": cell(i - 1, 0), "number": entry(i)}
        return {"before": cell(i, 0), "best": cell(i - 1, 1)}

    def transition(self, k, before, best, number):
        return where(k == 0, maximum(0, before + number - self.symbols // 2), maximum(before, best))
