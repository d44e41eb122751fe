"""Recognition: read a word and the end symbol, then say whether the word is in the language.

[hahn2020 Notion 3]

    0 1 1 0 <eos>  ->  1        N symbols, then the end symbol, where the label is read: 1 in the language, 0 not

Ids: symbols in the order of the alphabet, the end symbol after them. N counts the symbols without the end.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from separatrix.tasks.drawing.counter import Words, below
from separatrix.tasks.task import Batch, Decision, Integers, need_examples

END = "<eos>"


class Recognition(Decision):
    """A language over a few symbols as a task; its words have exactly N symbols when they are drawn or enumerated."""

    about = "languages"

    tokens = "N + 1"
    total = True
    families = ("one-symbol",)

    @property
    @abstractmethod
    def letters(self) -> tuple[str, ...]:
        """The symbols as text; symbol number i has id i."""

    @abstractmethod
    def member(self, word: Sequence[int]) -> bool:
        """Whether a word (symbol ids without the end) is in the language; any length."""

    @abstractmethod
    def draw(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        """Words [examples, N] and their labels, for consecutive numbers of examples."""

    @abstractmethod
    def neighbours(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        """Words [examples, N] of the language, each paired with a non-member that differs in one symbol, where one exists."""

    @property
    def vocabulary(self) -> int:
        return len(self.letters) + 1

    @property
    def token_count(self) -> int:
        return self.length + 1

    @property
    def spelling(self) -> tuple[str, ...]:
        return (*self.letters, END)

    def answer(self, tokens: Sequence[int]) -> int | None:
        end = len(self.letters)
        word = tokens[:-1]
        if len(tokens) == 0 or tokens[-1] != end or not all(0 <= symbol < end for symbol in word):
            return None
        return int(self.member(word))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        words, labels = self.draw(self.key(seed), np.arange(start, start + count))
        return self._ended(words, labels)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        end = len(self.letters)
        return (range(end),) * self.length + ((end,),)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`one-symbol`: rows in pairs, a member and beside it a non-member that differs in one symbol, as in the proof of Corollary 2."""
        members, outside = self.neighbours(self.key(seed), np.arange((count + 1) // 2))
        words = np.stack([members, outside], axis=1).reshape(-1, self.length)[:count]
        return self._ended(words, np.array([int(self.member(word)) for word in words.tolist()], dtype=np.int64))

    def _ended(self, words: Integers, labels: Integers) -> Batch:
        """The words, each followed by the end symbol, where the label is read."""
        end = np.full((len(words), 1), len(self.letters), dtype=np.int64)
        return self.labelled(np.hstack([words, end]), labels)


def pick(allowed: npt.NDArray[np.bool_], word: Words) -> Integers:
    """In each row one of the allowed columns, all equally likely; the first column if none is allowed."""
    running = allowed.cumsum(axis=1)
    rank = 1 + below(word, np.maximum(running[:, -1], 1))
    column: Integers = (running == rank[:, None]).argmax(axis=1)
    return column
