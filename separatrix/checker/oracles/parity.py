"""Parity: whether the number of 1s before the end symbol 2 is even. Draws: c is bit c, and in `one-symbol` N is the bit that flips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.automaton import Automaton
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.task_oracle import LONGEST, Number, TaskOracle, Tokens


class Oracle(TaskOracle):
    """`one-symbol` cases come in pairs: a word of even parity, and the same with one bit flipped."""

    name = "parity"
    families = ("random", "one-symbol")
    state_bits = 1

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int)
        self.N = within(parameters["length"], 1, LONGEST - 1, "length")
        self.vocabulary, self.targets, self.tokens = 3, 2, self.N + 1
        self.title = f"parity, N = {self.N}"
        self.input_count = strings(2, self.N)

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(2),) * self.N + (range(2, 3),)

    def truth(self, tokens: Sequence[int]) -> int | None:
        return 1 - sum(tokens[:-1]) % 2

    def form(self) -> Automaton:
        """The state is the parity so far; the end symbol leaves it as it is."""
        return Automaton(self.alphabets, 0, lambda odd, token: odd ^ (token == 1), lambda odd: 1 - odd)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number // 2 if case.family == "one-symbol" else case.number)
        bits = words.many_below(0, self.N, 2)
        if case.family == "one-symbol":
            bits[0] ^= bits.sum() % 2
            if case.number % 2:
                bits[words.below(self.N, self.N)] ^= 1
        return np.append(bits, 2)
