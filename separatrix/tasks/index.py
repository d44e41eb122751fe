r"""Index: n numbers from [n] and a query k; give the k-th number.

[wen2024 Definition 4.2]

    <s> 2 4 4 1 3  ->  4        n = 4: x = 2 4 4 1, k = 3

With `thought=search` the chain is <StartSearch> ^(?:\S+\s){ 3 }(\S+) <EndSearch> 4 4 </s>: `<s>` is the word that is skipped first.
Draws: i - 1 the number x_i, n the query.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.capabilities import scored_positions
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.queried import Queried
from separatrix.tasks.task import Batch, Integers, need_examples, sized

SKIP, TAKE = r"^(?:\S+\s){", r"}(\S+)"


@dataclass(frozen=True)
class Index(Queried):
    """n uniform numbers and a uniform query."""

    name = "index"
    title = "Index"
    cites = "wen2024 Definition 4.2"
    tokens = "N + 2"
    fragments = (SKIP, TAKE)
    families = ("lone-symbol",)
    position_kinds = ("lone-symbol",)
    drawn_at = sized(length=6)
    counted_at = sized(length=4)
    enumerated_at = sized(length=2)
    sampled_at = (sized(length=2), sized(length=9, thought="search"))
    searched_words = 3

    @property
    def token_count(self) -> int:
        return self.length + 2

    def answer(self, tokens: Sequence[int]) -> int | None:
        x = self.sequence(tokens)
        if x is None or not 1 <= (k := self.values(tokens)[-1]) <= self.length:
            return None
        return self.number(x[k - 1])

    def second(self, tokens: Sequence[int]) -> int:
        """`<s>` is word 0, so the query names the place of its answer."""
        place = int(self.text(tokens[-1:]))
        return next(token for position, token in enumerate(tokens) if position == place)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        drawn = 1 + integers(self.key(seed), np.arange(start, start + count), np.arange(self.length + 1), self.length)
        return self._asked(drawn[:, :-1], drawn[:, -1])

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`lone-symbol`: the number that is asked for stands nowhere else, and all others are equal. Its place cycles."""
        n, key, j = self.length, self.key(seed), np.arange(count)
        x = np.repeat(integers(key, j, [0], n), n, axis=1)
        x[j, j % n] = (x[:, 0] + 1 + integers(key, j, [1], n - 1)[:, 0]) % n
        return self._asked(1 + x, 1 + j % n)

    def asked(self, batch: Batch) -> Integers:
        if batch.tokens.shape[1] > self.token_count:  # with chains, whose every word is scored
            return scored_positions(batch)
        return batch.tokens[:, -1] - (len(self.words) - 1) + 1  # x_k stands at position k + 1

    def inputs(self) -> Iterator[tuple[int, ...]]:
        first = self.number(1)
        for x in self.sequences():
            for k in range(self.length):
                yield (0, *(first + value for value in x), first + k)

    @property
    def input_count(self) -> int:
        return int(self.length ** (self.length + 1)) if self.length <= 16 else 0

    def pattern(self, query: Sequence[str]) -> tuple[str, ...]:
        return (SKIP, query[0], TAKE)

    def concluded(self, result: str) -> str:
        return result

    def _asked(self, x: Integers, k: Integers) -> Batch:
        rows, shift = np.arange(len(x)), len(self.words) - 1
        return self.asked_after(x, (k + shift)[:, None], x[rows, k - 1] + shift)
