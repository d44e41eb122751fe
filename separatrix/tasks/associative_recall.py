"""Associative recall: N distinct keys, each followed by its label, then one of the keys; say its label.

[bhattamishra2024 Task 7]

    x3 y0 x0 y1 x2 y1 x0  ->  y1        keys x_1 .. x_N, labels y_1 .. y_N, and the query

Ids: key s is s, label y is |S| + y; the target is y. Draws: 0..N-1 the pairs (high half the key, low half the label), N the query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.alternating import Recall
from separatrix.tasks.task import Batch, sized

AROUND = (  # filler and absent keys, at sizes at which all strings are counted
    sized(length=1, filler=3),
    sized(length=2, symbols=3, filler=1),
    sized(length=2, symbols=4, absent=True),
    sized(length=3, symbols=4, absent=True),
    sized(length=2, symbols=3, filler=1, absent=True),
)


@dataclass(frozen=True)
class AssociativeRecall(Recall):
    """N pairs and one query. The alphabet of the keys has 2 N symbols unless `symbols` says otherwise."""

    name = "associative-recall"
    title = "Associative recall"
    cites = "bhattamishra2024 Proposition 9"
    tokens = "2 N + filler + 1"
    length_means = "key-value pairs"
    drawn_at = sized(length=4)
    counted_at = sized(length=6)
    enumerated_at = sized(length=2, symbols=3)
    sampled_at = (sized(length=12, labels=3), sized(length=12, labels=3, symbols=12), sized(length=5, filler=9), *AROUND)

    @property
    def pairs(self) -> int:
        return self.length

    @property
    def queries(self) -> int:
        return 1

    def answer(self, tokens: Sequence[int]) -> int | None:
        answers = self.answers(tokens, self.length if self.filler else len(tokens) // 2)
        return None if answers is None else answers[0]

    def second(self, tokens: Sequence[int]) -> int:
        return self.recalled(tokens, tokens[-1])

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`lone-label`: only the queried key has its label. The queried place cycles: N cases query each place once."""
        tokens, j = self.draw(seed, count, 0, queries=1), np.arange(count)
        tokens[:, -2] = tokens[j, 2 * (j % self.length)]
        self.single_out(tokens, tokens[:, -2])
        return self.spread(tokens, seed, j)
