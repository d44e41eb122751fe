"""Bounded Dyck, written a second time: members of the language by a walk, and strings a few brackets away from one.

Draws: 0 the label, 1..N one for each bracket (high half: open or close, low half: the type), then the corruption: how many brackets change,
the places one by one, and all of it again while the string is still a member.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.checker.counter import Words
from separatrix.checker.functions import Dyck as Language
from separatrix.checker.seal import Refused

if TYPE_CHECKING:
    from separatrix.checker.oracles import Case

MOST = 10**7  # inputs of one enumeration


class Dyck:
    """N brackets; the answer, at the last one, is 1 where they match with depth at most k."""

    def __init__(self, parameters: Any) -> None:
        self.language = Language(parameters)
        self.parameters, self.N, self.n, self.k = parameters, len(self.language.alphabets), self.language.n, self.language.k
        self.vocabulary, self.targets = 2 * self.n, 2

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random` as the task draws them, `single-change`, `too-deep`, `crossed` where k <= 2, or `all`."""
        if kind == "all":
            if self.N > 64 or count != self.vocabulary**self.N or count > MOST:
                raise Refused(f"all inputs are (2 n)^N = {self.vocabulary}^{self.N}, the certificate says {count}")
            for tokens in itertools.product(range(self.vocabulary), repeat=self.N):
                yield self._asked(list(tokens))
            return
        if kind not in ("random", "single-change", "too-deep") and not (kind == "crossed" and self.k <= 2):
            raise Refused(f"dyck has no cases {kind!r}")
        for j in range(count):
            words = self._words(seed, j)
            if kind in ("random", "single-change"):
                row = self.member(words, self.k)
                yield self._asked(
                    row if words.below(0, 2) == 0 else self.corrupted(words, row, max(1, self.N // 10) if kind == "random" else 1)
                )
            elif kind == "too-deep":
                yield self._asked(self.member(words, self.k + j % 2))
            else:
                one, other = self.member(words, self.k), self.member(self._words(seed, count + j), self.k)
                yield self._asked([other[t] if t % 2 else one[t] for t in range(self.N)])

    def member(self, words: Words, depth: int) -> list[int]:
        """A walk that opens or closes where it may do both, and is back at height 0 after N brackets."""
        depth = min(depth, self.N)
        odds, row = self._odds(depth), list[int]()
        waiting: list[int] = []
        for t in range(self.N):
            height = len(waiting)
            may_open = height < depth and height < self.N - t
            if height == 0 or (may_open and words.word(t + 1) >> 32 < odds[t][height]):
                row.append(words.low_below(t + 1, self.n))
                waiting.append(row[-1])
            else:
                row.append(self.n + waiting.pop())
        return row

    def corrupted(self, words: Words, member: list[int], most: int) -> list[int]:
        """A string outside the language, `most` brackets away from a member at most."""
        draw = self.N + 1
        while True:
            row, changes = list(member), 1 + words.below(draw, most)
            draw += 1
            while changes:
                place = words.below(draw, self.N)
                if row[place] == member[place]:
                    row[place] = self._changed(member[place], words, draw)
                    changes -= 1
                draw += 1
            if not self.language.answer(row):
                return row

    def _changed(self, bracket: int, words: Words, draw: int) -> int:
        """Another type, or the other direction."""
        choice = words.low_below(draw, 2 * (self.n - 1)) if self.n > 1 else self.n
        side, kind = divmod(bracket, self.n)
        return side * self.n + (kind + 1 + choice) % self.n if choice < self.n - 1 else (1 - side) * self.n + kind

    def _odds(self, depth: int) -> list[list[int]]:
        """odds[t][height] / 2^32 is the chance to open after t brackets."""
        if self.parameters["positives"] != "uniform":
            odds = 2**31 if self.parameters["positives"] == "fair-walk" else -(-(2**32 * self.n) // (self.n + 1))
            return [[odds] * (depth + 1)] * self.N
        ways, found = [1, *[0] * depth], []  # from each height back to 0 in the steps that are left
        for _ in range(self.N):
            up, down = [*ways[1:], 0], [0, *ways[:-1]]
            ways = [a + b for a, b in zip(up, down, strict=True)]
            found.append([2**32 * a // total if total else 0 for a, total in zip(up, ways, strict=True)])
        return found[::-1]

    def _words(self, seed: int, j: int) -> Words:
        return Words("dyck", self.parameters, seed, j)

    def _asked(self, row: list[int]) -> Case:
        answer = self.language.answer(row)
        assert answer is not None
        return np.array(row, dtype=np.int64), {self.N - 1: answer}
