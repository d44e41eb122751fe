"""A dynamic program: entries, a separator, then a vector for each state in order, one with the answer, and the zero vector.

A vector is (entry, kind, coordinates of the state, value, answer); kind is 0 for an entry, 1 for the separator, 2 for a state, 3 for the
answer. Draws: i - 1 the entry i; for `extremes` one of the least and the largest symbol.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from separatrix.checker.fields import within
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens

MOST_STATES = 1 << 16
SYMBOLS = 4096
Row = tuple[tuple[int, ...], int]  # a state and its value


class ProgramOracle(TaskOracle):
    """The frame of every dynamic program; a task has its own table."""

    families = ("random", "extremes")
    decoder = "rounding"
    drawing = 1 << 11  # a state is computed for every token

    def __init__(self, entries: int, symbols: int, coordinates: int, states: int, largest: int) -> None:
        """So many entries of so many symbols, states of so many coordinates, and the largest possible answer."""
        self.n, self.S = entries, within(symbols, 2, SYMBOLS, "symbols")
        self.vectors = 4 + coordinates
        self.vocabulary, self.targets = self.S + 1, largest + 1
        self.tokens = entries + within(states, 1, MOST_STATES, "number of states") + 2
        self.input_count = strings(self.S, entries)

    @abstractmethod
    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        """The states in order, each with its value."""

    def result(self, last: int) -> int:
        """The answer, from the value of the last state."""
        return last

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(self.S),) * self.n + (range(self.S, self.S + 1),)

    def truth(self, tokens: Sequence[int]) -> int:
        *_, (_, last) = self.table(tokens[: self.n])
        return self.result(last)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return ((*entries, self.S) for entries in product(range(self.S), repeat=self.n))

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        extremes = case.family == "extremes"
        drawn = words.many_below(0, self.n, 2) * (self.S - 1) if extremes else words.many_below(0, self.n, self.S)
        return np.append(drawn, self.S)

    def as_read(self, tokens: Tokens) -> Tokens:
        prompt = np.zeros((self.n + 1, self.vectors), dtype=np.int64)
        prompt[:-1, 0], prompt[-1, 1] = tokens[:-1], 1
        return prompt

    def chain(self, tokens: Sequence[int]) -> tuple[Any, ...]:
        rows = [*self.table(tokens[: self.n])]
        states = [(0, 2, *state, value, 0) for state, value in rows]
        blank = (0,) * (self.vectors - 3)
        return (*states, (0, 3, *blank, self.result(rows[-1][1])), (0,) * self.vectors)
