"""A query to n numbers from [n]: `<s>` x_1 .. x_n and the query. Special words come first, `<s>` is the token 0, then the numbers 1 .. n.

With `thought: search` a program writes a search, gets its result, says the answer and stops; without, it answers at the last token.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.searches import END, FAILED, START, STOP, searched
from separatrix.checker.oracles.forms.task_oracle import TaskOracle, Tokens
from separatrix.checker.seal import Refused

LONGEST = 10**5


class Queried(TaskOracle):
    """The vocabulary and the chain; each task has its own query."""

    said: ClassVar[str]  # the task, in the words of a sentence
    specials: ClassVar[tuple[str, ...]] = ("<s>",)
    fragments: ClassVar[tuple[str, ...]]
    own_fields: ClassVar[Mapping[str, type]] = MappingProxyType({})
    query: int = 1  # tokens of the query
    pattern_words: int  # of a search

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, thought=str, **self.own_fields)
        self.N = within(parameters["length"], 2, LONGEST, "length")
        if parameters["thought"] not in ("none", "search"):
            raise Refused(f"parameters.thought: expected none or search, found {parameters['thought']!r:.80}")
        self.thinks = parameters["thought"] == "search"
        self.set_sizes()
        self.first = len(self.specials) + self.thinks * (4 + len(self.fragments))  # the token of the number 1
        numbers = tuple(str(v) for v in range(1, self.N + 1)) if self.thinks else ()
        self.spelled = (*self.specials, START, END, FAILED, STOP, *self.fragments, *numbers) if self.thinks else ()
        self.vocabulary = self.targets = self.first + self.N
        self.prompt = 1 + self.N + self.query
        self.tokens = self.prompt + (self.pattern_words + 5 if self.thinks else 0)
        self.title = f"{self.said}, n = {self.N}{', by a search' if self.thinks else ''}"
        self.decoder = "retrieval" if self.thinks else "position"
        if self.thinks:
            self.search = (self.spelled.index(START), self.spelled.index(END), self.spelled)
        self.input_count = self.counted()

    def set_sizes(self) -> None:
        """Sizes that depend on the parameters."""

    @abstractmethod
    def counted(self) -> int | None:
        """How many inputs there are, or None if they are too many to run."""

    @abstractmethod
    def pattern(self, query: list[str]) -> list[str]:
        """The regular expression for a query, as words."""

    def conclusion(self, found: str) -> str:
        """The answer, given what a search found."""
        return found

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(1), *(range(self.first, self.vocabulary),) * (self.prompt - 1))

    def value(self, token: int) -> int:
        """The number that a token stands for."""
        number: int = token - self.first + 1
        return number

    def numbered(self, x: Sequence[int] | np.ndarray[Any, Any], query: Sequence[int]) -> Tokens:
        """The input of a sequence of numbers, and tokens that query it."""
        return np.array([0, *(self.first - 1 + int(v) for v in x), *query], dtype=np.int64)

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        if not self.thinks:
            return ()
        prompt = [self.spelled[token] for token in tokens]
        search = searched(prompt, self.pattern(prompt[self.N + 1 :]))
        answer = self.spelled.index(self.conclusion(search[-1]))
        if answer != self.truth(tokens):
            raise AssertionError(f"{self.name}: a search leads to another answer than the definition")
        return (*map(self.spelled.index, search), answer, self.spelled.index(STOP))
