"""Two sets of N/2 elements, as bits one after the other: whether they share an element.

Draws: 0 whether they meet, 1 where, 2.. for each element whether it is in neither set, the second, or the first; or the bits themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.local import Count, Part, Parts, none
from separatrix.checker.oracles.forms.parameters import even_length
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens

LONGEST = 10**5


class Oracle(TaskOracle):
    """`fair-bits` are independent; in `complement` each element is in one set, and perhaps one of them in both."""

    name = "intersects"
    families = ("random", "fair-bits", "complement")

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int)
        self.N = even_length(parameters, LONGEST)
        self.vocabulary, self.targets, self.tokens = 2, 2, self.N
        self.title = f"intersection of two sets, N = {self.N} bits"
        self.input_count = strings(2, self.N)
        self.state_bits = self.N // 2  # a second set of one element separates any two first sets

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(2),) * self.N

    def truth(self, tokens: Sequence[int]) -> int | None:
        h = self.N // 2
        return 1 if any(x and y for x, y in zip(tokens[:h], tokens[h:], strict=True)) else 0

    def form(self) -> Count:
        h, both = self.N // 2, np.array([[False, False], [False, True]])
        parts = Parts(self.alphabets, tuple(Part((i, h + i), both) for i in range(h)))
        return Count(range(self.N, self.N + 1), lambda _: parts, none, few=0, many=1)

    def draw(self, case: Number) -> Tokens:
        words, h = self.words(case.seed, case.number), self.N // 2
        if case.family == "fair-bits":
            return words.many_below(2, self.N, 2)
        if case.family == "random":
            element = words.many_below(2, h, 3)
            first, second = element // 2, element % 2
        else:
            first = words.many_below(2, h, 2)
            second = 1 - first
        if words.below(0, 2):
            first[words.below(1, h)] = second[words.below(1, h)] = 1
        return np.concatenate([first, second])
