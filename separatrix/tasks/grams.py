"""What follows a gram: n numbers from [n] and c - 1 numbers in a row that begin a c-gram of the sequence; give its last number.

The first occurrence counts. Draws: i - 1 the number x_i, n the place at which the queried gram begins.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.queried import Queried
from separatrix.tasks.task import Batch, Integers, need_examples

WORD, GAP, NEXT = r"(?<!\S)", r"\s", r"\s(\S+)"  # a word begins; a space; a space and the word that is asked for
MOST_ENUMERATED = 8


@dataclass(frozen=True)
class Grams(Queried):
    """`two-symbols`: grams repeat, and the first occurrence counts. `every-place`: the queried gram begins at each place in turn."""

    fragments = (WORD, GAP, NEXT)
    families = ("two-symbols", "every-place")

    @property
    @abstractmethod
    def gram(self) -> int:
        """c, the length of a gram with its answer."""

    @property
    def token_count(self) -> int:
        return self.length + self.gram

    def answer(self, tokens: Sequence[int]) -> int | None:
        x, c = self.sequence(tokens), self.gram
        query = self.values(tokens)[self.length + 1 :]
        for i in range(self.length - c + 1 if x is not None else 0):
            assert x is not None
            if x[i : i + c - 1] == query:
                return self.number(x[i + c - 1])
        return None

    def second(self, tokens: Sequence[int]) -> int:
        """A table of what follows each gram, filled from the end, so that the first occurrence stays."""
        c, after = self.gram, {}
        for i in range(self.length - c + 1, 0, -1):
            after[tuple(tokens[i : i + c - 1])] = tokens[i + c - 1]
        return after[tuple(tokens[1 - c :])]

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        key, j = self.key(seed), np.arange(start, start + count)
        x = 1 + integers(key, j, np.arange(self.length), self.length)
        return self._asked(x, integers(key, j, [self.length], self._places)[:, 0])

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        key, j = self.key(seed), np.arange(count)
        if kind == "every-place":
            return self._asked(1 + integers(key, j, np.arange(self.length), self.length), j % self._places)
        x = 1 + integers(key, j, np.arange(self.length), 2)
        return self._asked(x, integers(key, j, [self.length], self._places)[:, 0])

    def inputs(self) -> Iterator[tuple[int, ...]]:
        first, c = self.number(1), self.gram
        for x in self.sequences():
            tokens = (0, *(first + value for value in x))
            grams = {tokens[i : i + c - 1] for i in range(1, self._places + 1)}
            yield from ((*tokens, *query) for query in sorted(grams))

    @property
    def input_count(self) -> int:
        if self.length > MOST_ENUMERATED or self.length**self.length > 1 << 20:
            return 0
        return sum(1 for _ in self.inputs())

    @property
    def searched_words(self) -> int:
        return 2 * self.gram - 1

    def pattern(self, query: Sequence[str]) -> tuple[str, ...]:
        inner = [word for number in query for word in (number, GAP)][:-1]
        return (WORD, *inner, NEXT)

    def concluded(self, result: str) -> str:
        return result

    @property
    def _places(self) -> int:
        """Where a c-gram may begin."""
        return self.length - self.gram + 1

    def _asked(self, x: Integers, place: Integers) -> Batch:
        """The gram that begins at a place, from 0 on, of each row; the answer follows its first occurrence."""
        c, shift, rows = self.gram, len(self.words) - 1, np.arange(len(x))
        query = x[rows[:, None], place[:, None] + np.arange(c - 1)]
        same = np.ones((len(x), self._places), dtype=bool)
        for i in range(c - 1):
            same &= x[:, i : i + self._places] == query[:, i : i + 1]
        return self.asked_after(x, query + shift, x[rows, same.argmax(axis=1) + c - 1] + shift)
