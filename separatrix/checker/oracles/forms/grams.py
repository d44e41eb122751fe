"""What follows c - 1 numbers in a row, where they stand first in a sequence of n numbers from [n], with a number behind them.

Draws: i - 1 the number x_i, n the place at which the queried gram begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from separatrix.checker.oracles.forms.queried import Queried
from separatrix.checker.oracles.forms.task_oracle import Number, Tokens

COUNTED = 1 << 20  # sequences whose grams are counted one by one


class Grams(Queried):
    """`two-symbols` repeats grams; `every-place` asks for the gram at each place in turn."""

    families = ("random", "two-symbols", "every-place")
    fragments = (r"(?<!\S)", r"\s", r"\s(\S+)")
    c: int = 2

    def set_sizes(self) -> None:
        self.query, self.pattern_words = self.c - 1, 2 * self.c - 1

    def counted(self) -> int | None:
        if self.N > 8 or self.N**self.N > COUNTED:
            return None
        return sum(self.truth(tokens) is not None for tokens in self.inputs())

    def truth(self, tokens: Sequence[int]) -> int | None:
        x, gram = list(tokens[1 : self.N + 1]), list(tokens[self.N + 1 :])
        return next((x[i] for i in range(self.c - 1, self.N) if x[i - self.c + 1 : i] == gram), None)

    def pattern(self, query: list[str]) -> list[str]:
        begin, gap, last = self.fragments
        return [begin, query[0], *(word for number in query[1:] for word in (gap, number)), last]

    def draw(self, case: Number) -> Tokens:
        words, n, places = self.words(case.seed, case.number), self.N, self.N - self.c + 1
        x = 1 + words.many_below(0, n, 2 if case.family == "two-symbols" else n)
        place = case.number % places if case.family == "every-place" else words.below(n, places)
        return self.numbered(x, [self.first - 1 + int(v) for v in x[place : place + self.c - 1]])
