"""Executable reductions: any model for a task gives a one-way protocol for a problem whose cost is known.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 3; bhattamishra2024 Proposition 9; bhattamishra2024 Theorem 8;
bhattamishra2024 Theorem 11]

Alice feeds a prefix that depends on her input alone and sends the state. Bob feeds suffixes of his choice to that state and reads off
the answer. The message is the whole state, so the state has at least the bits of the problem's one-way cost. Here a `solver` stands for
the model: it gets the tokens read so far and returns what is due after the last one.

Ids are those of the tasks: index lookup has symbols 0, 1 and index tokens 2..; recall has keys 0..2n-1 and labels 2n, 2n + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.facts import DISJ, EQ, INDEX, Bits, Problem
from separatrix.errors import BadInput

Tokens = tuple[Any, ...]
Solver = Callable[[Tokens], Any]
Ask = Callable[[Tokens], Any]  # the model's answer after Alice's prefix and this suffix


@dataclass(frozen=True)
class Reduction:
    """From a problem to a task: Alice's prefix, and how Bob gets the problem's answer by querying the state."""

    problem: Problem
    task: str
    prefix: Callable[[Bits], Tokens]
    answer: Callable[[Ask, Any, int], int]  # (ask, Bob's input, n) -> the problem's answer
    cites: str

    def state_bits(self, n: int) -> int:
        """Bits needed in the state after the prefix: the one-way cost of the problem."""
        return self.problem.one_way(n)

    def run(self, solver: Solver, a: Bits, b: Any) -> int:
        """Run the protocol on one input; return the answer."""
        prefix = self.prefix(a)
        return self.answer(lambda suffix: solver((*prefix, *suffix)), b, len(a))


def _lookup(ask: Ask, i: int, n: int) -> int:  # noqa: ARG001
    return int(ask((2 + i,)))


def _recall_prefix(a: Bits) -> Tokens:
    n = len(a)
    return tuple(token for key, bit in enumerate(a) for token in (key, 2 * n + bit))


def _recall(ask: Ask, i: int, n: int) -> int:  # noqa: ARG001
    return int(ask((i,)))


def _read_all(ask: Ask, b: Bits, n: int) -> int:
    """Query every key in turn, feeding back the answers, and intersect with Bob's set."""
    suffix: Tokens = ()
    a: list[int] = []
    for key in range(n):
        a.append(int(ask((*suffix, key))))
        suffix = (*suffix, key, 2 * n + a[-1])
    return DISJ.value(tuple(a), b)


def _neighbour_prefix(a: Bits) -> Tokens:
    return tuple(token for key, bit in enumerate(a) for token in (hypercube(key, len(a)), bit))


def _read_all_neighbours(ask: Ask, b: Bits, n: int) -> int:
    suffix: Tokens = ()
    a: list[int] = []
    for key in range(n):
        vector = hypercube(key, n)
        a.append(int(ask((*suffix, vector))))
        suffix = (*suffix, vector, a[-1])
    return DISJ.value(tuple(a), b)


def _second_half(ask: Ask, b: Bits, n: int) -> int:  # noqa: ARG001
    return int(ask(b))


REDUCTIONS = (
    Reduction(INDEX, "index-lookup", lambda a: a, _lookup, "bhattamishra2024 Theorem 3"),
    Reduction(INDEX, "associative-recall", _recall_prefix, _recall, "bhattamishra2024 Proposition 9"),
    Reduction(DISJ, "mqar", _recall_prefix, _read_all, "bhattamishra2024 Theorem 8"),
    Reduction(DISJ, "nearest-neighbor", _neighbour_prefix, _read_all_neighbours, "bhattamishra2024 Theorem 8"),
    Reduction(EQ, "equality", lambda a: a, _second_half, "bhattamishra2024 Theorem 11"),
    Reduction(DISJ, "intersects", lambda a: a, _second_half, "bhattamishra2024 Fact 1"),
)


def hypercube(key: int, keys: int) -> tuple[int, ...]:
    """The signs of a key's unit vector, whose entries are +-1/sqrt(d) after its binary code of d = ceil(log2 keys) bits.

    [bhattamishra2024 Theorem 8; proof G.1]
    """
    if not 0 <= key < keys:
        raise BadInput(f"key {key} lies outside 0..{keys - 1}")
    return tuple(1 if key >> bit & 1 else -1 for bit in range(max(1, ceil_log2(keys))))


def inner(x: Sequence[int], y: Sequence[int]) -> Fraction:
    """The inner product of the unit vectors with these signs: 1 for a key with itself, at most 1 - 2/d for two keys."""
    return Fraction(sum(a * b for a, b in zip(x, y, strict=True)), len(x))
