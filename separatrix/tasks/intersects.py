"""Intersects: two sets of N/2 elements as bit strings, one after the other; say whether they share an element.

[bhattamishra2024 Task 4]

    0 1 1 1 0 0  ->  0        {2, 3} and {1} are disjoint
    1 1 0 0 1 0  ->  1        {1, 2} and {2} share 2

The paper calls max_i x_i y_i Disjointness; it is 1 exactly when the sets meet, hence the clearer name here.
Draws: 0 whether they meet (high bit 1), 1 where, 2.. for each element whether it is in neither set, the second, or the first.
So with probability 1/2 the sets are disjoint; otherwise they share exactly one element, the hardest case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.drawing.counter import Words, below, integers, words
from separatrix.tasks.task import Batch, Decision, Integers, Leak, need_examples, sized


@dataclass(frozen=True)
class Intersects(Decision):
    """I[x . y > 0] for x, y in {0, 1}^(N/2)."""

    name = "intersects"
    title = "Intersects"
    about = "comparison"
    cites = "bhattamishra2024 Theorem 13"
    tokens = "N"
    length_means = "bits of both sets"
    least_length = 2
    even_because = "N/2 bits for each set"
    total = True
    families = ("fair-bits", "complement")
    known_leaks = (Leak("Sets that meet have one element more on average, so they hold more 1s.", ("symbol-count", "bag-of-symbols")),)
    drawn_at = sized(length=12)
    enumerated_at = sized(length=8)

    @property
    def token_count(self) -> int:
        return self.length

    @property
    def vocabulary(self) -> int:
        return 2

    def answer(self, tokens: Sequence[int]) -> int | None:
        if len(tokens) % 2 or not all(bit in (0, 1) for bit in tokens):
            return None
        h = len(tokens) // 2
        return max((x * y for x, y in zip(tokens[:h], tokens[h:], strict=True)), default=0)

    def second(self, tokens: Sequence[int]) -> int:
        """Compute with Python sets."""
        half = len(tokens) // 2
        ones = {i for i, bit in enumerate(tokens) if bit}
        return int(any(i + half in ones for i in ones if i < half))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        key, j, h = self.key(seed), np.arange(start, start + count), self.length // 2
        element = integers(key, j, np.arange(2, 2 + h), 3)  # 0 in neither set, 1 in the second, 2 in the first
        bits = np.empty((count, self.length), dtype=np.int64)
        np.right_shift(element, 1, out=bits[:, :h])
        np.bitwise_and(element, 1, out=bits[:, h:])
        return self._meeting(bits, words(key, j, [0, 1]))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        """`fair-bits`: all bits independent, so that long sets nearly always meet. `complement`: no element is in neither set."""
        key, j, h = self.key(seed), np.arange(count), self.length // 2
        bits = integers(key, j, np.arange(2, 2 + self.length), 2)
        if kind == "fair-bits":
            return self._judged(bits)
        bits[:, h:] = 1 - bits[:, :h]
        return self._meeting(bits, words(key, j, [0, 1]))

    def _meeting(self, bits: Integers, head: Words) -> Batch:
        """Make disjoint sets share one element in the rows that the first random word selects."""
        rows, h = np.arange(len(bits)), self.length // 2
        meet, where = below(head[:, 0], 2), below(head[:, 1], h)
        bits[rows, where] |= meet
        bits[rows, h + where] |= meet
        return self._judged(bits)

    def _judged(self, bits: Integers) -> Batch:
        h = self.length // 2
        return self.labelled(bits, (bits[:, :h] & bits[:, h:]).max(axis=1))
