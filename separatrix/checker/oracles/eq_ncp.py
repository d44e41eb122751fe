"""Repeating a half: the halves agree, and from the separator on the next symbol must be predicted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from separatrix.checker.oracles.forms.counts import countable, strings
from separatrix.checker.oracles.forms.form import Form
from separatrix.checker.oracles.forms.halves import Halves
from separatrix.checker.oracles.forms.local import ByHalf
from separatrix.checker.oracles.forms.task_oracle import Case, Tokens
from separatrix.checker.oracles.forms.words import Words


class Oracle(Halves):
    """The first half must be remembered: where two of them first differ, the same tokens were read since and two answers are due."""

    name, words_for = "eq-ncp", "repeating the half before a separator"
    families = ("random", "two-symbols")
    decoder = "positions"
    drawing = 1 << 9

    def __init__(self, parameters: Any) -> None:
        super().__init__(parameters)
        self.targets = self.S

    def counted(self) -> int | None:
        longest = strings(self.S, self.N // 2)
        return longest and countable(sum(self.S**h for h in range(self.shortest // 2, self.N // 2 + 1)))

    def truth(self, tokens: Sequence[int]) -> int | tuple[int, ...] | None:
        second = tuple(tokens[len(tokens) // 2 + 1 :])
        if tuple(tokens[: len(tokens) // 2]) != second:
            return None
        return second if len(second) > 1 else second[0]

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for h in range(self.shortest // 2, self.N // 2 + 1):
            for half in product(range(self.S), repeat=h):
                yield (*half, self.S, *half)

    def form(self) -> Form:
        return ByHalf(self.S, range(self.shortest + 1, self.N + 2, 2))

    def other(self, words: Words, first: Tokens) -> Tokens:
        del words
        return first

    def asked(self, tokens: Tokens) -> Case:
        h = len(tokens) // 2
        return tokens, {t: int(tokens[t + 1]) for t in range(h, 2 * h)}
