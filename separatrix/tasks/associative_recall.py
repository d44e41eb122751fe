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
from typing import ClassVar

import numpy as np

from separatrix.tasks.alternating import Recall
from separatrix.tasks.task import Batch, need_examples, need_length


@dataclass(frozen=True)
class AssociativeRecall(Recall):
    """N pairs and one query. The alphabet of the keys has 2 N symbols unless `symbols` says otherwise."""

    length: int
    symbols: int | None = None
    labels: int = 2

    name: ClassVar[str] = "associative-recall"
    cites: ClassVar[str] = "bhattamishra2024 Proposition 9"
    tokens: ClassVar[str] = "2 N + 1"

    def __post_init__(self) -> None:
        need_length(self.name, self.length)
        super().__post_init__()

    @property
    def pairs(self) -> int:
        return self.length

    def answer(self, tokens: Sequence[int]) -> int | None:
        split = self.split(tokens)
        if split is None:
            return None
        (*keys, query), labels = split
        return labels[keys.index(query)] if query in keys and len(set(keys)) == len(keys) else None

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self.ask(self.draw(seed, count, start, queries=1), first=self.length + 1)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for keys in itertools.permutations(range(self.keys), self.length):
            for labels in itertools.product(range(self.keys, self.vocabulary), repeat=self.length):
                for query in keys:
                    yield (*itertools.chain.from_iterable(zip(keys, labels, strict=True)), query)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return self.stream(self.length + 1)

    @property
    def input_count(self) -> int:
        return int(math.perm(self.keys, self.length) * self.labels**self.length * self.length) if self.length <= 20 else 0

    @property
    def case_kinds(self) -> tuple[str, ...]:
        return ("random", "lone-label")

    @property
    def position_kinds(self) -> tuple[str, ...]:
        return ("lone-label",)

    def cases(self, kind: str, seed: int, count: int) -> Batch:
        """`lone-label`: only the key that is asked has its label. The places take turns: N cases ask each of them."""
        if kind != "lone-label":
            return super().cases(kind, seed, count)
        need_examples(seed, count, 0)
        tokens, j = self.draw(seed, count, 0, queries=1), np.arange(count)
        tokens[:, -2] = tokens[j, 2 * (j % self.length)]
        self.single_out(tokens, tokens[:, -2])
        return self.ask(tokens, first=self.length + 1)
