"""Copy: N symbols, a separator, then the symbols again; predict each symbol of the copy.

    7 3 9 # 7 3  ->  7 3 9        at the separator the first symbol is due, and after each symbol of the copy the next one

All or nothing. The last symbol of the copy is only predicted, never read. Ids: symbol s is s, the separator # is |S|.
Draws: i - 1 the symbol x_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.batch import as_answer
from separatrix.tasks.drawing.counter import balanced, integers
from separatrix.tasks.task import Answer, Batch, Integers, Task, need_examples, sized


@dataclass(frozen=True)
class Copy(Task):
    """N uniform symbols and N predictions."""

    symbols: int = 64

    name = "copy"
    title = "Copy"
    about = "retrieval"
    source = "Jelassi, Brandfonbrener, Kakade and Malach 2024, Repeat after me"
    tokens = "2 N"
    families = ("two-symbols", "lone-symbol")
    position_kinds = ("lone-symbol",)
    drawn_at = sized(length=5, symbols=8)
    counted_at = sized(length=4, symbols=3)
    enumerated_at = sized(length=3, symbols=2)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.symbols <= 4096:
            raise BadInput(f"copy: symbols must lie in 2..4096, found {self.symbols}")

    @property
    def token_count(self) -> int:
        return 2 * self.length

    @property
    def scored_at_end(self) -> bool:
        return self.length == 1

    @property
    def vocabulary(self) -> int:
        return self.symbols + 1

    @property
    def targets(self) -> int:
        return self.symbols

    @property
    def spelling(self) -> tuple[str, ...]:
        return (*map(str, range(self.symbols)), "#")

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        word, between, copy = tokens[: len(tokens) // 2], tokens[len(tokens) // 2 :][:1], tokens[len(tokens) // 2 + 1 :]
        if len(tokens) % 2 or [*between] != [self.symbols] or not all(0 <= s < self.symbols for s in word):
            return None
        return as_answer(word) if [*copy] == [*word[:-1]] else None

    def second(self, tokens: Sequence[int]) -> Answer:
        """The symbol due at a token is the one N places before it."""
        half = len(tokens) // 2
        return as_answer(tokens[t - half] for t in range(half, len(tokens)))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._copied(integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), self.symbols))

    @property
    def independent_answers(self) -> tuple[int, int]:
        return self.length, self.symbols

    def interview(self, seed: int, count: int) -> Batch:
        """The word asks for itself, each symbol after those before it."""
        need_examples(seed, count, 0)
        return self._copied(balanced(self.key(seed), count, self.length, self.symbols))

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return (range(self.symbols),) * self.length + ((self.symbols,),) + (range(self.symbols),) * (self.length - 1)

    @property
    def input_count(self) -> int:
        return int(self.symbols**self.length) if self.length <= 20 else 0

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        """`two-symbols`: the symbols before a place do not reveal which place it is. `lone-symbol`: one place has a symbol of its own."""
        key, j = self.key(seed), np.arange(count)
        if kind == "two-symbols":
            return self._copied(integers(key, j, np.arange(self.length), 2))
        word = np.repeat(integers(key, j, [0], self.symbols), self.length, axis=1)
        word[j, j % self.length] = (word[:, 0] + 1 + integers(key, j, [1], self.symbols - 1)[:, 0]) % self.symbols  # the place cycles
        return self._copied(word)

    def _copied(self, word: Integers) -> Batch:
        """A batch of words with their copies, scored from the separator on."""
        N, between = self.length, np.full((len(word), 1), self.symbols)
        tokens = np.hstack([word, between, word[:, :-1]])
        targets, mask = np.zeros_like(tokens), np.zeros(tokens.shape, dtype=bool)
        targets[:, N:], mask[:, N:] = word, True
        return Batch(tokens, targets, mask, np.full(len(word), 2 * N))
