"""The longest word that two words have in common as a substring.   0 1 1  1 1 0 |  ->  2"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, maximum, where


@dataclass(frozen=True)
class CommonSubstring(DynamicProgram):
    """State (i, j, 0) is the longest common ending of i and of j letters; state (i, j, 1) the longest seen so far."""

    symbols: int = 2

    @property
    def entries(self):
        return 2 * self.length

    def states(self):
        n = self.length
        return [(i, j, k) for i in range(1, n + 1) for j in range(1, n + 1) for k in (0, 1)]

    def needs(self, i, j, k):
        if k == 0:
            return {"run": cell(i - 1, j - 1, 0), "a": entry(i), "b": entry(self.length + j)}
        last = cell(i, j - 1, 1) if j > 1 else cell(i - 1, self.length, 1)
        return {"run": cell(i, j, 0), "best": last}

    def transition(self, k, run, best, a, b):
        return where(k == 1, maximum(run, best), where(a == b, run + 1, 0))
