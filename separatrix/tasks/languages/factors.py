"""Letters as products of factors I - a b^T on one-hot states: how many an automaton needs a token, and which.

    swap(i, j)     I - (e_i - e_j)(e_i - e_j)^T     a reflection, as in DeltaProduct
    merge(i, j)    I - (e_i - e_j) e_i^T            what was at i is at j: not symmetric

On one-hot states a letter f of N states needs exactly N - c(f) of them, where c counts the weakly connected parts of q -> f(q): a factor
joins at most two parts, and a part of m states with its one cycle is done by m - 1: the cycle by swaps, then each state outside it is
merged into the place of its image, the nearest to the cycle first.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from separatrix.tasks.languages.automata import Automaton


@dataclass(frozen=True)
class Factor:
    """One factor, applied to a column of states."""

    kind: Literal["swap", "merge"]
    i: int
    j: int

    def moved(self, q: int) -> int:
        """The place of what was at place q."""
        if self.kind == "swap":
            return {self.i: self.j, self.j: self.i}.get(q, q)
        return self.j if q == self.i else q


def factors(image: tuple[int, ...]) -> tuple[Factor, ...]:
    """Fewest factors whose product, the first applied first, takes each place q to image[q]."""
    found: list[Factor] = []
    settled: set[int] = set()
    for cycle in _cycles(image):
        settled |= {*cycle}
        found += [Factor("swap", one, other) for one, other in pairwise(cycle)][::-1]
    while len(settled) < len(image):
        nearest = [q for q in range(len(image)) if q not in settled and image[q] in settled]
        found += [Factor("merge", q, image[q]) for q in nearest]
        settled |= {*nearest}
    return tuple(found)


def factors_per_token(automaton: Automaton) -> int:
    """The most factors that a letter needs, with one place for each state."""
    return max(len(factors(image)) for image in zip(*automaton.moves, strict=True))


def _cycles(image: tuple[int, ...]) -> list[list[int]]:
    """The cycles of q -> image[q], fixed points among them."""
    met: set[int] = set()
    cycles = []
    for start in range(len(image)):
        path, q = [], start
        while q not in met:
            met.add(q)
            path.append(q)
            q = image[q]
        if q in path:
            cycles.append(path[path.index(q) :])
    return cycles
