"""The facts about communication behind the lower bounds, each with a witness that the matrix is asked about.

[bhattamishra2024 Fact 1; bhattamishra2024 Fact 2; bhattamishra2024 Fact 3; bhattamishra2024 Fact 4]

Notation   n  bits of Alice      a, b  what Alice and Bob hold      a_i  counted from 0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from separatrix.bounds.communication.matrix import CommunicationMatrix, FoolingSet, communication_matrix
from separatrix.errors import BadInput

Bits = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A two-party problem: Alice holds n bits, Bob holds one of `bob(n)`, and they compute `value(a, b)`."""

    name: str
    value: Callable[[Bits, Any], int]
    bob: Callable[[int], Sequence[Any]]
    one_way: Callable[[int], int]  # bits that Alice must send if only she may speak
    cites: str
    survives_error: bool  # whether a constant error still costs a linear number of bits

    def alice(self, n: int) -> Sequence[Bits]:
        """Every string of n bits that Alice may hold."""
        if n < 1:
            raise BadInput(f"{self.name}: n must be at least 1, found {n}")
        return list(product((0, 1), repeat=n))

    def matrix(self, n: int) -> CommunicationMatrix:
        """Rows are Alice's inputs, columns Bob's."""
        return communication_matrix(lambda x: self.value(*x), [self.alice(n), self.bob(n)], 2, alice=[0])


def _all_bits(n: int) -> list[Bits]:
    return list(product((0, 1), repeat=n))


DISJ = Problem(
    "DISJ", lambda a, b: int(any(i & j for i, j in zip(a, b, strict=True))), _all_bits, lambda n: n, "bhattamishra2024 Fact 1", True
)
EQ = Problem("EQ", lambda a, b: int(a == b), _all_bits, lambda n: n, "bhattamishra2024 Fact 2", False)
INDEX = Problem("INDEX", lambda a, i: a[i], lambda n: list(range(n)), lambda n: n, "bhattamishra2024 Fact 3", True)


def complement_pairs(n: int) -> FoolingSet:
    """A set and its complement are disjoint, but of two different sets one meets the other's complement.

    [bhattamishra2024 Fact 1]
    """
    return _of_inputs(n, lambda a: tuple(1 - bit for bit in a), 0)


def equal_pairs(n: int) -> FoolingSet:
    """A string equals itself; crossed pairs are not equal.

    [bhattamishra2024 Fact 2]
    """
    return _of_inputs(n, lambda a: a, 1)


def _of_inputs(n: int, partner: Callable[[Bits], Bits], value: int) -> FoolingSet:
    pairs = tuple(((a,), (partner(a),)) for a in _all_bits(n))
    return FoolingSet(pairs, value, len(pairs))
