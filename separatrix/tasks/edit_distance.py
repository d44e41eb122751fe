"""The edit distance of two words: insert and delete cost 2, replace 3.

[yang2024 Task 3]

    a b a  b b |  ->  5        (replace the first letter, delete the last)

State (i, j) is the distance of the first i letters of one word and the first j of the other.
The public data of the fourth paper start from a border of 1 for each letter, `border="feng"`, although a letter costs 2: their numbers are
not the weighted distance, which is `border="true"`.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from separatrix.errors import BadInput
from separatrix.tasks.capabilities import Revealed
from separatrix.tasks.programs.dynamic_program import DynamicProgram, checked_line
from separatrix.tasks.programs.expression import Expression, minimum, where
from separatrix.tasks.programs.places import Cell, Entry, cell, entry
from separatrix.tasks.task import sized

GAP, REPLACE = 2, 3
LETTERS = string.ascii_lowercase  # of the public data
BORDER = {"true": GAP, "feng": 1}  # what a letter of the border costs


@dataclass(frozen=True)
class EditDistance(DynamicProgram):
    """Words of N and `second` letters; with second = 0 both have N."""

    second: int = 0
    border: Literal["true", "feng"] = "true"

    name = "edit-distance"
    title = "Edit distance"
    cites = "yang2024 Task 3"
    tokens = "N + (second or N) + 1"
    length_means = "letters of the first word"
    drawn_at = sized(length=3, second=2, symbols=2)
    enumerated_at = sized(length=2, second=1, symbols=2)
    counted_at = sized(length=2, symbols=2)
    audited_at = sized(length=3)
    bounded_at = sized(length=20)
    bounded_up_to = 1 << 11  # the states of its chain are listed
    sampled_at = (sized(length=1, second=4, symbols=3),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.second < 0:
            raise BadInput(f"edit-distance: second must be the number of letters of the second word, or 0, found {self.second}")

    @property
    def other_length(self) -> int:
        """Letters of the second word."""
        return self.second or self.length

    @property
    def entries(self) -> int:
        return self.length + self.other_length

    def revealed_by_chain(self) -> Revealed:
        """A row of distances to a word of zeros reveals which letters are 0 (bounds/programs/widths.py)."""
        return Revealed(float(min(self.length, self.other_length)), "min(n1, n2), by words of bits against a word of zeros,", loose=True)

    def states(self) -> Iterable[tuple[int, int]]:
        return ((i, j) for i in range(self.length + 1) for j in range(self.other_length + 1))

    def needs(self, i: int, j: int) -> Mapping[str, Cell | Entry]:  # type: ignore[override]
        letters = {"a": entry(i), "b": entry(self.length + j)} if i and j else {}
        return {"deleted": cell(i - 1, j), "inserted": cell(i, j - 1), "replaced": cell(i - 1, j - 1), **letters}

    def transition(  # type: ignore[override]
        self, i: Expression, j: Expression, deleted: Expression, inserted: Expression, replaced: Expression, a: Expression, b: Expression
    ) -> Expression:
        inside = minimum(minimum(deleted, inserted) + GAP, replaced + REPLACE * (a != b))
        return where((i == 0) | (j == 0), BORDER[self.border] * (i + j), inside)

    def second_answer(self, tokens: Sequence[int]) -> int:
        """From the ends of the words, without a table in order."""
        a, b = tokens[: self.length], tokens[self.length : -1]
        edge = BORDER[self.border]

        @cache
        def distance(i: int, j: int) -> int:
            if not i or not j:
                return edge * (i + j)
            same = distance(i - 1, j - 1) + (REPLACE if a[i - 1] != b[j - 1] else 0)
            return min(same, GAP + distance(i - 1, j), GAP + distance(i, j - 1))

        return distance(self.length, self.other_length)

    def benchmark_line(self, tokens: Sequence[int]) -> str:
        """`s1 | s2 <sep> D[1][1..] , D[2][1..] , .. , <sep> answer`; the public data have at most 26 letters, and border="feng"."""
        if self.symbols > len(LETTERS):
            raise BadInput(f"edit-distance: the public data have {len(LETTERS)} letters, found {self.symbols} symbols")
        words = [LETTERS[token] for token in tokens[:-1]]
        values, width = self.values(tokens), self.other_length + 1
        rows = [[*map(str, values[i * width + 1 : (i + 1) * width]), ","] for i in range(1, self.length + 1)]
        table = [word for row in rows for word in row]
        return " ".join([*words[: self.length], "|", *words[self.length :], "<sep>", *table, "<sep>", str(values[-1])])

    def read_benchmark(self, line: str) -> tuple[int, ...]:
        prompt = line.split("<sep>", maxsplit=1)[0].split()
        return checked_line(self, line, [LETTERS.find(word) for word in prompt if word != "|"])
