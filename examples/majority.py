"""Majority: are there more ones than zeros?   1 0 1 1 0 -> 1   (a task of one's own, in one file)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.task import Batch, Decision, Leak, need_examples


@dataclass(frozen=True)
class Majority(Decision):
    """N bits; the label is 1 where more than half of them are ones. Draws: 0.. the bits."""

    name: ClassVar[str] = "majority"
    tokens: ClassVar[str] = "N"
    title: ClassVar[str] = "Majority"
    about: ClassVar[str] = "Boolean functions"
    length_means: ClassVar[str] = "bits"
    vocabulary: ClassVar[int] = 2
    total: ClassVar[bool] = True  # every string of N bits has an answer
    known_leaks: ClassVar[tuple[Leak, ...]] = (
        Leak("The label is a function of the number of ones, so that a table of counts solves it.", ("symbol-count", "bag-of-symbols")),
    )

    def answer(self, tokens: Sequence[int]) -> int | None:
        return int(2 * sum(tokens) > len(tokens)) if len(tokens) == self.length else None

    def second(self, tokens: Sequence[int]) -> int | None:
        return int(sorted(tokens)[(len(tokens) - 1) // 2])  # the median, the lower one of two

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        bits = integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), 2)
        return self.labelled(bits, 2 * bits.sum(axis=1) > self.length)
