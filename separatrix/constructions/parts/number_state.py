"""A machine in one number of ceil(log2 states) bits: no recurrent model that serves words of every length needs fewer.

Notation   p  bits, at least 2, the least of a format       h  the state, an integer from -2^(p-1) to M = 2^(p-1) - 1
           c  the number of a state, rejecting states first: a word is accepted where h is at least that of the first accepting one

For a token s the next number is a function F of h. On the integers it is piecewise linear:

    F(h) = F(0) + sum over v of a_v relu(h - v) + b_v relu(-h - v),     v = 0, 1, ..

Numbers saturate: h - v never exceeds M, and -h - v does so only for v = 0 at h = -2^(p-1), where it counts as M. The b_v are solved
for one after the other, with that in mind: relu(-h - v) is the first unit that tells h = -v - 1 from all larger h, and is 1 there.
A unit of another token than the one that is read gets -2^(p-1) more, and is 0. A weight that the format does not have is several.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from separatrix.bits import ceil_log2
from separatrix.constructions.parts.machine import Machine

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Unit:
    """weight relu(sign h - v), where the token is s; without a sign the unit is 1 there."""

    token: int
    sign: int
    v: int
    weight: int


@dataclass(frozen=True)
class NumberState:
    """The numbers of the states, and the weights that move between them."""

    machine: Machine
    spare: int = 0  # bits more than are needed: with one, nothing saturates

    @property
    def bits(self) -> int:
        """p, the bits of a number."""
        return max(2, ceil_log2(self.machine.states)) + self.spare

    @property
    def most(self) -> int:
        """M, the largest number that the state holds."""
        return (1 << (self.bits - 1)) - 1

    @property
    def numbers(self) -> dict[int, int]:
        """The number of each state; 0 is one of them."""
        order = sorted(range(self.machine.states), key=lambda q: (q in self.machine.accepting, q))
        return {q: rank - len(order) // 2 for rank, q in enumerate(order)}

    @property
    def first_accepting(self) -> int:
        """The least number at which a word is accepted."""
        rejecting = self.machine.states - len(self.machine.accepting)
        return rejecting - self.machine.states // 2

    def tensors(self) -> dict[str, Array]:
        """The weights of a ReLU recurrence that reads one-hot tokens, by their names in the mixer; without its output."""
        units, tokens, far = list(self.units()), self.machine.tokens, -float(1 << (self.bits - 1))
        drive = np.full((len(units), tokens), far)
        for i, unit in enumerate(units):
            drive[i, unit.token] = 0.0 if unit.sign else 1.0
        return {
            "transition": np.array([[float(unit.sign)] for unit in units]),
            "drive": drive,
            "bias": np.array([-float(unit.v) for unit in units]),
            "back": np.array([[float(unit.weight) for unit in units]]),
            "initial": np.array([float(self.numbers[0])]),
        }

    def units(self) -> Iterator[Unit]:
        """The hidden units of all tokens."""
        numbers = self.numbers
        for s in range(self.machine.tokens):
            F = {numbers[q]: numbers[self.machine.moves[q][s]] for q in range(self.machine.states)}
            yield from self._split(Unit(s, 0, 0, F[0]))
            for sign, ends in ((1, max(F)), (-1, -min(F))):
                yield from self._side(s, sign, [F[sign * u] - F[0] for u in range(ends + 1)])

    def _side(self, s: int, sign: int, G: list[int]) -> Iterator[Unit]:
        """Units with sum_v weight_v min(u - v, M) = G[u] for u = 1, 2, .., over the v < u."""
        weights: list[int] = []
        for u in range(1, len(G)):
            weights.append(G[u] - sum(weight * min(u - v, self.most) for v, weight in enumerate(weights)))
            yield from self._split(Unit(s, sign, u - 1, weights[-1]))

    def _split(self, unit: Unit) -> Iterator[Unit]:
        """The unit, several times if its weight is not a number of the format; not at all if it is 0."""
        left = unit.weight
        while left:
            weight = max(-self.most - 1, min(self.most, left))
            yield Unit(unit.token, unit.sign, unit.v, weight)
            left -= weight
