"""Multi-query associative recall: N/2 distinct keys with their labels, then the same keys in another order; give the label of each.

[bhattamishra2024 Task 6]

    x3 y0 x0 y1 x0 y1 x3  ->  y1 y0        N = 4: two pairs, then the two queries, each but the last followed by its label

Scored at every query, all or nothing. Ids: key s is s, label y is |S| + y; the target is y.
Draws: 0..N/2-1 the pairs (high half the key, low half the label), then the order of the queries.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.alternating import Recall
from separatrix.tasks.batch import as_answer
from separatrix.tasks.task import Answer, Batch, need_examples, sized


@dataclass(frozen=True)
class Mqar(Recall):
    """N/2 pairs and N/2 queries. The alphabet of the keys has N symbols unless `symbols` says otherwise."""

    name = "mqar"
    title = "Multi-query recall"
    cites = "bhattamishra2024 Theorem 8"
    tokens = "2 N - 1"
    length_means = "2 x pairs"
    least_length = 2
    even_because = "N/2 pairs and N/2 queries"
    drawn_at = sized(length=6)
    counted_at = sized(length=8)
    enumerated_at = sized(length=4, symbols=2)
    sampled_at = (sized(length=2), sized(length=16, labels=3))

    @property
    def pairs(self) -> int:
        return self.length // 2

    @property
    def token_count(self) -> int:
        return 2 * self.length - 1

    @property
    def scored_at_end(self) -> bool:
        return self.pairs == 1

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        split = self.split(tokens)
        if split is None or len(split[0]) % 2:
            return None
        keys, labels = split
        n = len(keys) // 2
        label = dict(zip(keys[:n], labels[:n], strict=True))
        if len(label) != n or {*keys[n:]} != {*label}:
            return None
        answers = [label[key] for key in keys[n:]]
        return as_answer(answers) if answers[:-1] == labels[n:] else None

    def second(self, tokens: Sequence[int]) -> Answer:
        """The queries are the keys that occurred before."""
        return as_answer(self.recalled(tokens, key) for i, key in enumerate(tokens) if i % 2 == 0 and key in tokens[:i])

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self.ask(self.draw(seed, count, start, queries=self.pairs), first=self.pairs + 1)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for keys in itertools.permutations(range(self.keys), self.pairs):
            for labels in itertools.product(range(self.keys, self.vocabulary), repeat=self.pairs):
                pairs = [*zip(keys, labels, strict=True)]
                for queries in itertools.permutations(pairs):
                    yield tuple(itertools.chain.from_iterable((*pairs, *queries)))[:-1]

    @property
    def input_count(self) -> int:
        return int(math.perm(self.keys, self.pairs) * self.labels**self.pairs * math.factorial(self.pairs)) if self.length <= 40 else 0

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`lone-label`: one key has a label of its own. Its place cycles: N/2 cases cover every place."""
        tokens, j = self.draw(seed, count, 0, queries=self.pairs), np.arange(count)
        self.single_out(tokens, tokens[j, 2 * (j % self.pairs)])
        return self.ask(tokens, first=self.pairs + 1)
