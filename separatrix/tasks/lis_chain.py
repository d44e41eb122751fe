"""The longest increasing subsequence with its chain, in the words of the public data.

[yang2024 Task 2]

    7 5 6 8 <sep>  ->  1 1 2 3 <sep> 3 <eos>        N = 4: numbers above N, then the longest that ends at each, and the answer

A chain has 2 N + 3 words with its prompt. As in the public data 3 .. N of the numbers are one, two or three rising runs at random places,
and the others are uniform: uniform numbers alone have short increasing subsequences.
Draws: 0 how many runs, 1 how many planted numbers, 2 and 3 where runs end, then N words that choose places, N numbers, and for each run
`symbols` words that choose its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import Words, below, words
from separatrix.tasks.lis import Lis
from separatrix.tasks.programs.public_chain import PublicChain
from separatrix.tasks.task import Integers, sized

RUNS = 3  # at most


@dataclass(frozen=True)
class LisChain(PublicChain):
    """N numbers out of `symbols`; 109 of them are the public range of 150 at N = 40."""

    symbols: int = 109

    name = "lis-chain"
    title = "Longest increasing subsequence, with its chain"
    cites = "yang2024 Task 2"
    tokens = "N + 1"
    length_means = "numbers"
    least_length = 3
    marks = ("<sep>", "<eos>")
    drawn_at = sized(length=4, symbols=6)
    counted_at = sized(length=3, symbols=3)
    enumerated_at = sized(length=3, symbols=3)
    audited_at = sized(length=5, symbols=8)
    bounded_at = sized(length=40)
    sampled_at = (sized(length=12, symbols=12),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.length <= self.symbols <= 4096:
            raise BadInput(f"lis-chain: a run may hold all N numbers, so symbols must lie in {self.length}..4096, found {self.symbols}")

    @property
    def program(self) -> Lis:
        return Lis(self.length, self.symbols, compact=True)

    @property
    def largest(self) -> int:
        return self.length

    @property
    def symbol_words(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.length + 1, self.length + 1 + self.symbols)))

    @property
    def chain_limit(self) -> int:
        return self.length + 3

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return (self.letters,) * self.length + ((self.mark("<sep>"),),)

    def written(self, values: Sequence[int], answer: int) -> list[int]:
        return [*values, self.mark("<sep>"), answer]

    def drawn(self, seed: int, j: Integers) -> Integers:
        n, m = self.length, self.symbols
        drawn = words(self.key(seed), j, np.arange(4 + 2 * n + RUNS * m))
        numbers = below(drawn[:, 4 + n : 4 + 2 * n], m)
        for row, word in zip(numbers, drawn, strict=True):
            places = np.sort(word[4 : 4 + n].argsort(kind="stable")[: 3 + int(below(word[1], n - 2))])
            ends = [0, *_ends(1 + int(below(word[0], RUNS)), len(places), word[2:4]), len(places)]
            for run, (first, last) in enumerate(pairwise(ends)):
                chosen = word[4 + 2 * n + run * m :][:m].argsort(kind="stable")[: last - first]
                row[places[first:last]] = np.sort(chosen)
        return numbers


def _ends(runs: int, total: int, word: Words) -> list[int]:
    """Where all runs but the last end."""
    if runs == 1:
        return []
    first = 1 + int(below(word[0], total // runs + 1))
    return [first] if runs == 2 else [first, first + 1 + int(below(word[1], (total - first) // 2 + 1))]
