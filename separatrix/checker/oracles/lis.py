"""The longest increasing subsequence, with bounded dependence.

State (j, k), 0 <= k < j <= N + 1, has the length of the longest increasing subsequence of the places 1 .. k and j that ends at j;
place N + 1 is larger than all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.programs import ProgramOracle, Row

LONGEST = 300


class Oracle(ProgramOracle):
    """Its states are all pairs of places."""

    name = "lis"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int)
        N, S = within(parameters["length"], 1, LONGEST, "length"), parameters["symbols"]
        super().__init__(N, S, 2, (N + 1) * (N + 2) // 2, N)
        self.title = f"longest increasing subsequence, N = {N}, numbers below {S}"

    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        heights = [*entries, self.S]
        ending: list[int] = []  # the longest that ends at each place
        for j, height in enumerate(heights, start=1):
            best = 1
            yield (j, 0), best
            for k in range(1, j):
                if heights[k - 1] < height:
                    best = max(best, ending[k - 1] + 1)
                yield (j, k), best
            ending.append(best)

    def result(self, last: int) -> int:
        return last - 1
