"""Nearest neighbour: a state for every choice of labels, if enough vectors lie gamma apart.

[bhattamishra2024 Theorem 8; proof G.1]
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.bounds.families.closed_form import TaskBounds
from separatrix.bounds.lower import CountedProfile, LowerBound, Precision, Witness, at_a_small_size, printed_width, state_bounds
from separatrix.tasks.nearest_neighbor import NearestNeighbor


def _further(task: NearestNeighbor, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    bits, cites = task.length // 2, "bhattamishra2024 Theorem 8"
    caveat = "If N/2 vectors are pairwise gamma apart, so that each can be queried; the theorem lets the dimension grow for that."
    witness = Witness("reduction from disjointness: Bob queries every label of Alice's set", CountedProfile(at_a_small_size(task)))
    exact, width = state_bounds(2**bits, 4**bits, precision.bits, "N / 2", cites, caveat, False, witness)
    yield exact
    yield printed_width(bits, "ceil(N / 2p)", cites, precision, width, caveat)


NEAREST_NEIGHBOR = TaskBounds(further=_further)
