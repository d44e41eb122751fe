"""Equality over a partition: the symbols at one half of the places, in order, against those at the other half.

The half is listed, or consists of the N/2 places of lowest rank, with ranks drawn from a stream of their own.
Draws: 0 whether the half is repeated, 1 by how much a changed symbol moves, 2.. the symbols of one half and then of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import state_bits, strings
from separatrix.checker.oracles.forms.local import LARGEST, Count, Part, Parts, different, none
from separatrix.checker.oracles.forms.parameters import even_length
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words
from separatrix.checker.seal import Refused

LONGEST = 10**5
NAMED = 8  # places of a half that the title lists


class Oracle(TaskOracle):
    """The answer, at the last symbol, is 1 if every pair of places agrees."""

    name = "partition-equality"
    families = ("random", "equal", "one-change")
    drawing = 1 << 9

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int, first=list, instance=int)
        self.N, self.S = even_length(parameters, LONGEST), within(parameters["symbols"], 2, 1 << 20, "symbols")
        instance, chosen = within(parameters["instance"], 0, 1 << 62, "instance"), parameters["first"]
        every = range(1, self.N + 1)
        half = f"instance {instance}"
        if chosen:
            half = f"places {', '.join(map(str, chosen))}" if len(chosen) <= NAMED else "a given half"
        else:
            words = Words(f"{self.name} instance", {"length": self.N}, instance, 0)
            chosen = sorted(every, key=lambda i: (words.below(i - 1, 1 << 32), i))[: self.N // 2]
        if len(chosen) != self.N // 2 or any(type(i) is not int for i in chosen) or len({*chosen} & {*every}) != self.N // 2:
            raise Refused(f"first: expected {self.N // 2} different places of 1..{self.N}")
        self.one, self.other = sorted(chosen), sorted({*every} - {*chosen})
        self.vocabulary, self.targets, self.tokens = self.S, 2, self.N
        self.title = f"equality over a partition ({half}), N = {self.N}, {self.S} symbols"
        self.input_count = strings(self.S, self.N)
        self.state_bits = self._needed()

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(self.S),) * self.N

    def truth(self, tokens: Sequence[int]) -> int | None:
        return 1 if all(tokens[a - 1] == tokens[b - 1] for a, b in zip(self.one, self.other, strict=True)) else 0

    def form(self) -> Count | None:
        if self.S > LARGEST:
            return None
        pairs, apart = (sorted((a - 1, b - 1)) for a, b in zip(self.one, self.other, strict=True)), different(self.S)
        parts = Parts(self.alphabets, tuple(Part((a, b), apart) for a, b in pairs))
        return Count(range(self.N, self.N + 1), lambda _: parts, none, few=1, many=0)

    def draw(self, case: Number) -> Tokens:
        words, h = self.words(case.seed, case.number), self.N // 2
        one = words.many_below(2, h, self.S)
        other = one.copy()
        if case.family == "random" and words.below(0, 2):
            other = words.many_below(2 + h, h, self.S)
        if case.family == "one-change":
            place = case.number % h
            other[place] = (one[place] + 1 + words.below(1, self.S - 1)) % self.S
        tokens = np.empty(self.N, dtype=np.int64)
        tokens[np.array(self.one) - 1], tokens[np.array(self.other) - 1] = one, other
        return tokens

    def _needed(self) -> int:
        """After t symbols: those whose partner is still to come, and where a pair is complete, that it may have differed already."""
        begins = {min(a, b) for a, b in zip(self.one, self.other, strict=True)}
        waiting, most = 0, (0, False)
        for t in range(1, self.N + 1):
            waiting += 1 if t in begins else -1
            most = max(most, (waiting, waiting < t))  # fewer than t are pending: some pair is complete
        symbols, apart = most
        return state_bits(self.S, symbols) + (apart and self.S & (self.S - 1) == 0)  # S^symbols + 1 states
