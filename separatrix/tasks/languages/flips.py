"""Cascades of coordinates with two values, which keep, reset or flip them: for languages whose groups are 2-groups, where one is found.

    an even number of a    one coordinate, which every a flips

A cascade whose coordinates are permuted or reset (cascades.py) is refined. The permutations of one coordinate generate a group H. If it has
2^k elements, it has a chain of normal subgroups, each of index 2 in the one before and central in H modulo the one after. An element is k
bits: on which side of each subgroup it lies. Multiplied by another element, a bit is flipped or kept, as the bits before it say. The orbit
of H that a value belongs to changes by resets alone, and takes bits of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import MOST_STATES, Cascade, Change, Coordinate, Seen, Values, permutation_or_reset, serial
from separatrix.tasks.languages.periods import TooLarge

ATTEMPTS = 60  # at other cascades, if a group is met that is not a 2-group
LARGEST = 256  # elements of a group
KEPT, FLIPPED = (0, 1), (1, 0)


def flip_or_reset(automaton: Automaton) -> Cascade:
    """The refined cascade; BadInput where each that was tried has a group that is not a 2-group, which another one may not have."""
    for seed in range(ATTEMPTS):
        coarse = serial(permutation_or_reset(automaton, seed))
        with suppress(_OtherGroup):
            return _refined(coarse, [_Refined(coordinate) for (coordinate,) in coarse.layers])
    raise BadInput(f"expected a language whose groups are 2-groups of at most {LARGEST} elements: no cascade of flips and resets was found")


class _OtherGroup(Exception):
    """The permutations of a coordinate generate a group that is not a 2-group, or too large."""


def _refined(coarse: Cascade, refined: list[_Refined]) -> Cascade:
    automaton = coarse.automaton
    letters = range(len(automaton.alphabet))

    def value(bits: Values) -> Values:
        """The values of the coarse coordinates."""
        parts, at = [], 0
        for one in refined:
            parts.append(one.value_of[bits[at : at + one.bits]])
            at += one.bits
        return tuple(parts)

    def following(bits: Values, a: int) -> Values:
        values, after, at = value(bits), list[int](), 0
        for number, one in enumerate(refined):
            after += one.following(bits[at : at + one.bits], one.coordinate.changes[values[:number], a])
            at += one.bits
        return tuple(after)

    initial = tuple(bit for one in refined for bit in one.bits_of[one.coordinate.initial])
    changes: list[dict[Seen, Change]] = [{} for _ in initial]
    state_of, queue = {initial: coarse.state_of[value(initial)]}, [initial]
    for bits in queue:  # grows during the loop
        values = value(bits)
        for a in letters:
            at = 0
            for number, one in enumerate(refined):
                for j, change in enumerate(one.changes(bits[at : at + one.bits], one.coordinate.changes[values[:number], a])):
                    changes[at + j][bits[: at + j], a] = change
                at += one.bits
            after = following(bits, a)
            if after not in state_of:
                state_of[after] = coarse.state_of[value(after)]
                queue.append(after)
                if len(queue) > MOST_STATES:
                    raise TooLarge
    found = Cascade(automaton, tuple((Coordinate(2, initial[j], changes[j]),) for j in range(len(initial))), state_of)
    if not found.covers():
        raise AssertionError("a cascade of bits does not cover its automaton")
    return found


@dataclass(frozen=True)
class _Bits:
    """An element of a 2-group as bits: t_1^b_1 t_2^b_2 .., with t_j in the subgroup before the j-th and not in that one."""

    spelled: dict[Change, Values]

    @property
    def count(self) -> int:
        return len(next(iter(self.spelled.values())))


class _Refined:
    """One coordinate as bits: the orbit of its value first, then an element that leads to it from the first value of the orbit."""

    def __init__(self, coordinate: Coordinate) -> None:
        self.coordinate, kept = coordinate, tuple(range(coordinate.values))
        moves = sorted({change for change in coordinate.changes.values() if len({*change}) == coordinate.values > 1})
        group = _generated(moves, kept)
        self.group = _spelled(group, kept)
        self.element = {bits: g for g, bits in self.group.spelled.items()}
        orbits = sorted({tuple(sorted({g[q] for g in group})) for q in kept})
        self.orbit_bits = (len(orbits) - 1).bit_length()
        self.value_of: dict[Values, int] = {}
        self.bits_of: dict[int, Values] = {}
        for number, orbit in enumerate(orbits):
            name = tuple(number >> j & 1 for j in range(self.orbit_bits))
            for g, bits in self.group.spelled.items():
                self.value_of[(*name, *bits)] = g[orbit[0]]
                self.bits_of.setdefault(g[orbit[0]], (*name, *bits))

    @property
    def bits(self) -> int:
        return self.orbit_bits + self.group.count

    def following(self, bits: Values, change: Change) -> Values:
        """The bits after a change of the value."""
        if len({*change}) == 1:
            return self.bits_of[change[0]]
        g = self.element[bits[self.orbit_bits :]]
        return (*bits[: self.orbit_bits], *self.group.spelled[_then(g, change)])

    def changes(self, bits: Values, change: Change) -> Iterator[Change]:
        """What each bit does: a reset, or a flip that the bits before it decide."""
        after = self.following(bits, change)
        for before, bit in zip(bits, after, strict=True):
            yield (bit, bit) if len({*change}) == 1 else KEPT if before == bit else FLIPPED


def _then(g: Change, h: Change) -> Change:
    """The change that applies g and then h."""
    return tuple(h[q] for q in g)


def _generated(moves: list[Change], kept: Change) -> list[Change]:
    group, queue = {kept}, [kept]
    for g in queue:  # grows during the loop
        for move in moves:
            after = _then(g, move)
            if after not in group:
                group.add(after)
                queue.append(after)
        if len(group) > LARGEST:
            break
    if len(group) & (len(group) - 1) or len(group) > LARGEST:
        raise _OtherGroup
    return queue


def _spelled(group: list[Change], kept: Change) -> _Bits:
    """A chain of subgroups from below: each adds an element that commutes with all others, and whose square lies inside, modulo it."""
    chain, subgroup = list[Change](), {kept}
    inverse = {g: tuple(sorted(range(len(g)), key=lambda q, g=g: g[q])) for g in group}  # type: ignore[misc]
    while len(subgroup) < len(group):
        central = next(
            t
            for t in group
            if t not in subgroup
            and _then(t, t) in subgroup
            and all(_then(_then(inverse[t], inverse[h]), _then(t, h)) in subgroup for h in group)
        )
        chain.insert(0, central)
        subgroup |= {_then(central, g) for g in subgroup}
    spelled: dict[Change, Values] = {}
    for number in range(1 << len(chain)):
        bits, g = tuple(number >> j & 1 for j in range(len(chain))), kept
        for bit, t in zip(bits, chain, strict=True):
            g = _then(g, t) if bit else g
        spelled[g] = bits
    return _Bits(spelled)
