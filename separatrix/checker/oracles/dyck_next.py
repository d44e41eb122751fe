"""Brackets, next: at every position of a well-matched string of depth at most k, the type of the innermost open bracket, or n.

Type a opens as a and closes as n + a. Draws: 1..N one for each bracket: the high half opens with odds n to 1 where both may come, the low
half is the type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import bits, countable
from separatrix.checker.oracles.forms.parameters import even_length
from separatrix.checker.oracles.forms.task_oracle import Case, Number, TaskOracle, Tokens

LONGEST = 10**4
COUNTED = 400  # brackets of which all strings are counted
DEEPEST = 24  # of a stack whose states are counted; deeper ones need no fewer


class Oracle(TaskOracle):
    """All cases are members, from one walk."""

    name = "dyck-next"
    families = ("random",)
    decoder = "positions"
    drawing = 1 << 12

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, types=int, depth=int)
        self.N = even_length(parameters, LONGEST)
        self.n, self.k = within(parameters["types"], 1, 1 << 16, "types"), within(parameters["depth"], 1, LONGEST, "depth")
        self.vocabulary, self.targets, self.tokens = 2 * self.n, self.n + 1, self.N
        self.title = f"brackets that may be closed next, {self.n} types, depth {self.k}, N = {self.N}"
        self.input_count = self._members() if self.N <= COUNTED else None
        height = min(self.k, self.N // 2, DEEPEST)
        self.state_bits = bits(sum(self.n**d for d in range(height % 2, height + 1, 2)))  # any two stacks at one place are told apart

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(2 * self.n),) * self.N

    def truth(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        waiting: list[int] = []
        answers: list[int] = []
        for token in tokens:
            if token < self.n:
                waiting.append(token)
            elif not waiting or waiting.pop() != token - self.n:
                return None
            if len(waiting) > self.k:
                return None
            answers.append(waiting[-1] if waiting else self.n)
        return None if waiting else tuple(answers)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        """Every member, by its brackets: of all strings few are."""
        begun: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]  # brackets so far, and those that wait
        while begun:
            row, waiting = begun.pop()
            if len(row) == self.N:
                yield row
                continue
            if waiting:
                begun.append(((*row, self.n + waiting[-1]), waiting[:-1]))
            if len(waiting) < min(self.k, self.N - len(row)):
                begun += [((*row, a), (*waiting, a)) for a in reversed(range(self.n))]  # the least is taken first

    def asked(self, tokens: Tokens) -> Case:
        answers = self.truth(tokens.tolist())
        assert answers is not None, "every case is a member"
        return tokens, dict(enumerate(answers))

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        row: list[int] = []
        waiting: list[int] = []
        odds = -(-(2**32 * self.n) // (self.n + 1))
        for t in range(self.N):
            may_open = len(waiting) < min(self.k, self.N - t)
            if not waiting or (may_open and words.word(t + 1) >> 32 < odds):
                row.append(words.low_below(t + 1, self.n))
                waiting.append(row[-1])
            else:
                row.append(self.n + waiting.pop())
        return np.array(row, dtype=np.int64)

    def _members(self) -> int | None:
        """Walks from 0 back to 0 that stay within the depth, times the types of the brackets that open."""
        ways = {0: 1}
        for _ in range(self.N):
            after: dict[int, int] = {}
            for height, count in ways.items():
                for new in (height - 1, height + 1):
                    if 0 <= new <= self.k:
                        after[new] = after.get(new, 0) + count
            ways = after
        return countable(ways[0] * self.n ** (self.N // 2))
