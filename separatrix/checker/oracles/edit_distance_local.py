"""The edit distance row by row, each row behind a copy of what is left of the first word and of the second word.

State (i, 0, k) has letter k of the first word, k = i .. N, state (i, 1, k) letter k of the second, and (i, 2, j) the distance of the first
i letters of one word and the first j of the other; i = 1 .. N.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from separatrix.checker.fields import within
from separatrix.checker.oracles.edit_distance import Oracle as EditDistance
from separatrix.checker.oracles.forms.programs import MOST_STATES, Row


class Oracle(EditDistance):
    """The distances are those of the plain table."""

    name = "edit-distance-local"

    def __init__(self, parameters: Any) -> None:
        super().__init__(parameters)
        a, b = self.first, self.other
        self.vectors += 1
        self.tokens = self.n + within(a * (a + 1) // 2 + a * (2 * b + 1), 1, MOST_STATES, "number of states") + 2
        self.title += ", row by row"

    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        one, other = entries[: self.first], entries[self.first :]
        distance = dict(self._distances(one, other))
        for i in range(1, self.first + 1):
            for k in range(i, self.first + 1):
                yield (i, 0, k), one[k - 1]
            for k, letter in enumerate(other, start=1):
                yield (i, 1, k), letter
            for j in range(self.other + 1):
                yield (i, 2, j), distance[i, j]
