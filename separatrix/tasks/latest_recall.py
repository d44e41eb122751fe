"""Latest recall: N pairs of a key and a label, where keys come again with other labels, then a key; say the label that it had last.

    x1 y0 x0 y1 x1 y1 x1  ->  y1        the latest of y0 and y1

A table must overwrite: one that only adds keeps both labels. Ids: key s is s, label y is |S| + y; the target is y.
Draws: 0..N-1 the pairs (high half the key, low half the label), N the pair whose key is asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.alternating import Alternating
from separatrix.tasks.drawing.counter import below, below_low, words
from separatrix.tasks.task import Batch, Integers, need_examples, sized


@dataclass(frozen=True)
class LatestRecall(Alternating):
    """N pairs over keys that may repeat, and one query. There are N/2 keys, rounded up, unless `symbols` says otherwise."""

    symbols: int | None = None
    labels: int = 2

    name = "latest-recall"
    title = "Latest recall"
    source = "Associative recall with keys that come again"
    tokens = "2 N + 1"
    length_means = "key-value pairs"
    families = ("stale-label",)
    position_kinds = ("stale-label",)
    drawn_at = sized(length=6)
    counted_at = sized(length=4, symbols=2)
    enumerated_at = sized(length=3, symbols=2)
    sampled_at = (sized(length=12, labels=3), sized(length=12, symbols=12))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.labels <= 2**24:
            raise BadInput(f"latest-recall: labels must lie in 2..2^24, found {self.labels}")
        if not 1 <= self.keys <= 2**24:
            raise BadInput(f"latest-recall: symbols must lie in 1..2^24, found {self.keys}")

    @property
    def keys(self) -> int:
        return -(-self.length // 2) if self.symbols is None else self.symbols

    @property
    def token_count(self) -> int:
        return 2 * self.length + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return self.stream(self.length + 1)

    def answer(self, tokens: Sequence[int]) -> int | None:
        split = self.split(tokens)
        if split is None:
            return None
        (*keys, query), labels = split
        return dict(zip(keys, labels, strict=True)).get(query)

    def second(self, tokens: Sequence[int]) -> int:
        """Read backwards until the key comes."""
        pairs = [*zip(tokens[:-1:2], tokens[1::2], strict=True)]
        return next(label for key, label in reversed(pairs) if key == tokens[-1]) - self.keys

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        pairs, asked = self._pairs(seed, np.arange(start, start + count))
        return self._ask(pairs, pairs[np.arange(count), 2 * asked])

    def inputs(self) -> Iterator[tuple[int, ...]]:
        pairs = itertools.product(range(self.keys), range(self.keys, self.vocabulary))
        for row in itertools.product([*pairs], repeat=self.length):
            for query in sorted({key for key, _ in row}):
                yield (*itertools.chain.from_iterable(row), query)

    @property
    def input_count(self) -> int:
        """Each key is asked in all rows but those without it."""
        if self.length > 20:
            return 0
        N, K, L = self.length, self.keys, self.labels
        return int(K * ((K * L) ** N - ((K - 1) * L) ** N))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`stale-label`: the key that is asked for has had every pair but one of a place that cycles, where its label changes."""
        j = np.arange(count)
        pairs, _ = self._pairs(seed, j)
        place, key = j % self.length, pairs[:, 0].copy()
        other = (key + 1) % self.keys
        places = np.arange(self.length)[None, :]
        old = pairs[:, 1] - self.keys
        pairs[:, ::2] = np.where(places <= place[:, None], key[:, None], other[:, None])
        pairs[:, 1::2] = self.keys + np.where(places == place[:, None], (old[:, None] + 1) % self.labels, old[:, None])
        return self._ask(pairs, key)

    def _pairs(self, seed: int, j: Integers) -> tuple[Integers, Integers]:
        """Rows of pairs, and the pair whose key is asked for."""
        drawn = words(self.key(seed), j, np.arange(self.length + 1))
        pairs = np.empty((len(j), 2 * self.length), dtype=np.int64)
        pairs[:, ::2] = below(drawn[:, :-1], self.keys)
        pairs[:, 1::2] = self.keys + below_low(drawn[:, :-1], self.labels)
        return pairs, below(drawn[:, -1], self.length)

    def _ask(self, pairs: Integers, query: Integers) -> Batch:
        """Rows of pairs with a query, whose label is the latest."""
        backwards = (pairs[:, ::2] == query[:, None])[:, ::-1]
        last = self.length - 1 - backwards.argmax(axis=1)
        label = pairs[np.arange(len(pairs)), 2 * last + 1]
        return self.ask(np.concatenate([pairs, query[:, None], label[:, None]], axis=1), first=self.length + 1)
