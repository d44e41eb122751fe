"""The edit distance with its chain, both words written out again before every row of the table: nothing has to be read far back.

[yang2024 Task 5]

    a b | b a a <sep>  ->  a b | b a a | 1 3 1 2 , b | b a a | 2 1 3 4 , <sep> 4 <eos>

Block i has the letters of the first word from i on, the second word, and row i of the table with its border. The paper names such a task
and does not describe it: this one is ours. Every word of a chain follows from its place and the last n1 + 2 n2 + 4 words.
Inputs are drawn as those of `edit-distance-chain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.tasks.edit_distance_chain import EditDistanceChain
from separatrix.tasks.edit_distance_local import EditDistanceLocal


@dataclass(frozen=True)
class EditDistanceLocalChain(EditDistanceChain):
    """Words of N and `second` letters; with second = 0 it has N + 2."""

    name = "edit-distance-local-chain"
    title = "Edit distance, locally, with its chain"
    cites = "yang2024 Task 5"

    @property
    def program(self) -> EditDistanceLocal:
        return EditDistanceLocal(self.length, self.symbols, self.other_length, "feng")

    @property
    def chain_limit(self) -> int:
        n, m = self.length, self.other_length
        return n * (n + 1) // 2 + n * (2 * m + 4) + 3

    def values(self, prompt: Sequence[int]) -> list[int]:
        """Block by block, as the program's states."""
        n, width = self.length, self.other_length + 1
        table, one, other = super().values(prompt), prompt[:n], prompt[n:-1]
        return [value for i in range(1, n + 1) for value in (*one[i - 1 :], *other, *table[i * width : (i + 1) * width])]

    def written(self, values: Sequence[int], answer: int) -> list[int]:
        m, left, chain = self.other_length, list(values), list[int]()
        for letters in range(self.length, 0, -1):
            one, other, row, left = left[:letters], left[letters:][:m], left[letters + m :][: m + 1], left[letters + 2 * m + 1 :]
            for word in (one, other):
                chain += [*(self.letters[letter] for letter in word), self.mark("|")]
            chain += [*row, self.mark(",")]
        return [*chain, self.mark("<sep>"), answer]
