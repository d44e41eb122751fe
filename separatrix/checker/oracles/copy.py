"""Copying: N symbols, a separator, and the symbols again; each must be predicted before it is read.

Draws: i - 1 the symbol x_i; for `lone-symbol` 0 the common symbol and 1 how far the other one moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import countable, state_bits, strings
from separatrix.checker.oracles.forms.lookup import ByDelay
from separatrix.checker.oracles.forms.task_oracle import Case, Number, TaskOracle, Tokens

LONGEST = 10**6


class Oracle(TaskOracle):
    """The last symbol of the copy is predicted and never read, so an input has 2 N tokens."""

    name = "copy"
    families = ("random", "two-symbols", "lone-symbol")
    decoder = "positions"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int)
        self.N, self.S = within(parameters["length"], 1, LONGEST, "length"), within(parameters["symbols"], 2, 4096, "symbols")
        self.vocabulary, self.targets, self.tokens = self.S + 1, self.S, 2 * self.N
        self.title = f"copying, N = {self.N}, {self.S} symbols"
        longest = strings(self.S, self.N)
        self.input_count = longest and countable(self.S**self.N)
        self.state_bits = state_bits(self.S, self.N)  # at the separator any two words must be distinguished
        self.places = {"lone-symbol": self.N}

    @property
    def alphabets(self) -> tuple[range, ...]:
        word = (range(self.S),) * self.N
        return (*word, range(self.S, self.S + 1), *word[:-1])

    def truth(self, tokens: Sequence[int]) -> int | tuple[int, ...] | None:
        word = tuple(tokens[: self.N])
        if tuple(tokens[self.N + 1 :]) != word[:-1]:
            return None
        return word if self.N > 1 else word[0]

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for word in product(range(self.S), repeat=self.N):
            yield (*word, self.S, *word[:-1])

    def form(self) -> ByDelay:
        return ByDelay(self.S, range(2 * self.N, 2 * self.N + 1), self.N)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        if case.family == "lone-symbol":
            word = np.full(self.N, words.below(0, self.S), dtype=np.int64)
            word[case.number % self.N] = (word[0] + 1 + words.below(1, self.S - 1)) % self.S
        else:
            word = words.many_below(0, self.N, 2 if case.family == "two-symbols" else self.S)
        return np.concatenate([word, [self.S], word[:-1]])

    def asked(self, tokens: Tokens) -> Case:
        return tokens, {self.N + j: int(tokens[j]) for j in range(self.N)}
