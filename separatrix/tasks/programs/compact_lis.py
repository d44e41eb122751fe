"""The longest increasing subsequence as the public data write it: one value for every number, then the largest.

[yang2024 Task 2]

    2 0 1 3 |  1 1 2 3  |  3        d_i, the longest increasing subsequence that ends at place i; a second separator; the answer

A value needs all values before it, so this is not a dynamic program of bounded dependence; constructions/yang2024/compact_lis.py writes it
with dense attention. A vector is (entry, kind, value, answer), 2 n + 3 of them with the input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.tasks.batch import Integers
from separatrix.tasks.programs.expression import Interval
from separatrix.tasks.programs.unrolled import ANSWER, FRAME, SEPARATOR, STATE


@dataclass(frozen=True)
class CompactLis:
    """The public chain of n numbers, as a dynamic program sees it."""

    entries: int
    width = FRAME

    @property
    def length(self) -> int:
        """L: the input, a separator, a value for each number, another separator, and the answer."""
        return 2 * self.entries + 3

    @property
    def answers(self) -> Interval:
        """From a falling sequence to a rising one."""
        return 1, self.entries

    def run(self, inputs: Integers) -> Integers:
        """d_1 .. d_n on inputs [rows, n], side by side."""
        d = np.zeros_like(inputs)
        for i in range(inputs.shape[1]):
            before = np.where(inputs[:, :i] < inputs[:, i : i + 1], d[:, :i], 0)
            d[:, i] = 1 + before.max(axis=1, initial=0)
        return d

    def run_once(self, entries: Sequence[int]) -> list[int]:
        """The values of all states on one input, in plain Python."""
        d: list[int] = []
        for x in entries:
            d.append(1 + max((best for best, y in zip(d, entries, strict=False) if y < x), default=0))
        return d

    def concluded(self, values: Any) -> Any:
        """The answer: the largest of the values."""
        return values.max(axis=-1) if isinstance(values, np.ndarray) else max(values)

    def written(self, values: Integers) -> Integers:
        """The values, a separator, the answer, and the zero vector."""
        n = self.entries
        vectors = np.zeros((len(values), n + 3, self.width), dtype=np.int64)
        vectors[:, :n, 1], vectors[:, :n, 2], vectors[:, n, 1] = STATE, values, SEPARATOR
        vectors[:, n + 1, 1], vectors[:, n + 1, 3] = ANSWER, self.concluded(values)
        return vectors


def compact_lis_bits(n: int, symbols: int = 0) -> float:
    """log2 of the number of chains dp_1 .. dp_n over so many symbols; over as many as there are numbers by default.

    A value above 1 needs one less before it, so a chain skips no value, and it has at most as many values as there are symbols. Every such
    sequence w is the chain of the numbers w themselves: 1, 2, .., w_i occur in this order up to place i, and nothing longer ends there.
    The chain over pairs of places contains these values. It has n! different ones up to n = 6, which is not proven beyond.
    """
    return math.log2(unskipped(n, min(symbols or n, n)))


def unskipped(n: int, most: int) -> int:
    """How many sequences of n values 1 .. most skip none on the way up: as many as partitions of n things into at most so many parts."""
    parts = [0] * (most + 1)  # partitions of the first things into exactly k parts
    parts[0] = 1
    for _ in range(n):
        parts = [0, *(k * parts[k] + parts[k - 1] for k in range(1, most + 1))]
    return sum(parts)


def bell(n: int) -> int:
    """The number of partitions of n things."""
    return unskipped(n, n)
