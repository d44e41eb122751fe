"""The cheapest order to multiply a chain of matrices: a minimum over split points, as a coordinate.   1 0 2 |  ->  6

Entry i is one less than the rows of matrix i; the columns of a matrix are the rows of the next.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.programs import DynamicProgram, cell, entry, minimum, where


@dataclass(frozen=True)
class MatrixChain(DynamicProgram):
    """N sizes, N - 1 matrices; state (i, j, k) is the least cost of matrices i .. j over the splits behind i .. k."""

    symbols: int = 3
    least_length = 2

    def states(self):
        n = self.length - 1
        pairs = [(i, i + gap) for gap in range(n) for i in range(1, n - gap + 1)]
        return [(i, j, k) for i, j in pairs for k in range(i, max(j, i + 1))]

    def needs(self, i, j, k):
        if i == j:
            return {}
        parts = {"left": cell(i, k, max(i, k - 1)), "right": cell(k + 1, j, max(k + 1, j - 1))}
        return {**parts, "before": cell(i, j, k - 1), "p": entry(i), "q": entry(k + 1), "r": entry(j + 1)}

    def transition(self, i, j, k, left, right, before, p, q, r):
        cost = left + right + (p + 1) * ((q + 1) * (r + 1))
        return where(i == j, 0, where(k == i, cost, minimum(before, cost)))
