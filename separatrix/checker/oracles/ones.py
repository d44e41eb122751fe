"""1*: whether no 0 stands before the end symbol 2.

Draws: 0 the label (0 is a member), 1 how many zeros, 2 the place of a lone one, 3.. one for each place: zeros go to the smallest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.task_oracle import LONGEST, Number, TaskOracle, Tokens


class Oracle(TaskOracle):
    """`one-symbol` cases come in pairs: the word of ones, and the same with a single 0."""

    name = "ones"
    families = ("random", "one-symbol")
    state_bits = 1

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int)
        self.N = within(parameters["length"], 1, LONGEST - 1, "length")
        self.vocabulary, self.targets, self.tokens = 3, 2, self.N + 1
        self.title = f"1*, N = {self.N}"
        self.input_count = strings(2, self.N)

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(2),) * self.N + (range(2, 3),)

    def truth(self, tokens: Sequence[int]) -> int | None:
        return int(all(tokens[:-1]))

    def draw(self, case: Number) -> Tokens:
        word = [1] * self.N
        if case.family == "one-symbol":
            if case.number % 2:
                word[self.words(case.seed, case.number // 2).below(2, self.N)] = 0
            return np.array([*word, 2])
        words = self.words(case.seed, case.number)
        if words.below(0, 2):
            zeros = 1 + words.below(1, max(1, self.N // 10))
            for place in np.argsort(words.many(3, self.N))[:zeros].tolist():
                word[place] = 0
        return np.array([*word, 2])
