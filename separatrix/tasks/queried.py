"""Tasks that query a sequence of n numbers from [n]: their vocabulary, their text, and how they are answered.

`<s>` x_1 .. x_n and a query. Ids: special words first, `<s>` is 0; number v is the (v - 1)-th after them. Answers are ids as well.

`thought=none`: the answer is said after the last token. `thought=search`: a chain writes a regular expression, gets what it matches in
the prompt, says the answer and stops (tasks/searching.py).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from separatrix.tasks.batch import Batch, Integers, read_at_end
from separatrix.tasks.capabilities import Search
from separatrix.tasks.searching import END, SEARCH_WORDS, START, STOP, Writing
from separatrix.tasks.task import Task

Thought = Literal["none", "search"]


@dataclass(frozen=True)
class Queried(Task):
    """`<s>`, n numbers from [n], a query."""

    about = "retrieval"

    thought: Thought = "none"

    specials: ClassVar[tuple[str, ...]] = ("<s>",)
    fragments: ClassVar[tuple[str, ...]]  # of the regular expression that a search writes
    least_length = 2

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens that are neither symbols nor numbers."""
        return self.specials if self.thought == "none" else (*self.specials, *SEARCH_WORDS, *self.fragments)

    @property
    def vocabulary(self) -> int:
        return len(self.words) + self.length

    @property
    def targets(self) -> int:
        return self.vocabulary

    @cached_property
    def spelling(self) -> tuple[str, ...]:
        return (*self.words, *map(str, range(1, self.length + 1)))

    def target_text(self, target: int) -> str:
        return self.spelling[target]

    @property
    def scored_at_end(self) -> bool:
        return True

    def number(self, value: int) -> int:
        """The id of a number."""
        return len(self.words) - 1 + value

    def values(self, tokens: Sequence[int]) -> list[int]:
        """The numbers that tokens stand for; special words are 0 or less."""
        return [token - len(self.words) + 1 for token in tokens]

    def sequence(self, tokens: Sequence[int]) -> list[int] | None:
        """x_1 .. x_n of an input; None if it is not one."""
        if len(tokens) != self.token_count or tokens[0] != 0:
            return None
        x = self.values(tokens[1 : self.length + 1])
        return x if all(1 <= value <= self.length for value in x) else None

    def asked_after(self, x: Integers, query: Integers, answers: Integers) -> Batch:
        """A batch of sequences x [rows, n] of numbers, with query and answer as ids."""
        tokens = np.hstack([np.zeros((len(x), 1), dtype=np.int64), x + (len(self.words) - 1), query])
        return read_at_end(tokens, np.full(len(x), tokens.shape[1]), answers)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        numbers = range(len(self.words), self.vocabulary)
        return ((0,), *(numbers,) * (self.token_count - 1))

    def sequences(self) -> Iterator[tuple[int, ...]]:
        """Every sequence of numbers."""
        return iter(np.ndindex(*(self.length,) * self.length))

    # -- the chain ---------------------------------------------------------------------------------------------------------------

    @property
    def stop(self) -> int | None:
        return None if self.thought == "none" else self.words.index(STOP)

    @property
    def search(self) -> Search | None:
        return None if self.thought == "none" else Search(self.words.index(START), self.words.index(END))

    @property
    def chain_limit(self) -> int:
        """A search of at most twice as many words as there are fragments, its result, the answer and the stop token."""
        return 0 if self.thought == "none" else self.searched_words + 5

    @property
    @abstractmethod
    def searched_words(self) -> int:
        """How many words the pattern of a search has."""

    @abstractmethod
    def pattern(self, query: Sequence[str]) -> tuple[str, ...]:
        """The words of the regular expression for a query."""

    @abstractmethod
    def concluded(self, result: str) -> str:
        """The answer, from what a search returned."""

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        if self.thought == "none":
            return None
        prompt = [self.spelling[token] for token in tokens]
        chain = Writing(prompt)
        chain.write(self.concluded(chain.search(*self.pattern(prompt[self.length + 1 :]))), STOP)
        return self.read(" ".join(chain.written))
