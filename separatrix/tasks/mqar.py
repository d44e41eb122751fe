"""Multi-query associative recall: N/2 distinct keys with their labels, then the same keys in another order; give the label of each.

[bhattamishra2024 Task 6]

    x3 y0 x0 y1 x0 y1 x3  ->  y1 y0        N = 4: two pairs, then the two queries, each but the last followed by its label

Scored at every query, all or nothing. Ids: key s is s, label y is |S| + y; the target is y.
Draws: 0..N/2-1 the pairs (high half the key, low half the label), then the order of the queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.alternating import Recall
from separatrix.tasks.batch import as_answer
from separatrix.tasks.task import Answer, Batch, sized


@dataclass(frozen=True)
class Mqar(Recall):
    """N/2 pairs and N/2 queries. The alphabet of the keys has N symbols unless `symbols` says otherwise."""

    name = "mqar"
    title = "Multi-query recall"
    cites = "bhattamishra2024 Theorem 8"
    tokens = "2 N + filler - 1"
    length_means = "2 x pairs"
    least_length = 2
    even_because = "N/2 pairs and N/2 queries"
    drawn_at = sized(length=6)
    counted_at = sized(length=8)
    enumerated_at = sized(length=4, symbols=2)
    sampled_at = (sized(length=2), sized(length=16, labels=3), sized(length=6, filler=5), sized(length=6, symbols=5, filler=2, absent=True))

    @property
    def pairs(self) -> int:
        return self.length // 2

    @property
    def queries(self) -> int:
        return self.pairs

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        keys = self.length if self.filler else (len(tokens) + 1) // 2
        answers = None if keys % 2 else self.answers(tokens, keys // 2)
        return None if answers is None else as_answer(answers)

    def second(self, tokens: Sequence[int]) -> Answer:
        """The queries are the keys that occurred before, or those that begin the second half."""
        if self.absent:
            return as_answer(self.recalled(tokens, key) for key in tokens[self.context :: 2])
        return as_answer(self.recalled(tokens, key) for i, key in enumerate(tokens) if key < self.keys and key in tokens[:i])

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`lone-label`: one key has a label of its own. Its place cycles: N/2 cases cover every place."""
        tokens, j = self.draw(seed, count, 0, queries=self.pairs), np.arange(count)
        self.single_out(tokens, tokens[j, 2 * (j % self.pairs)])
        return self.spread(tokens, seed, j)
