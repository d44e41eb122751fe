"""Associative recall: N distinct keys, each followed by its label, then one of the keys; say its label.

[bhattamishra2024 Task 7]

    x3 y0 x0 y1 x2 y1 x0  ->  y1        keys x_1 .. x_N, labels y_1 .. y_N, and the query

Ids: key s is s, label y is |S| + y; the target is y. Draws: 0..N-1 the pairs (high half the key, low half the label), N the query.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.alternating import Recall
from separatrix.tasks.task import Batch, need_examples, sized


@dataclass(frozen=True)
class AssociativeRecall(Recall):
    """N pairs and one query. The alphabet of the keys has 2 N symbols unless `symbols` says otherwise."""

    name = "associative-recall"
    title = "Associative recall"
    cites = "bhattamishra2024 Proposition 9"
    tokens = "2 N + 1"
    length_means = "key-value pairs"
    drawn_at = sized(length=4)
    counted_at = sized(length=6)
    enumerated_at = sized(length=2, symbols=3)
    sampled_at = (sized(length=12, labels=3), sized(length=12, labels=3, symbols=12))

    @property
    def pairs(self) -> int:
        return self.length

    @property
    def token_count(self) -> int:
        return 2 * self.length + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    def answer(self, tokens: Sequence[int]) -> int | None:
        split = self.split(tokens)
        if split is None:
            return None
        (*keys, query), labels = split
        return labels[keys.index(query)] if query in keys and len(set(keys)) == len(keys) else None

    def second(self, tokens: Sequence[int]) -> int:
        return self.recalled(tokens, tokens[-1])

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self.ask(self.draw(seed, count, start, queries=1), first=self.length + 1)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for keys in itertools.permutations(range(self.keys), self.length):
            for labels in itertools.product(range(self.keys, self.vocabulary), repeat=self.length):
                for query in keys:
                    yield (*itertools.chain.from_iterable(zip(keys, labels, strict=True)), query)

    @property
    def input_count(self) -> int:
        return int(math.perm(self.keys, self.length) * self.labels**self.length * self.length) if self.length <= 20 else 0

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`lone-label`: only the queried key has its label. The queried place cycles: N cases query each place once."""
        tokens, j = self.draw(seed, count, 0, queries=1), np.arange(count)
        tokens[:, -2] = tokens[j, 2 * (j % self.length)]
        self.single_out(tokens, tokens[:, -2])
        return self.ask(tokens, first=self.length + 1)
