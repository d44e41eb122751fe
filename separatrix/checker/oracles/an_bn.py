"""a^n b^n: whether a word before the end symbol 2 is n times a (0), then n times b (1).

A non-member has another border between a and b, or one a of the first half and one b of the second exchanged.
Draws: 0 the label (0 is a member; an odd N has none), 1 the kind (1 exchanges), 2 the border, 3 and 4 the places exchanged; in
`one-symbol` 3 is the place that changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.task_oracle import LONGEST, Number, TaskOracle, Tokens


class Oracle(TaskOracle):
    """`one-symbol` cases come in pairs: the word (for odd N the near miss a^n b^(n+1)), and the same with one symbol changed."""

    name = "an-bn"
    families = ("random", "one-symbol")

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int)
        self.N = within(parameters["length"], 1, LONGEST - 1, "length")
        self.half = self.N // 2
        self.vocabulary, self.targets, self.tokens = 3, 2, self.N + 1
        self.title = f"a^n b^n, N = {self.N}"
        self.input_count = strings(2, self.N)
        self.state_bits = int(self.N % 2 == 0)  # whether the word is still right

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(2),) * self.N + (range(2, 3),)

    def truth(self, tokens: Sequence[int]) -> int | None:
        word = list(tokens[:-1])
        return int(2 * self.half == self.N and word == [0] * self.half + [1] * self.half)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number // 2 if case.family == "one-symbol" else case.number)
        if case.family == "one-symbol":
            word = self._bordered(self.half)
            if case.number % 2:
                word[words.below(3, self.N)] ^= 1
            return np.array([*word, 2])
        even = self.N % 2 == 0
        if even and not words.below(0, 2):
            return np.array([*self._bordered(self.half), 2])
        if words.below(1, 2) and self.half:
            word = self._bordered(self.half)
            word[words.below(3, self.half)] = 1
            word[self.half + words.below(4, self.N - self.half)] = 0
            return np.array([*word, 2])
        border = words.below(2, self.N + self.N % 2)  # any of 0..N but the right one
        return np.array([*self._bordered(border + (even and border >= self.half)), 2])

    def _bordered(self, border: int) -> list[int]:
        return [0] * border + [1] * (self.N - border)
