"""PARITY: say whether the number of 1s is even.

[hahn2020 Task 1]

    0 1 1 0 <eos>  ->  1        two 1s: in the language

Draws: c is bit c. Every bit is fair, so the labels are balanced and no proper subset of the bits carries information.
The label is a function of the number of 1s: at a fixed N, a table from counts to labels solves the task.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.recognition import Recognition
from separatrix.tasks.task import Integers, Leak, sized


@dataclass(frozen=True)
class Parity(Recognition):
    """Bit strings of length N; the language has those with an even number of 1s."""

    name = "parity"
    title = "PARITY"
    cites = "hahn2020 Corollary 2"
    length_means = "bits"
    enumerated_at = sized(length=5)
    known_leaks = (
        Leak(
            "At one length a table from the number of 1s to the label solves the task, as it does for any function of counts. "
            "Only other lengths show whether a model has learned to count modulo two.",
            ("symbol-count", "odd-counts"),
        ),
    )

    @property
    def letters(self) -> tuple[str, ...]:
        return ("0", "1")

    def member(self, word: Sequence[int]) -> bool:
        return list(word).count(1) % 2 == 0

    def second(self, tokens: Sequence[int]) -> int:
        """The answer by multiplying signs: the independent solver."""
        return int(math.prod(-1 if bit else 1 for bit in tokens[:-1]) == 1)

    def draw(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        bits = integers(key, examples, np.arange(self.length), 2)
        return bits, 1 - bits.sum(axis=1) % 2

    def neighbours(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        """Draw N is the bit that flips."""
        members, label = self.draw(key, examples)
        members[:, 0] ^= 1 - label
        outside = members.copy()
        outside[np.arange(len(examples)), integers(key, examples, [self.length], self.length)[:, 0]] ^= 1
        return members, outside
