"""The groups inside a finite monoid, and whether all of them are solvable.

The word problem of a group that is not solvable, such as that of S5, is complete for logarithmic depth (Barrington 1989); star-free
languages have no group but the trivial one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from separatrix.bounds.languages.monoid import Monoid

Map = tuple[int, ...]  # an element: the state that each state goes to
LARGEST = 2000  # elements of a group whose commutators are listed


def solvable(monoid: Monoid) -> bool | None:
    """Whether every group in the monoid is solvable; None if one is too large to say.

    The elements whose powers end in one idempotent e, and that e leaves as they are, form the largest group around e.
    """
    elements = [tuple(row) for row in monoid.maps.tolist()]
    around: dict[Map, set[Map]] = defaultdict(set)
    for x in elements:
        e = idempotent_power(x)
        if times(x, e) == x:
            around[e].add(x)
    verdicts = [_solvable(group, e) for e, group in around.items() if len(group) > 1]
    return False if False in verdicts else None if None in verdicts else True


def times(x: Map, y: Map) -> Map:
    """The product of two permutations: first x, then y."""
    return tuple(y[q] for q in x)


def idempotent_power(x: Map) -> Map:
    """The power of x that equals its own square."""
    power = x
    while times(power, power) != power:
        power = times(power, x)
    return power


def _solvable(group: set[Map], identity: Map) -> bool | None:
    """Commutators of commutators of .. end at the identity."""
    while len(group) > 1:
        if len(group) > LARGEST:
            return None
        inverse = {x: _inverse(x, identity) for x in group}
        commutators = {times(times(x, y), times(inverse[x], inverse[y])) for x in group for y in group}
        smaller = _generated(commutators, identity)
        if len(smaller) == len(group):
            return False
        group = smaller
    return True


def _inverse(x: Map, identity: Map) -> Map:
    """The power of x before the one that is the identity."""
    before, power = identity, x
    while power != identity:
        before, power = power, times(power, x)
    return before


def _generated(generators: Iterable[Map], identity: Map) -> set[Map]:
    """Everything that products of the generators give."""
    group, generating = {identity}, list(generators)
    queue = [identity]
    for x in queue:  # grows during the loop
        for g in generating:
            y = times(x, g)
            if y not in group:
                group.add(y)
                queue.append(y)
    return group
