"""Intersects: two sets of N/2 elements as bit strings, one after the other; say whether they share an element.

[bhattamishra2024 Task 4]

    0 1 1 1 0 0  ->  0        {2, 3} and {1} are disjoint
    1 1 0 0 1 0  ->  1        {1, 2} and {2} share 2

The paper calls max_i x_i y_i Disjointness; it is 1 exactly when the sets meet, so it has the clearer name here.
Draws: 0 whether they meet (high bit 1), 1 where, 2.. for each element whether it is in neither set, the second, or the first.
So with probability 1/2 the sets are disjoint, and else share exactly one element, which is where the function is hardest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import Words, below, integers, words
from separatrix.tasks.task import Batch, Integers, Task, need_examples, need_length, read_at_end


@dataclass(frozen=True)
class Intersects(Task):
    """I[x . y > 0] for x, y in {0, 1}^(N/2)."""

    length: int

    name: ClassVar[str] = "intersects"
    cites: ClassVar[str] = "bhattamishra2024 Theorem 13"
    tokens: ClassVar[str] = "N"

    def __post_init__(self) -> None:
        need_length(self.name, self.length, least=2)
        if self.length % 2:
            raise BadInput(f"intersects: length N must be even, N/2 bits for each set, found {self.length}")

    @property
    def vocabulary(self) -> int:
        return 2

    @property
    def targets(self) -> int:
        return 2

    def answer(self, tokens: Sequence[int]) -> int | None:
        if len(tokens) % 2 or not all(bit in (0, 1) for bit in tokens):
            return None
        h = len(tokens) // 2
        return max((x * y for x, y in zip(tokens[:h], tokens[h:], strict=True)), default=0)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        key, j, h = self.key(seed), np.arange(start, start + count), self.length // 2
        element = integers(key, j, np.arange(2, 2 + h), 3)  # 0 in neither set, 1 in the second, 2 in the first
        bits = np.empty((count, self.length), dtype=np.int64)
        np.right_shift(element, 1, out=bits[:, :h])
        np.bitwise_and(element, 1, out=bits[:, h:])
        return self._meeting(bits, words(key, j, [0, 1]))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return itertools.product((0, 1), repeat=self.length)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return ((0, 1),) * self.length

    @property
    def input_count(self) -> int:
        return 1 << self.length

    @property
    def case_kinds(self) -> tuple[str, ...]:
        return ("random", "fair-bits", "complement")

    def cases(self, kind: str, seed: int, count: int) -> Batch:
        """`fair-bits`: all bits independent, so that long sets nearly always meet. `complement`: no element is in neither set."""
        if kind == "random" or kind not in self.case_kinds:
            return super().cases(kind, seed, count)
        need_examples(seed, count, 0)
        key, j, h = self.key(seed), np.arange(count), self.length // 2
        bits = integers(key, j, np.arange(2, 2 + self.length), 2)
        if kind == "fair-bits":
            return self._labelled(bits)
        bits[:, h:] = 1 - bits[:, :h]
        return self._meeting(bits, words(key, j, [0, 1]))

    def _meeting(self, bits: Integers, head: Words) -> Batch:
        """Disjoint sets made to share one element where the first word says so."""
        rows, h = np.arange(len(bits)), self.length // 2
        meet, where = below(head[:, 0], 2), below(head[:, 1], h)
        bits[rows, where] |= meet
        bits[rows, h + where] |= meet
        return self._labelled(bits)

    def _labelled(self, bits: Integers) -> Batch:
        h = self.length // 2
        return read_at_end(bits, np.full(len(bits), self.length), (bits[:, :h] & bits[:, h:]).max(axis=1))
