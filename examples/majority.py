"""Majority: are there more ones than zeros?   1 0 1 1 0 -> 1   (a task of one's own, in one file)"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.task import Batch, Task, need_examples, need_length, read_at_end


@dataclass(frozen=True)
class Majority(Task):
    """N bits; the label is 1 where more than half of them are ones. Draws: 0.. the bits."""

    length: int

    name: ClassVar[str] = "majority"
    cites: ClassVar[str] = ""
    tokens: ClassVar[str] = "N"
    vocabulary: ClassVar[int] = 2
    targets: ClassVar[int] = 2

    def __post_init__(self) -> None:
        need_length(self.name, self.length)

    def answer(self, tokens: Sequence[int]) -> int | None:
        return int(2 * sum(tokens) > len(tokens)) if len(tokens) == self.length else None

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        bits = integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), 2)
        return read_at_end(bits, np.full(count, self.length), (2 * bits.sum(axis=1) > self.length).astype(np.int64))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return itertools.product(range(2), repeat=self.length)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return (range(2),) * self.length
