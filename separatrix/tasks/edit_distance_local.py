"""The edit distance with its words written out again for every row of the table, so that nothing has to be read far back.

[yang2024 Task 5]

    a b a  b b |  ->  5        row 1 comes with a b a  b b, row 2 with b a  b b, row 3 with a  b b

State (i, 0, k) is letter k >= i of the first word, (i, 1, k) letter k of the second, (i, 2, j) the distance of the first i and j letters.
A letter is copied from the row before, and the first row from the input. The paper names such a task and does not describe it: this one
is ours. What a state needs lies at most n1 + 2 n2 + 1 tokens before it, in a chain of about n1 (n1 / 2 + 2 n2) tokens.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from separatrix.tasks.capabilities import Revealed
from separatrix.tasks.edit_distance import BORDER, GAP, REPLACE, EditDistance
from separatrix.tasks.programs.expression import Expression, minimum, where
from separatrix.tasks.programs.places import Cell, Entry, cell, entry

FIRST, SECOND, DISTANCE = range(3)  # what a state holds


@dataclass(frozen=True)
class EditDistanceLocal(EditDistance):
    """Words of N and `second` letters; with second = 0 both have N."""

    name = "edit-distance-local"
    title = "Edit distance, locally"
    cites = "yang2024 Task 5"

    def revealed_by_chain(self) -> Revealed:
        """The first row of the chain repeats both words."""
        return Revealed(self.entries * math.log2(self.symbols), "(n1 + n2) log2 |S|")

    def states(self) -> Iterable[tuple[int, int, int]]:  # type: ignore[override]
        n, m = self.length, self.other_length
        for i in range(1, n + 1):
            yield from ((i, FIRST, k) for k in range(i, n + 1))
            yield from ((i, SECOND, k) for k in range(1, m + 1))
            yield from ((i, DISTANCE, j) for j in range(m + 1))

    def needs(self, i: int, part: int, k: int) -> Mapping[str, Cell | Entry]:  # type: ignore[override]
        if part != DISTANCE:
            return {"above": cell(i - 1, part, k) if i > 1 else entry(k + self.length * part)}
        if k == 0:
            return {}
        table = {"above": cell(i - 1, part, k), "left": cell(i, part, k - 1), "corner": cell(i - 1, part, k - 1)}
        return {**table, "a": cell(i, FIRST, i), "b": cell(i, SECOND, k)}

    def transition(  # type: ignore[override]
        self,
        i: Expression,
        part: Expression,
        k: Expression,
        above: Expression,
        left: Expression,
        corner: Expression,
        a: Expression,
        b: Expression,
    ) -> Expression:
        edge = BORDER[self.border]
        over, across = where(i == 1, edge * k, above), where(i == 1, edge * (k - 1), corner)
        inside = minimum(over + GAP, left + GAP, across + REPLACE * (a != b))
        return where(part == DISTANCE, where(k == 0, edge * i, inside), above)

    def benchmark_line(self, tokens: Sequence[int]) -> None:  # type: ignore[override]  # noqa: ARG002
        """The public data do not have it."""
        return

    def read_benchmark(self, line: str) -> None:  # type: ignore[override]  # noqa: ARG002
        return
