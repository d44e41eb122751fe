"""Index: n numbers from [n] and a place k; the answer is the k-th number.

Draws: i - 1 the number x_i, n the query; for `lone-symbol` 0 the common number and 1 how far the other one moves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from separatrix.checker.oracles.forms.counts import state_bits, strings
from separatrix.checker.oracles.forms.queried import Queried
from separatrix.checker.oracles.forms.task_oracle import Number, Tokens


class Oracle(Queried):
    """`<s>` is skipped first, so k words stand before the one that is asked for."""

    name, said = "index", "index"
    families = ("random", "lone-symbol")
    fragments = (r"^(?:\S+\s){", r"}(\S+)")
    pattern_words = 3

    def set_sizes(self) -> None:
        self.state_bits = 0 if self.thinks else state_bits(self.N, self.N)  # before the query any two sequences must be distinguished
        self.places = {"lone-symbol": self.N}

    def counted(self) -> int | None:
        return strings(self.N, self.N + 1)

    def truth(self, tokens: Sequence[int]) -> int:
        return tokens[self.value(tokens[-1])]

    def pattern(self, query: list[str]) -> list[str]:
        return [self.fragments[0], query[0], self.fragments[1]]

    def draw(self, case: Number) -> Tokens:
        words, n = self.words(case.seed, case.number), self.N
        if case.family == "lone-symbol":
            x = np.full(n, words.below(0, n))
            x[case.number % n] = (x[0] + 1 + words.below(1, n - 1)) % n
            return self.numbered(x + 1, [self.first + case.number % n])
        drawn = words.many_below(0, n + 1, n)
        return self.numbered(drawn[:-1] + 1, [self.first + int(drawn[-1])])
