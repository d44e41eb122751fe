"""Groups of permutations: their order and derived series, by a base and strong generators, without listing the elements.

    (1 2 3), (1 2)    S3: 6 elements, derived series 6, 3, 1: solvable in two steps

A permutation is the tuple of images of 0 .. n - 1; products read from left to right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod

from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton, minimal, numbered

Permutation = tuple[int, ...]

MOST_POINTS = 1000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class PermutationGroup:
    """The group that some permutations of the same points generate."""

    degree: int
    generators: tuple[Permutation, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.degree <= MOST_POINTS:
            raise BadInput(f"group: expected 1 to {MOST_POINTS} points, found {self.degree}")
        for g in self.generators:
            if len(g) != self.degree:
                raise BadInput(f"group: expected permutations of the same degree, found degrees {self.degree} and {len(g)}")
            if sorted(g) != list(range(self.degree)):
                raise BadInput(f"group: expected a permutation of 1 .. {self.degree}, found {[q + 1 for q in g]}")

    @cached_property
    def _chain(self) -> list[_Level]:
        chain: list[_Level] = []
        for g in self.generators:
            _insert(chain, g, 0, self.degree)
        return chain

    @property
    def order(self) -> int:
        """How many elements it has."""
        return prod(len(level.reached) for level in self._chain)

    def has(self, g: Permutation) -> bool:
        """Whether a permutation is one of its elements."""
        return _sifted(self._chain, g, 0)[0] == tuple(range(self.degree))

    @property
    def transitive(self) -> bool:
        """Whether some element takes any point to any other."""
        reached = {0}
        queue = [0]
        for q in queue:  # grows during the loop
            for g in self.generators:
                if g[q] not in reached:
                    reached.add(g[q])
                    queue.append(g[q])
        return len(reached) == self.degree

    @cached_property
    def derived(self) -> PermutationGroup:
        """The subgroup of commutators: the least one that holds those of generators and that all generators leave in place."""
        chain: list[_Level] = []
        identity = tuple(range(self.degree))
        queue = [times(times(inverse(a), inverse(b)), times(a, b)) for a in self.generators for b in self.generators]
        found: list[Permutation] = []
        for g in queue:  # grows during the loop
            if _sifted(chain, g, 0)[0] != identity:
                _insert(chain, g, 0, self.degree)
                found.append(g)
                queue += [times(times(inverse(a), g), a) for a in self.generators]
        return PermutationGroup(self.degree, tuple(found))

    @property
    def derived_orders(self) -> tuple[int, ...]:
        """The orders of the derived series, down to 1 or to a group that equals its own commutators."""
        orders, group = [self.order], self
        while orders[-1] > 1:
            group = group.derived
            orders.append(group.order)
            if orders[-1] == orders[-2]:
                break
        return tuple(orders)

    @property
    def solvable(self) -> bool:
        """Whether its derived series ends at 1."""
        return self.derived_orders[-1] == 1

    def automaton(self) -> Automaton:
        """Words of generators that lead the first point back to itself. Where the group is transitive, its monoid is the group."""
        if not self.transitive:
            raise BadInput("group: expected a transitive group, in which some element takes any point to any other")
        if not 1 <= len(self.generators) <= len(LETTERS):
            raise BadInput(f"group: expected 1 to {len(LETTERS)} generators, found {len(self.generators)}")
        rows = {q: tuple(g[q] for g in self.generators) for q in range(self.degree)}
        return minimal(numbered(tuple(LETTERS[: len(self.generators)]), rows, 0, {0}))


def times(x: Permutation, y: Permutation) -> Permutation:
    """The product of two permutations: first x, then y."""
    return tuple(y[q] for q in x)


def inverse(x: Permutation) -> Permutation:
    """The permutation that undoes x."""
    back = [0] * len(x)
    for q, r in enumerate(x):
        back[r] = q
    return tuple(back)


def from_images(images: Iterable[Iterable[int]]) -> PermutationGroup:
    """The group of permutations given by images of 1 .. n, as people write them."""
    listed = [tuple(image) for image in images]
    if not listed or not all(type(q) is int for image in listed for q in image):
        raise BadInput("group: expected lists of images of 1 .. n, such as [[2, 3, 1], [2, 1, 3]]")
    return PermutationGroup(len(listed[0]), tuple(tuple(q - 1 for q in image) for image in listed))


class _Level:
    """One step of the chain of stabilisers: a point, generators that fix all points before, and how its orbit is reached."""

    def __init__(self, point: int, degree: int) -> None:
        self.point = point
        self.generators: list[Permutation] = []
        self.reached: dict[int, Permutation] = {point: tuple(range(degree))}


def _sifted(chain: list[_Level], g: Permutation, first: int) -> tuple[Permutation, int]:
    """What is left of g after the elements of the chain took away what they could, and the level where it got stuck."""
    for number in range(first, len(chain)):
        level = chain[number]
        target = g[level.point]
        if target not in level.reached:
            return g, number
        g = times(g, inverse(level.reached[target]))
    return g, len(chain)


def _insert(chain: list[_Level], g: Permutation, first: int, degree: int) -> None:
    """Extend the chain from a level on so that it holds g, which fixes the points before."""
    identity = tuple(range(degree))
    left, number = _sifted(chain, g, first)
    if left == identity:
        return
    if number == len(chain):
        chain.append(_Level(next(q for q in range(degree) if left[q] != q), degree))
    for at in range(first, number + 1):
        chain[at].generators.append(left)
    for at in range(number, first - 1, -1):
        _close(chain, at, degree)


def _close(chain: list[_Level], at: int, degree: int) -> None:
    """Complete the orbit of a level, and insert below it every product that must fix its point (Schreier)."""
    level = chain[at]
    queue = list(level.reached)
    for q in queue:  # grows during the loop
        for g in level.generators:
            if g[q] not in level.reached:
                level.reached[g[q]] = times(level.reached[q], g)
                queue.append(g[q])
    for q in list(level.reached):
        for g in list(level.generators):
            loop = times(times(level.reached[q], g), inverse(level.reached[g[q]]))
            _insert(chain, loop, at + 1, degree)
