"""Index lookup: N symbols, then a position; say the symbol at that position.

[bhattamishra2024 Task 1; section 3] [bhattamishra2024 Task 9]

    c a d b a 3  ->  d        symbols s_1 .. s_N from an alphabet of size |S|, then the index token p, answer s_p

Ids: symbol s is s; the index token p (from 1) is |S| + p - 1. Draws: 0 the length, 1 the position, 2.. the symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import balanced, below, integers, words
from separatrix.tasks.task import Batch, Integers, Task, need_examples, pad_after, read_at_end, sized


@dataclass(frozen=True)
class IndexLookup(Task):
    """N symbols and an index; the evaluation distribution has k = N symbols, training draws k from {min(10, N)..N}."""

    symbols: int = 64
    distribution: Literal["evaluation", "training"] = "evaluation"

    name = "index-lookup"
    title = "Index lookup"
    about = "retrieval"
    cites = "bhattamishra2024 Theorem 1"
    tokens = "N + 1"
    length_means = "symbols before the index"
    families = ("complement",)
    position_kinds = ("complement",)
    total = True
    drawn_at = sized(length=8, symbols=16)
    counted_at = sized(length=6, symbols=4)
    enumerated_at = sized(length=3, symbols=2)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.symbols <= 2**31:
            raise BadInput(f"index-lookup: symbols must lie in 2..2^31, found {self.symbols}")

    @property
    def token_count(self) -> int:
        return self.length + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def vocabulary(self) -> int:
        return self.symbols + self.length

    @property
    def targets(self) -> int:
        return self.symbols

    def answer(self, tokens: Sequence[int]) -> int | None:
        *symbols, index = tokens
        p = index - self.symbols + 1
        if not 1 <= p <= len(symbols) or not all(0 <= s < self.symbols for s in symbols):
            return None
        return symbols[p - 1]

    def second(self, tokens: Sequence[int]) -> int | None:
        """The answer by counting down to the place: the independent solver."""
        left = tokens[-1] - self.symbols
        for symbol in tokens:
            if left == 0:
                return symbol
            left -= 1
        return None

    def asked(self, batch: Batch) -> Integers:
        """The place that the index token points to."""
        named: Integers = batch.tokens[batch.mask] - self.symbols + 1
        return named

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        N, key, j = self.length, self.key(seed), np.arange(start, start + count)
        first = words(key, j, [0, 1])
        shortest = min(10, N) if self.distribution == "training" else N
        k = shortest + below(first[:, 0], N - shortest + 1)
        p = 1 + below(first[:, 1], k)
        symbols = integers(key, j, np.arange(2, int(k.max(initial=0)) + 3), self.symbols)  # the last column is for the index token
        return self._ask(symbols, k, p)

    @property
    def independent_answers(self) -> tuple[int, int]:
        return self.length, self.symbols

    def interview(self, seed: int, count: int) -> Batch:
        need_examples(seed, count, 0)
        symbols = balanced(self.key(seed), count, self.length, self.symbols)
        tokens = np.repeat(np.pad(symbols, ((0, 0), (0, 1))), self.length, axis=0)
        return self._ask(tokens, np.full(len(tokens), self.length), np.tile(np.arange(1, self.length + 1), count))

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return (range(self.symbols),) * self.length + (range(self.symbols, self.vocabulary),)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        return self.complement(seed, count)

    def complement(self, seed: int, count: int) -> Batch:
        """Symbol s at place p, and everywhere else the symbol whose binary code differs most from it: the hardest input to read.

        With count = N every position is queried once; otherwise the positions are drawn.
        """
        N, j = self.length, np.arange(count)
        drawn = words(self.key(seed), j, [0, 1])
        p = j + 1 if count == N else 1 + below(drawn[:, 0], N)
        s = below(drawn[:, 1], self.symbols)
        symbols = np.repeat(farthest_symbols(self.symbols)[s][:, None], N + 1, axis=1)
        symbols[j, p - 1] = s
        return self._ask(symbols, np.full(count, N), p)

    def _ask(self, tokens: Integers, k: Integers, p: Integers) -> Batch:
        """A batch of rows s_1 .. s_k p, padded, with the answer s_p at the last token; overwrites `tokens` [rows, longest k + 1]."""
        rows = np.arange(len(tokens))
        answers = tokens[rows, p - 1]
        tokens[rows, k] = self.symbols + p - 1
        pad_after(tokens, k + 1)
        return read_at_end(tokens, k + 1, answers)

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join(f"s{t}" if t < self.symbols else f"@{t - self.symbols + 1}" for t in tokens)

    def target_text(self, target: int) -> str:
        return f"s{target}"

    def _id(self, word: str) -> int:
        kind, number = word[:1], word[1:]
        if kind in ("s", "@") and number.isdigit():
            token = int(number) if kind == "s" else self.symbols + int(number) - 1
            within = token < self.symbols if kind == "s" else 1 <= int(number) <= self.length
            if within:
                return token
            limit = (
                f"index p = {number} lies outside [1, N] with N = {self.length}"
                if kind == "@"
                else f"symbol {word} lies outside the alphabet"
            )
            raise BadInput(f"index-lookup: {limit}")
        return super()._id(word)


def farthest_symbols(symbols: int) -> Integers:
    """For each symbol the one whose binary code differs from it in most bits (the smallest such symbol)."""
    bits = max(1, (symbols - 1).bit_length())
    full = (1 << bits) - 1
    s = np.arange(symbols)
    if symbols == full + 1:
        return full - s
    return np.array([max(range(symbols), key=lambda t: ((int(a) ^ t).bit_count(), -t)) for a in s])
