"""The syntactic monoid of a regular language: what words do to the states of its minimal automaton.

    (ab)*    6 elements: the empty word, a, b, ab, ba and 0 = aa = bb

An element is a row of states, read as the map state -> state; products read from left to right, as words do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from separatrix.tasks.languages.automata import Automaton

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

ELEMENTS = 100_000  # larger monoids are not listed


@dataclass(frozen=True, eq=False)
class Monoid:
    """Every element once, shortest words first; element 0 is the identity."""

    alphabet: tuple[str, ...]
    maps: Integers  # [elements, states]
    times: Integers  # [elements, symbols]: the element after one more symbol
    parent: tuple[tuple[int, int], ...]  # the element and the symbol by which each was first reached

    def __len__(self) -> int:
        return len(self.maps)

    def word(self, element: int) -> tuple[str, ...]:
        """The first shortest word that acts as this element."""
        symbols: list[str] = []
        while element:
            element, symbol = self.parent[element]
            symbols.append(self.alphabet[symbol])
        return tuple(reversed(symbols))

    @cached_property
    def periods(self) -> Integers:
        """The least k >= 1 with x^(n + k) = x^n for large n, for every element x."""
        base = self._powers(self.maps.shape[1])  # after as many steps as there are states, x moves on cycles
        periods, power, unknown = np.zeros(len(self), dtype=np.int64), base.copy(), np.ones(len(self), dtype=bool)
        while unknown.any():
            power[unknown] = np.take_along_axis(self.maps[unknown], power[unknown], axis=1)
            periods[unknown] += 1
            unknown[unknown] = (power[unknown] != base[unknown]).any(axis=1)
        return periods

    @property
    def aperiodic(self) -> bool:
        """Whether no element moves on a cycle: the language is star-free."""
        return bool((self.periods == 1).all())

    @property
    def two_groups(self) -> bool:
        """Whether every group in it has 2^k elements: by Cauchy's theorem, whether no element moves on a cycle of odd length beyond 1."""
        return bool((self.periods & (self.periods - 1) == 0).all())

    @property
    def commutative(self) -> bool:
        """Whether the order of the symbols never matters."""
        first = self.times[0]
        return all(self.times[a, j] == self.times[b, i] for i, a in enumerate(first) for j, b in enumerate(first))

    @cached_property
    def idempotent(self) -> Flags:
        """The elements that equal their square."""
        equal: Flags = np.all(np.take_along_axis(self.maps, self.maps, axis=1) == self.maps, axis=1)
        return equal

    @cached_property
    def regular_not_idempotent(self) -> tuple[int, ...]:
        """Elements x with x y x = x for some y that are not idempotent. DA is the class of monoids without any.

        x y x = x for some y iff some idempotent e has x = e z and e = x z': that is, iff x and e reach each other by multiplying from
        the right. So the strongly connected parts of the graph `times` decide.
        """
        part = _strong_parts(self.times)
        regular = np.zeros(len(self), dtype=bool)
        regular[part[self.idempotent]] = True
        return tuple(int(x) for x in np.flatnonzero(regular[part] & ~self.idempotent))

    @property
    def in_da(self) -> bool:
        """Whether every regular element is idempotent."""
        return not self.regular_not_idempotent

    @cached_property
    def quasi_aperiodic(self) -> bool:
        """Whether no set {words of one length} acts as a set of elements that contains a non-trivial group.

        [hahn2020 Footnote 2]

        Once the sets of lengths s and 2 s agree, such a set is closed under products, and a group at any length is there too.
        """
        return bool((self.periods[self.stable] == 1).all())

    @cached_property
    def stable(self) -> Flags:
        """The elements of words of length s, for the least s >= 1 at which lengths s and 2 s give the same elements."""
        met: dict[bytes, int] = {}
        sets: list[Flags] = []
        current = np.zeros(len(self), dtype=bool)
        current[self.times[0]] = True
        while current.tobytes() not in met:
            met[current.tobytes()] = len(sets)
            sets.append(current)
            current = np.zeros_like(current)
            current[self.times[sets[-1]]] = True
        begin, period = met[current.tobytes()], len(sets) - met[current.tobytes()]
        length = -(-(begin + 1) // period) * period  # sets[i] belongs to words of length i + 1
        return sets[length - 1]

    def _powers(self, least: int) -> Integers:
        """x^n for every element x, with some n >= least."""
        power, n = self.maps, 1
        while n < least:
            power, n = np.take_along_axis(power, power, axis=1), 2 * n
        return power


def syntactic_monoid(automaton: Automaton) -> Monoid | None:
    """The monoid of a minimal automaton, or None if it has more than 100,000 elements."""
    moves = np.array(automaton.moves).T  # [symbols, states]
    identity = np.arange(automaton.states)
    number = {identity.tobytes(): 0}
    maps, parent, times = [identity], [(0, 0)], []
    for x, element in enumerate(maps):  # grows during the loop
        products = moves[:, element]
        row = []
        for symbol, product in enumerate(products):
            met = number.setdefault(product.tobytes(), len(maps))
            if met == len(maps):
                maps.append(product)
                parent.append((x, symbol))
            row.append(met)
        times.append(row)
        if len(maps) > ELEMENTS:
            return None
    return Monoid(automaton.alphabet, np.array(maps), np.array(times), tuple(parent))


def _strong_parts(arrows: Integers) -> Integers:
    """The strongly connected part of every node, by Tarjan's walk with a stack of its own."""
    count = len(arrows)
    part, low, order = np.full(count, -1), np.zeros(count, dtype=np.int64), np.full(count, -1)
    waiting: list[int] = []
    clock = 0
    for root in range(count):
        walk = [(root, 0)] if order[root] < 0 else []
        while walk:
            node, branch = walk.pop()
            if branch == 0:
                order[node] = low[node] = clock
                clock += 1
                waiting.append(node)
            if branch < arrows.shape[1]:
                walk.append((node, branch + 1))
                target = int(arrows[node, branch])
                if order[target] < 0:
                    walk.append((target, 0))
                elif part[target] < 0:
                    low[node] = min(low[node], order[target])
                continue
            if low[node] == order[node]:
                while part[node] < 0:
                    part[waiting.pop()] = node
            if walk:
                low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
    return part
