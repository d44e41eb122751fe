"""Index lookup: N symbols, then the index token |S| + p - 1; the answer is the p-th symbol.

Draws: 0 the number of symbols, 1 the position, 2.. the symbols. In `complement` draw 0 is the position and draw 1 its symbol, and every
other symbol is the one whose binary code differs most from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import countable, state_bits, strings
from separatrix.checker.oracles.forms.lookup import ByIndex
from separatrix.checker.oracles.forms.parameters import one_of, span
from separatrix.checker.oracles.forms.task_oracle import LONGEST, Number, TaskOracle, Tokens


class Oracle(TaskOracle):
    """In evaluation there are N symbols, in training min(10, N) to N."""

    name = "index-lookup"
    families = ("random", "complement")

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int, distribution=str)
        self.N, self.S = within(parameters["length"], 1, LONGEST - 1, "length"), within(parameters["symbols"], 2, 1 << 20, "symbols")
        training = one_of(parameters, "distribution", "evaluation", "training") == "training"
        self.shortest = min(10, self.N) if training else self.N
        self.vocabulary, self.targets, self.tokens = self.S + self.N, self.S, self.N + 1
        self.places = {"complement": self.N}
        self.several_lengths = self.shortest < self.N
        self.title = f"index lookup, N = {span(self.shortest, self.N)}, {self.S} symbols"
        longest = strings(self.S, self.N)
        self.input_count = longest and countable(sum(k * self.S**k for k in range(self.shortest, self.N + 1)))
        self.state_bits = state_bits(self.S, self.N)  # before the index any two strings must be distinguished

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(self.S),) * self.N + (range(self.S, self.S + self.N),)

    def allows(self, tokens: Sequence[int]) -> bool:
        k = len(tokens) - 1
        if not self.shortest <= k <= self.N or not self.S <= tokens[-1] < self.S + k:
            return False
        return all(0 <= symbol < self.S for symbol in tokens[:-1])

    def truth(self, tokens: Sequence[int]) -> int | None:
        return tokens[tokens[-1] - self.S]

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for k in range(self.shortest, self.N + 1):
            for symbols in product(range(self.S), repeat=k):
                yield from ((*symbols, self.S + p) for p in range(k))

    def form(self) -> ByIndex:
        return ByIndex(self.S, range(self.shortest + 1, self.N + 2))

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        if case.family == "random":
            k = self.shortest + words.below(0, self.N - self.shortest + 1)
            return np.append(words.many_below(2, k, self.S), self.S + words.below(1, k))
        p = case.number if case.count == self.N else words.below(0, self.N)
        symbol = words.below(1, self.S)
        symbols = np.full(self.N + 1, self._farthest(symbol), dtype=np.int64)
        symbols[p], symbols[-1] = symbol, self.S + p
        return symbols

    def _farthest(self, symbol: int) -> int:
        """The symbol whose binary code differs in most bits; the smallest of several."""
        codes = np.arange(self.S) ^ symbol
        differing = sum((codes >> bit) & 1 for bit in range((self.S - 1).bit_length()))
        return int(np.argmax(differing))
