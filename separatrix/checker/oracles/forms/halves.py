"""Tasks about the two halves of a string, with a separator |S| between them or without.

Draws: 0 the number of symbols, 1 whether the half is repeated, 2 and 3 which place changes and by how much, 4.. the first half and then,
from 4 + N/2 on, the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import countable, state_bits, strings
from separatrix.checker.oracles.forms.form import Form
from separatrix.checker.oracles.forms.local import LARGEST, Count, Part, Parts, different, none
from separatrix.checker.oracles.forms.parameters import even_length, one_of, span
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words

LONGEST = 10**6


class Halves(TaskOracle):
    """The answer, at the last symbol, is 1 if the halves agree. In training there are at least 2 ceil(N/20) symbols."""

    families: tuple[str, ...] = ("random", "equal", "one-change")
    separated: ClassVar[bool] = True
    words_for: ClassVar[str]  # the task in words

    def __init__(self, parameters: Any) -> None:
        fields: dict[str, type] = {"length": int, "symbols": int} | ({"distribution": str} if self.separated else {})
        self.parameters = require_fields(parameters, "parameters", **fields)
        self.N, self.S = even_length(parameters, LONGEST), within(parameters["symbols"], 2, 1 << 20, "symbols")
        training = self.separated and one_of(parameters, "distribution", "evaluation", "training") == "training"
        self.shortest = 2 * ((self.N + 19) // 20) if training else self.N
        self.vocabulary, self.targets, self.tokens = self.S + self.separated, 2, self.N + self.separated
        self.several_lengths = self.shortest < self.N
        self.title = f"{self.words_for}, N = {span(self.shortest, self.N)}, {self.S} symbols"
        self.input_count = self.counted()
        self.state_bits = state_bits(self.S, self.N // 2)  # in the middle any two first halves must be distinguished

    def counted(self) -> int | None:
        """All pairs of halves of one length, at every length."""
        longest = strings(self.S, self.N)
        return longest and countable(sum(self.S**k for k in range(self.shortest, self.N + 1, 2)))

    @property
    def alphabets(self) -> tuple[range, ...]:
        half = (range(self.S),) * (self.N // 2)
        return half + (range(self.S, self.S + 1),) * self.separated + half

    def allows(self, tokens: Sequence[int]) -> bool:
        k, h = len(tokens) - self.separated, len(tokens) // 2
        if not self.shortest <= k <= self.N or k % 2 or (self.separated and tokens[h] != self.S):
            return False
        return all(0 <= symbol < self.S for half in (tokens[:h], tokens[len(tokens) - h :]) for symbol in half)

    def truth(self, tokens: Sequence[int]) -> int | tuple[int, ...] | None:
        h = len(tokens) // 2
        return 1 if tokens[:h] == tokens[len(tokens) - h :] else 0

    def inputs(self) -> Iterator[tuple[int, ...]]:
        between = (self.S,) * self.separated
        for k in range(self.shortest, self.N + 1, 2):
            for symbols in product(range(self.S), repeat=k):
                yield (*symbols[: k // 2], *between, *symbols[k // 2 :])

    def form(self) -> Form | None:
        """The halves agree where no pair of places differs."""
        if self.S > LARGEST:
            return None
        apart = different(self.S)

        def pairs(n: int) -> Parts:
            half = (range(self.S),) * (n // 2)
            between = (range(self.S, self.S + 1),) * self.separated
            return Parts((*half, *between, *half), tuple(Part((i, i + n - n // 2), apart) for i in range(n // 2)))

        return Count(range(self.shortest + self.separated, self.tokens + 1, 2), pairs, none, few=1, many=0)

    def draw(self, case: Number) -> Tokens:
        words, h = self.words(case.seed, case.number), self.N // 2
        if case.family == "random":
            h = self.shortest // 2 + words.below(0, (self.N - self.shortest) // 2 + 1)
        first = words.many_below(4, h, 2 if case.family == "two-symbols" else self.S)
        second = first
        if case.family == "one-change":
            second = self.moved(words, first, case.number % h)
        elif case.family == "random" and words.below(1, 2):
            second = self.other(words, first)
        return np.concatenate([first, np.full(int(self.separated), self.S, dtype=np.int64), second])

    def other(self, words: Words, first: Tokens) -> Tokens:
        """A second half that need not repeat the first: drawn afresh."""
        return words.many_below(4 + self.N // 2, len(first), self.S)

    def moved(self, words: Words, first: Tokens, place: int) -> Tokens:
        """The half with the symbol at one place moved around the alphabet."""
        changed = first.copy()
        changed[place] = (changed[place] + 1 + words.below(3, self.S - 1)) % self.S
        return changed
