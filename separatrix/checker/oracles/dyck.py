"""Bounded Dyck: whether brackets of n types match with depth at most k; type a opens as a and closes as n + a.

Members come from a walk. Draws: 0 the label, 1..N one for each bracket (high half: open or close, low half: the type), then the
corruption: how many brackets change, the places one by one, and all of it again while the string is still a member.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.automaton import Automaton
from separatrix.checker.oracles.forms.counts import bits, state_bits, strings
from separatrix.checker.oracles.forms.parameters import even_length, one_of
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words

LONGEST = 10**5
TABULATED = 1 << 18  # entries of the table of odds for uniform members


class Oracle(TaskOracle):
    """`single-change`: half of them members, half one bracket away; `too-deep`: deeper; `crossed`: even places of another member."""

    name = "dyck"
    drawing = 1 << 12

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, types=int, depth=int, positives=str)
        self.N = even_length(parameters, LONGEST)
        self.n, self.k = within(parameters["types"], 1, 1 << 16, "types"), within(parameters["depth"], 1, LONGEST, "depth")
        if one_of(parameters, "positives", "walk", "fair-walk", "uniform") == "uniform":
            within(self.N * (min(self.k, self.N) + 2), 1, TABULATED, "length times depth, for uniform members")
        self.families = ("random", "single-change", "too-deep", *(("crossed",) if self.k <= 2 else ()))
        self.vocabulary, self.targets, self.tokens = 2 * self.n, 2, self.N
        self.title = f"Dyck-({self.n}, {self.k}), N = {self.N}"
        self.input_count = strings(2 * self.n, self.N)
        self.state_bits = self._needed()
        self._odds: dict[int, list[list[int]]] = {}

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(2 * self.n),) * self.N

    def truth(self, tokens: Sequence[int]) -> int | None:
        waiting: list[int] = []  # closing brackets still to come, the next one last
        for token in tokens:
            if token < self.n:
                waiting.append(token + self.n)
                if len(waiting) > self.k:
                    return 0
            elif not waiting or waiting.pop() != token:
                return 0
        return 0 if waiting else 1

    def form(self) -> Automaton:
        """The state is the stack of brackets to close, the next one last; None if the word cannot be completed."""

        def step(waiting: tuple[int, ...] | None, token: int) -> tuple[int, ...] | None:
            if waiting is None:
                return None
            if token < self.n:
                return (*waiting, token) if len(waiting) < self.k else None
            return waiting[:-1] if waiting and waiting[-1] == token - self.n else None

        return Automaton(self.alphabets, (), step, lambda waiting: int(waiting == ()))

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        if case.family == "too-deep":
            row = self._member(words, self.k + case.number % 2)
        elif case.family == "crossed":
            other = self._member(self.words(case.seed, case.count + case.number), self.k)
            row = [other[t] if t % 2 else bracket for t, bracket in enumerate(self._member(words, self.k))]
        else:
            row = self._member(words, self.k)
            if words.below(0, 2):
                row = self._corrupted(words, row, max(1, self.N // 10) if case.family == "random" else 1)
        return np.array(row, dtype=np.int64)

    def _member(self, words: Words, depth: int) -> list[int]:
        """A random walk that returns to height 0 after N brackets."""
        depth = min(depth, self.N)
        odds = self._odds[depth] = self._odds.get(depth) or self._opening(depth)
        row: list[int] = []
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

    def _corrupted(self, words: Words, member: list[int], most: int) -> list[int]:
        """A string outside the language, at most `most` brackets away from a member."""
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
            if not self.truth(row):
                return row

    def _changed(self, bracket: int, words: Words, draw: int) -> int:
        """Another type, or the other direction."""
        choice = words.low_below(draw, 2 * (self.n - 1)) if self.n > 1 else self.n
        side, kind = divmod(bracket, self.n)
        return side * self.n + (kind + 1 + choice) % self.n if choice < self.n - 1 else (1 - side) * self.n + kind

    def _opening(self, depth: int) -> list[list[int]]:
        """odds[t][height] / 2^32 is the chance to open after t brackets."""
        if self.parameters["positives"] != "uniform":
            odds = 2**31 if self.parameters["positives"] == "fair-walk" else -(-(2**32 * self.n) // (self.n + 1))
            return [[odds] * (depth + 1)] * self.N
        ways, table = [1, *[0] * depth], []  # from each height back to 0 in the steps that are left
        for _ in range(self.N):
            up, down = [*ways[1:], 0], [0, *ways[:-1]]
            ways = [a + b for a, b in zip(up, down, strict=True)]
            table.append([2**32 * a // total if total else 0 for a, total in zip(up, ways, strict=True)])
        return table[::-1]

    def _needed(self) -> int:
        """After min(k, N/2) brackets: every stack of that height, or 2, 4, .. lower, can still be closed; and one state for the dead."""
        height = min(self.k, self.N // 2)
        if self.n == 1:
            return bits(height // 2 + 2)
        if height * bits(self.n) > TABULATED:
            return state_bits(self.n, height)
        stacks = (self.n ** (height + 2) - self.n ** (height % 2)) // (self.n**2 - 1)  # n^d over d = height, height - 2, ..
        return bits(stacks + 1)
