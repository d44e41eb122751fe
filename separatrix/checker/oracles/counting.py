"""Counting: n numbers from [n], a query q and a threshold t in 0 .. n; whether q occurs more than t times.

Draws: 0 the query, 1 how often it occurs, 2 whether more than t times, 3 + i the order in which places are taken by q (the least word
first), 3 + n + i how far the number at place i otherwise lies from q. `threshold-is-query`: t = q. `constant`: only q.
"""

from __future__ import annotations

from collections.abc import Sequence

from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.queried import Queried
from separatrix.checker.oracles.forms.searches import FAILED
from separatrix.checker.oracles.forms.task_oracle import Number, Tokens
from separatrix.checker.oracles.forms.words import Words


class Oracle(Queried):
    """The special words after `<s>` are YES, NO and 0."""

    name, said = "counting", "counting"
    families = ("random", "threshold-is-query", "constant")
    specials = ("<s>", "YES", "NO", "0")
    fragments = (r"^(?:(?:(?!", r"\s)\S+\s)*", r"\s){", r"}(?:(?!", r"\s(\S+)\s\S+")
    query, pattern_words = 2, 11

    def counted(self) -> int | None:
        count = strings(self.N, self.N + 1)
        return None if count is None or self.N > 15 else count * (self.N + 1)

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (*super().alphabets[:-1], range(3, self.vocabulary))

    def truth(self, tokens: Sequence[int]) -> int | None:
        t = 0 if tokens[-1] == 3 else self.value(tokens[-1])
        if tokens[-1] != 3 and t < 1:
            return None
        return 1 if sum(token == tokens[-2] for token in tokens[1 : self.N + 1]) > t else 2

    def pattern(self, query: list[str]) -> list[str]:
        (q, t), (others, then, times, more, last) = query, self.fragments
        return [others, q, then, q, times, t, more, q, then, q, last]

    def conclusion(self, found: str) -> str:
        return "NO" if found == FAILED else "YES"

    def draw(self, case: Number) -> Tokens:
        words, n = self.words(case.seed, case.number), self.N
        q, more = 1 + words.below(0, n), words.below(2, 2)
        if case.family == "constant":
            return self._input([q] * n, q, n - more)
        if case.family == "threshold-is-query":
            return self._input(self._placed(words, q, min(q + more, n)), q, q)
        m = words.below(1, n + 1)
        return self._input(self._placed(words, q, m), q, m - (more and m > 0))

    def _placed(self, words: Words, q: int, m: int) -> list[int]:
        n = self.N
        taken = set(sorted(range(n), key=lambda i: (words.word(3 + i), i))[:m])
        return [q if i in taken else 1 + (q + words.below(3 + n + i, n - 1)) % n for i in range(n)]

    def _input(self, x: list[int], q: int, t: int) -> Tokens:
        return self.numbered(x, [self.first - 1 + q, self.first - 1 + t if t else 3])
