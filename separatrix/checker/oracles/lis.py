"""The longest increasing subsequence, with bounded dependence.

State (j, k), 0 <= k < j <= N + 1, has the length of the longest increasing subsequence of the places 1 .. k and j that ends at j;
place N + 1 is larger than all others. The compact chain has one value for each place, a separator, and their maximum.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.programs import ProgramOracle, Row

LONGEST = 300


class Oracle(ProgramOracle):
    """Its states are all pairs of places, or all places."""

    name = "lis"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int, compact=bool)
        N, S = within(parameters["length"], 1, LONGEST, "length"), parameters["symbols"]
        self.compact = parameters["compact"]
        super().__init__(N, S, 0 if self.compact else 2, N if self.compact else (N + 1) * (N + 2) // 2, N)
        self.tokens += self.compact  # the second separator
        self.title = f"longest increasing subsequence, N = {N}, numbers below {S}{', one value for each' * self.compact}"

    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        if self.compact:
            yield from (((), rank) for rank in self._ranks(entries))
            return
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

    def truth(self, tokens: Sequence[int]) -> int:
        return max(self._ranks(tokens[: self.n])) if self.compact else super().truth(tokens)

    def chain(self, tokens: Sequence[int]) -> tuple[Any, ...]:
        if not self.compact:
            return super().chain(tokens)
        ranks = [*self._ranks(tokens[: self.n])]
        return (*((0, 2, rank, 0) for rank in ranks), (0, 1, 0, 0), (0, 3, 0, max(ranks)), (0, 0, 0, 0))

    def _ranks(self, entries: Sequence[int]) -> Iterator[int]:
        """The pile of each number in patience sorting: the longest increasing subsequence that ends with it."""
        tops: list[int] = []
        for x in entries:
            pile = bisect_left(tops, x)
            tops[pile : pile + 1] = [x]
            yield pile + 1
