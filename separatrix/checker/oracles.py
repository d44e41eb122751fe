"""What the tasks ask, written a second time: an oracle and the documented verification cases of each.

An entry of ORACLES knows the vocabulary sizes, what the right answer is, and how case j of each family is made.
A case is (tokens, {position: target}).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from separatrix.checker.counter import Words
from separatrix.checker.fields import exactly, within
from separatrix.checker.oracle_dyck import Dyck
from separatrix.checker.oracle_equality import EqNcp, EqOne, EqRandom, Equality
from separatrix.checker.oracle_pairs import AssociativeRecall, Mqar, NearestNeighbor
from separatrix.checker.oracle_partition import PartitionEquality
from separatrix.checker.oracle_thresholds import Intersects, KCnf, KDnf, SparseThreshold
from separatrix.checker.seal import Refused

Tokens = npt.NDArray[np.int64]
Case = tuple[Tokens, dict[int, int]]
MOST = 10**7  # tokens of one case, and inputs of one enumeration


class Oracle(Protocol):
    """A task as the checker knows it."""

    vocabulary: int
    targets: int

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """The cases of a family, in order."""


class IndexLookup:
    """N symbols, then the index token |S| + p - 1; the answer is the p-th symbol."""

    def __init__(self, parameters: Any) -> None:
        self.parameters = exactly(parameters, "task_parameters", length=int, symbols=int, distribution=str)
        self.N, self.S = within(parameters["length"], 1, MOST, "length"), within(parameters["symbols"], 2, 1 << 20, "symbols")
        if parameters["distribution"] != "evaluation":
            raise Refused("index-lookup is verified on its evaluation distribution")
        self.vocabulary, self.targets = self.S + self.N, self.S

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random`, `complement` (every other symbol differs most from the one asked for) or `all`."""
        if kind == "all":
            yield from self._all(count)
            return
        for j in range(count):
            words = Words("index-lookup", self.parameters, seed, j)
            if kind == "random":
                p, symbols = 1 + words.below(1, self.N), words.many_below(2, self.N, self.S)
            elif kind == "complement":
                p = j + 1 if count == self.N else 1 + words.below(0, self.N)
                s = words.below(1, self.S)
                far = max(range(self.S), key=lambda t: ((s ^ t).bit_count(), -t))
                symbols = np.full(self.N, far, dtype=np.int64)
                symbols[p - 1] = s
            else:
                raise Refused(f"index-lookup has no cases {kind!r}")
            yield self._ask(symbols, p)

    def _all(self, count: int) -> Iterator[Case]:
        if self.N > 64 or count != self.S**self.N * self.N or count > MOST:
            raise Refused(f"all inputs are |S|^N N = {self.S}^{self.N} * {self.N}, the certificate says {count}")
        for symbols in itertools.product(range(self.S), repeat=self.N):
            for p in range(1, self.N + 1):
                yield self._ask(np.array(symbols, dtype=np.int64), p)

    def _ask(self, symbols: Tokens, p: int) -> Case:
        return np.append(symbols, self.S + p - 1), {self.N: int(symbols[p - 1])}


ORACLES: dict[str, Callable[[Any], Oracle]] = {
    "index-lookup": IndexLookup,
    "equality": Equality,
    "eq-random": EqRandom,
    "eq-one": EqOne,
    "eq-ncp": EqNcp,
    "partition-equality": PartitionEquality,
    "intersects": Intersects,
    "sparse-threshold": SparseThreshold,
    "k-dnf": KDnf,
    "k-cnf": KCnf,
    "dyck": Dyck,
    "mqar": Mqar,
    "associative-recall": AssociativeRecall,
    "nearest-neighbor": NearestNeighbor,
}


def oracle(task: str, parameters: Any) -> Oracle:
    """The oracle of a task."""
    if task not in ORACLES:
        raise Refused(f"no oracle for the task {task!r}")
    return ORACLES[task](parameters)
