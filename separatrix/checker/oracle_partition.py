"""Equality over a partition, written a second time: the symbols at one half of the places against those at the other.

The half is given, or the N/2 places of the lowest rank, ranks being drawn from a stream of their own.
Draws: 0 whether the half is repeated, 1 by how much a changed symbol moves, 2.. the symbols of one half and of the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.checker.counter import Words
from separatrix.checker.fields import exactly, within
from separatrix.checker.seal import Refused

if TYPE_CHECKING:
    from separatrix.checker.oracles import Case

LONGEST, MOST = 10**5, 10**7  # symbols of one case, and inputs of one enumeration


class PartitionEquality:
    """The answer, at the last symbol, is 1 where every pair agrees."""

    def __init__(self, parameters: Any) -> None:
        self.parameters = exactly(parameters, "task_parameters", length=int, symbols=int, first=list, instance=int)
        self.N, self.S = within(parameters["length"], 2, LONGEST, "length"), within(parameters["symbols"], 2, 1 << 20, "symbols")
        instance = within(parameters["instance"], 0, 1 << 62, "instance")
        if self.N % 2:
            raise Refused(f"length: expected an even number, found {self.N}")
        every, chosen = range(1, self.N + 1), parameters["first"]
        if not chosen:
            words = Words("partition-equality instance", {"length": self.N}, instance, 0)
            chosen = sorted(every, key=lambda i: (words.below(i - 1, 1 << 32), i))[: self.N // 2]
        if len(chosen) != self.N // 2 or any(type(i) is not int for i in chosen) or len({*chosen} & {*every}) != self.N // 2:
            raise Refused(f"first: expected {self.N // 2} different places of 1..{self.N}")
        self.one = sorted(chosen)
        self.other = sorted({*every} - {*chosen})
        self.vocabulary, self.targets = self.S, 2

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random`, `equal`, `one-change` at each pair in turn, or `all`."""
        if kind == "all":
            if count > MOST or count != self.S**self.N:
                raise Refused(f"all inputs are |S|^N = {self.S}^{self.N}, the certificate says {count}")
            for string in itertools.product(range(self.S), repeat=self.N):
                yield self._asked(dict(enumerate(string, 1)))
            return
        if kind not in ("random", "equal", "one-change"):
            raise Refused(f"partition-equality has no cases {kind!r}")
        h = self.N // 2
        for j in range(count):
            words = Words("partition-equality", self.parameters, seed, j)
            one = words.many_below(2, h, self.S)
            other = one.copy()
            if kind == "random" and words.below(0, 2):
                other = words.many_below(2 + h, h, self.S)
            if kind == "one-change":
                other[j % h] = (one[j % h] + 1 + words.below(1, self.S - 1)) % self.S
            yield self._asked(dict(zip(self.one, one, strict=True)) | dict(zip(self.other, other, strict=True)))

    def _asked(self, symbols: dict[int, Any]) -> Case:
        """The string with these symbols at places 1 .. N."""
        tokens = np.array([int(symbols[i]) for i in range(1, self.N + 1)], dtype=np.int64)
        return tokens, {self.N - 1: int([symbols[i] for i in self.one] == [symbols[i] for i in self.other])}
