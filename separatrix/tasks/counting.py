r"""Counting: n numbers from [n], a query q and a threshold t; does q occur more than t times?

[wen2024 Definition 4.5]

    <s> 2 4 4 1 4 1  ->  YES        n = 4: x = 2 4 4 1, q = 4, t = 1

The threshold lies in 0 .. n; 0 is a special word. With `thought=search` the chain writes a pattern that matches iff q occurs more than
t times: t times anything but q and then q, and once more.
Draws: 0 the query, 1 how often it occurs, 2 whether more than t times, 3 + i the order in which places are taken by q, 3 + n + i the
number at place i otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.drawing.counter import integers, words
from separatrix.tasks.queried import Queried
from separatrix.tasks.searching import FAILED
from separatrix.tasks.task import Batch, Integers, need_examples, sized

YES, NO, ZERO = "YES", "NO", "0"
OTHERS, THEN = r"^(?:(?:(?!", r"\s)\S+\s)*"  # any words but one, each followed by a space
TIMES, ONCE_MORE = r"\s){", r"}(?:(?!"
LAST = r"\s(\S+)\s\S+"  # a word follows: the query, or what comes after this occurrence


@dataclass(frozen=True)
class Counting(Queried):
    """`threshold-is-query`: t = q, so that the threshold looks like one more occurrence. `constant`: every number is q."""

    name = "counting"
    title = "Counting"
    cites = "wen2024 Definition 4.5"
    tokens = "N + 3"
    specials = ("<s>", YES, NO, ZERO)
    fragments = (OTHERS, THEN, TIMES, ONCE_MORE, LAST)
    families = ("threshold-is-query", "constant")
    drawn_at = sized(length=6)
    counted_at = sized(length=4)
    bounded_up_to = 1 << 17  # C(2n - 1, n)
    enumerated_at = sized(length=2)
    sampled_at = (sized(length=2), sized(length=9, thought="search"))
    searched_words = 11

    @property
    def token_count(self) -> int:
        return self.length + 3

    def answer(self, tokens: Sequence[int]) -> int | None:
        x = self.sequence(tokens)
        query = self._query(tokens)
        if x is None or query is None:
            return None
        q, t = query
        return self.words.index(YES if x.count(q) > t else NO)

    def second(self, tokens: Sequence[int]) -> int:
        """Among the sorted tokens, the one t places after the first q is q again."""
        query = self._query(tokens)
        assert query is not None
        x, q = sorted(tokens[1 : self.length + 1]), self.number(query[0])
        later = x[x.index(q) + query[1] :] if q in x else []
        return self.words.index(YES if later[:1] == [q] else NO)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        n, key, j = self.length, self.key(seed), np.arange(start, start + count)
        q, m = 1 + integers(key, j, [0], n)[:, 0], integers(key, j, [1], n + 1)[:, 0]
        more = (integers(key, j, [2], 2)[:, 0] == 1) & (m > 0)
        return self._asked(self._placed(key, j, q, m), q, np.where(more, m - 1, m))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        n, key, j = self.length, self.key(seed), np.arange(count)
        q, more = 1 + integers(key, j, [0], n)[:, 0], integers(key, j, [2], 2)[:, 0]
        if kind == "constant":
            return self._asked(np.repeat(q[:, None], n, axis=1), q, n - more)
        return self._asked(self._placed(key, j, q, np.minimum(q + more, n)), q, q)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        numbers = range(len(self.words), self.vocabulary)
        return (*super().alphabets()[:-1], (self.words.index(ZERO), *numbers))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        first = self.number(1)
        for x in self.sequences():
            for q in range(self.length):
                yield from ((0, *(first + value for value in x), first + q, t) for t in self.alphabets()[-1])

    @property
    def input_count(self) -> int:
        return int(self.length ** (self.length + 1) * (self.length + 1)) if self.length <= 15 else 0

    def pattern(self, query: Sequence[str]) -> tuple[str, ...]:
        q, t = query
        return (OTHERS, q, THEN, q, TIMES, t, ONCE_MORE, q, THEN, q, LAST)

    def concluded(self, result: str) -> str:
        return NO if result == FAILED else YES

    def _query(self, tokens: Sequence[int]) -> tuple[int, int] | None:
        """The token q that is counted, and the threshold t."""
        if len(tokens) != self.token_count:
            return None
        q, t = self.values(tokens[-2:])
        t = 0 if tokens[-1] == self.words.index(ZERO) else t or -1
        return (q, t) if 1 <= q <= self.length and 0 <= t <= self.length else None

    def _placed(self, key: int, j: Integers, q: Integers, m: Integers) -> Integers:
        """Sequences in which q stands at the m places that come first in a random order."""
        n = self.length
        rank = words(key, j, np.arange(3, 3 + n)).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        others = 1 + (q[:, None] + integers(key, j, np.arange(3 + n, 3 + 2 * n), n - 1)) % n  # q - 1 counts from 0, and is left out
        return np.where(rank < m[:, None], q[:, None], others)

    def _asked(self, x: Integers, q: Integers, t: Integers) -> Batch:
        threshold = np.where(t == 0, self.words.index(ZERO), self.number(0) + t)
        more = (x == q[:, None]).sum(axis=1) > t
        answers = np.where(more, self.words.index(YES), self.words.index(NO))
        return self.asked_after(x, np.stack([self.number(0) + q, threshold], axis=1), answers)
