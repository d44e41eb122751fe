"""Associative recall: N distinct keys, each followed by its label, then one of the keys; the answer is its label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product

from separatrix.checker.oracles.forms.recall import Recall


class Oracle(Recall):
    """N pairs and one query."""

    name, words_for = "associative-recall", "associative recall"

    def sizes(self, N: int) -> tuple[int, int]:
        return N, 1

    def truth(self, tokens: Sequence[int]) -> int | None:
        label = self.labelled(tokens)
        return None if label is None else label.get(tokens[-1])

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for keys in permutations(range(self.keys), self.pairs):
            for labels in product(range(self.keys, self.vocabulary), repeat=self.pairs):
                pairs = [*chain.from_iterable(zip(keys, labels, strict=True))]
                yield from ((*pairs, query) for query in keys)

    def asking_for(self, lone: int, order: list[int]) -> list[int]:
        return [lone, *order[1:]]
