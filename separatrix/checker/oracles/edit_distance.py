"""The edit distance of two words: a letter inserted or deleted costs 2, replaced 3; on the border `true` 2 and `feng` 1.

State (i, j) has the distance of the first i letters of the first word and the first j of the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.programs import ProgramOracle, Row
from separatrix.checker.seal import Refused

LONGEST = 250
BORDERS = {"true": 2, "feng": 1}


class Oracle(ProgramOracle):
    """Both words stand in the input, one after the other."""

    name = "edit-distance"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int, second=int, border=str)
        self.first = within(parameters["length"], 1, LONGEST, "length")
        self.other = within(parameters["second"], 0, LONGEST, "second") or self.first
        if parameters["border"] not in BORDERS:
            raise Refused(f"border: expected one of {', '.join(BORDERS)}, found {parameters['border']!r:.80}")
        self.edge = BORDERS[parameters["border"]]
        S, a, b = parameters["symbols"], self.first, self.other
        super().__init__(a + b, S, 2, (a + 1) * (b + 1), self.most(a, b))
        self.title = f"edit distance of words of {a} and {b} letters out of {S}, border {parameters['border']}"

    def most(self, a: int, b: int) -> int:
        """The distance of two words without a letter in common: no pair of words has a larger one."""
        *_, (_, last) = self._distances([0] * a, [1] * b)
        return last

    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        return self._distances(entries[: self.first], entries[self.first :])

    def _distances(self, one: Sequence[int], other: Sequence[int]) -> Iterator[Row]:
        above: list[int] = []
        for i in range(len(one) + 1):
            row: list[int] = []
            for j in range(len(other) + 1):
                if i and j:
                    row.append(min(2 + min(row[-1], above[j]), above[j - 1] + 3 * (one[i - 1] != other[j - 1])))
                else:
                    row.append(self.edge * (i + j))
                yield (i, j), row[-1]
            above = row
