"""Equality over a partition: say whether the symbols at half of the places, read in order, are those at the other half.

[bhattamishra2024 Equation 6]

    0 1 1 1 0 0  ->  0        with the places 1, 3, 4 in the one half: 0 1 1 against 1 0 0
    0 0 1 1 1 1  ->  1        0 1 1 against 0 1 1

The paper's function is the complement: 1 where they differ. The half is given, or drawn from a stream of its own, whose seed is the
parameter `instance`: draw i - 1 there, without its low 32 bits, ranks place i, and the first N/2 places are taken.
Draws of examples: 0 whether the half is repeated (high bit 0), 1 by how much a changed symbol moves around the alphabet,
2.. the symbols of the one half (N/2 words) and then of the other.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import integers, stream_key
from separatrix.tasks.equality import EVEN_COUNTS
from separatrix.tasks.task import Batch, Decision, Integers, Leak, need_examples, sized


@dataclass(frozen=True)
class PartitionEquality(Decision):
    """I[x_a = x_b for every pair], the i-th smallest place of one half with the i-th smallest of the other."""

    symbols: int = 2
    first: tuple[int, ...] = ()
    instance: int = 0

    name = "partition-equality"
    title = "Equality over a partition"
    about = "comparison"
    cites = "bhattamishra2024 Lemma 5"
    tokens = "N"
    least_length = 2
    even_because = "N/2 places for each half"
    total = True
    families = ("equal", "one-change")
    position_kinds = ("one-change",)
    known_leaks = (
        EVEN_COUNTS,
        Leak(
            "Where both places of a pair lie at one end, that end alone shows some of the differences.", ("first-symbols", "last-symbols")
        ),
    )
    enumerated_at = sized(length=6, instance=3)
    sampled_at = (sized(length=20, symbols=3, instance=1), sized(length=20, first=(*range(1, 11),)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.symbols <= 2**31:
            raise BadInput(f"{self.name}: symbols must lie in 2..2^31, found {self.symbols}")
        if self.instance < 0:
            raise BadInput(f"{self.name}: instance is a seed and must not be negative, found {self.instance}")
        if self.first and (len({*self.first}) != self.length // 2 or len(self.first) != self.length // 2):
            raise BadInput(f"{self.name}: first must name N/2 = {self.length // 2} different places, found {list(self.first)}")
        if not all(1 <= i <= self.length for i in self.first):
            raise BadInput(f"{self.name}: places must lie in 1..N with N = {self.length}, found {list(self.first)}")

    @functools.cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The places (from 1) that are compared."""
        first_half = sorted(self.first or self._drawn())
        return tuple(zip(first_half, sorted({*range(1, self.length + 1)} - {*first_half}), strict=True))

    @property
    def vocabulary(self) -> int:
        return self.symbols

    @property
    def token_count(self) -> int:
        return self.length

    def answer(self, tokens: Sequence[int]) -> int | None:
        if len(tokens) != self.length or not all(0 <= s < self.symbols for s in tokens):
            return None
        return int(all(tokens[a - 1] == tokens[b - 1] for a, b in self.pairs))

    def second(self, tokens: Sequence[int]) -> int:
        """The two sets of places spell the same word."""
        return int(len({tuple(tokens[i - 1] for i in places) for places in zip(*self.pairs, strict=True)}) == 1)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        key, j, h = self.key(seed), np.arange(start, start + count), self.length // 2
        drawn = integers(key, j, np.arange(2, 2 + self.length), self.symbols)
        afresh = integers(key, j, [0], 2).astype(bool)
        return self._spread(drawn[:, :h], np.where(afresh, drawn[:, h:], drawn[:, :h]))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        """`equal` halves, or halves that differ in one pair, which cycles through all pairs."""
        key, j, h = self.key(seed), np.arange(count), self.length // 2
        one = integers(key, j, np.arange(2, 2 + h), self.symbols)
        other = one.copy()
        if kind == "one-change":
            other[j, j % h] = (one[j, j % h] + 1 + integers(key, j, [1], self.symbols - 1)[:, 0]) % self.symbols
        return self._spread(one, other)

    def _spread(self, one: Integers, other: Integers) -> Batch:
        """Rows with the two halves at their places."""
        places = np.array(self.pairs, dtype=np.int64) - 1
        tokens = np.empty((len(one), self.length), dtype=np.int64)
        tokens[:, places[:, 0]], tokens[:, places[:, 1]] = one, other
        return self.labelled(tokens, (one == other).all(axis=1))

    def _drawn(self) -> list[int]:
        key = stream_key(f"{self.name} instance", {"length": self.length}, self.instance)
        order = np.argsort(integers(key, [0], np.arange(self.length), 1 << 32)[0], kind="stable")
        return [int(i) + 1 for i in order[: self.length // 2]]
