"""The edit distance of two words with its chain, in the words of the public data.

[yang2024 Task 3]

    a b | b a a <sep>  ->  3 1 2 , 1 3 4 , <sep> 4 <eos>        the table row by row, then its last entry

The border costs 1 for each letter, as in the public data. Their words have lengths around N, the shorter first; here they have N and
`second` letters, by default N + 2, the longest chain of the public data at N. Out of 26 letters 3 .. `using` + 2 occur in an input; the
second word is fresh with probability 0.4, else the first with some letters replaced and others inserted.
Draws: 0 how many letters occur, 1 whether the second word is fresh, 2 how many letters are replaced, then 26 words that choose
letters, N and `second` for two fresh words, N pairs of a place and a letter to replace, and `second` pairs to insert.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import Words, below, words
from separatrix.tasks.edit_distance import GAP, LETTERS, REPLACE, EditDistance
from separatrix.tasks.programs.public_chain import PublicChain
from separatrix.tasks.task import Integers, sized

FRESH = 2, 5  # two in five second words
FEWEST = 3  # letters that occur in an input, if there are so many


@dataclass(frozen=True)
class EditDistanceChain(PublicChain):
    """Words of N and `second` letters; with second = 0 it has N + 2."""

    symbols: int = 26
    second: int = 0
    using: int = 8

    name = "edit-distance-chain"
    title = "Edit distance, with its chain"
    cites = "yang2024 Task 3"
    tokens = "N + (second or N + 2) + 2"
    length_means = "letters of the first word"
    marks = ("|", "<sep>", ",", "<eos>")
    drawn_at = sized(length=3, second=3, symbols=4)
    counted_at = sized(length=2, second=2, symbols=2)
    enumerated_at = sized(length=1, second=1, symbols=2)
    audited_at = sized(length=3, symbols=6)
    bounded_at = sized(length=6)
    sampled_at = (sized(length=6), sized(length=2, second=2, using=1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.symbols <= len(LETTERS):
            raise BadInput(f"{self.name}: symbols must lie in 2..{len(LETTERS)}, found {self.symbols}")
        if self.second and self.second < self.length:
            raise BadInput(f"{self.name}: the shorter word comes first, so second must be at least {self.length}, found {self.second}")
        if self.using < 1:
            raise BadInput(f"{self.name}: using must be at least 1, found {self.using}")

    @property
    def program(self) -> EditDistance:
        return EditDistance(self.length, self.symbols, self.other_length, "feng")

    @property
    def other_length(self) -> int:
        """Letters of the second word."""
        return self.second or self.length + 2

    @property
    def largest(self) -> int:
        """From the border in a straight line: j and 2 for each of the i letters."""
        return 2 * self.length + self.other_length

    @property
    def symbol_words(self) -> tuple[str, ...]:
        return tuple(LETTERS[: self.symbols])

    @property
    def chain_limit(self) -> int:
        return self.length * (self.other_length + 1) + 3

    def alphabets(self) -> tuple[Sequence[int], ...]:
        between, end = (self.mark("|"),), (self.mark("<sep>"),)
        return ((self.letters,) * self.length) + (between,) + (self.letters,) * self.other_length + (end,)

    def written(self, values: Sequence[int], answer: int) -> list[int]:
        width, chain = self.other_length + 1, list[int]()
        for i in range(1, self.length + 1):
            chain += [*values[i * width + 1 : (i + 1) * width], self.mark(",")]
        return [*chain, self.mark("<sep>"), answer]

    def values(self, prompt: Sequence[int]) -> list[int]:
        """The table row by row, a hundred times as fast as by expressions."""
        one, other = prompt[: self.length], prompt[self.length : -1]
        above = list(range(len(other) + 1))
        table = [*above]
        for i, a in enumerate(one, 1):
            row = [i]
            for b, deleted, replaced in zip(other, above[1:], above, strict=False):
                row.append(min(deleted + GAP, row[-1] + GAP, replaced + (REPLACE if a != b else 0)))
            table, above = table + row, row
        return table

    def drawn(self, seed: int, j: Integers) -> Integers:
        n, m, s = self.length, self.other_length, self.symbols
        drawn = words(self.key(seed), j, np.arange(3 + s + n + m + 2 * n + 2 * m))
        return np.array([self._words(*np.split(word, np.cumsum([3, s, n, m, 2 * n]))) for word in drawn], dtype=np.int64).reshape(-1, n + m)

    def _words(self, few: Words, order: Words, one: Words, other: Words, swaps: Words, more: Words) -> list[int]:
        """The two words of one example, from its draws."""
        n, m = self.length, self.other_length
        count = min(self.symbols, FEWEST + int(below(few[0], self.using)))
        letters = order.argsort(kind="stable")[:count]
        first = letters[below(one, count)].tolist()
        if below(few[1], FRESH[1]) < FRESH[0]:
            return [*first, *letters[below(other, count)].tolist()]
        second = [*first]
        for place, letter in swaps.reshape(-1, 2)[: 1 + int(below(few[2], n))]:
            second[int(below(place, n))] = int(letters[below(letter, count)])
        for place, letter in more.reshape(-1, 2)[: m - n]:
            second.insert(int(below(place, len(second) + 1)), int(letters[below(letter, count)]))
        return [*first, *second]
