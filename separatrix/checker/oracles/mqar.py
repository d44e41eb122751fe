"""Multi-query recall: N/2 distinct keys with their labels, then the same keys in another order; at each key its label is due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product

from separatrix.checker.oracles.forms.recall import Recall
from separatrix.checker.oracles.forms.task_oracle import Case, Tokens
from separatrix.checker.seal import Refused


class Oracle(Recall):
    """Every query but the last is followed by its label."""

    name, words_for = "mqar", "multi-query recall"
    decoder = "positions"

    def sizes(self, N: int) -> tuple[int, int]:
        if N % 2:
            raise Refused(f"length: expected an even number, found {N}")
        return N // 2, N // 2

    def truth(self, tokens: Sequence[int]) -> int | tuple[int, ...] | None:
        label, due = self.labelled(tokens), tokens[2 * self.pairs :: 2]
        if label is None or len({*due} & {*label}) != self.pairs:
            return None
        answers = tuple(label[key] for key in due)
        if [*answers[:-1]] != [token - self.keys for token in tokens[2 * self.pairs + 1 :: 2]]:
            return None
        return answers if self.pairs > 1 else answers[0]

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for keys in permutations(range(self.keys), self.pairs):
            for labels in product(range(self.keys, self.vocabulary), repeat=self.pairs):
                pairs = [*zip(keys, labels, strict=True)]
                for queries in permutations(pairs):
                    yield tuple(chain.from_iterable((*pairs, *queries)))[:-1]

    def asked(self, tokens: Tokens) -> Case:
        answers = self.truth(tokens.tolist())
        assert answers is not None
        return tokens, dict(zip(range(2 * self.pairs, self.tokens, 2), answers if isinstance(answers, tuple) else (answers,), strict=True))
