"""Nearest neighbour: at least as hard as associative recall among keys that lie gamma apart.

[bhattamishra2024 Theorem 8; proof G.1]

A vector can be asked for only if it lies gamma apart from every other one of the prompt: cost is a metric, and the nearest leads by gamma.
So the keys of recall are vectors that lie gamma apart in pairs; as many as the grid holds are found greedily, and if the prompt is longer,
one more of them is repeated in front. The theorem lets the dimension grow so that there are N/2; at a fixed one there may be fewer.

Notation   N  vectors with the query      n  keys
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from separatrix.bounds.families.closed_form import TaskBounds
from separatrix.bounds.lower import CountedProfile, LowerBound, Precision, Witness, at_a_small_size, printed_width, state_bounds
from separatrix.tasks.nearest_neighbor import NearestNeighbor

CITES = "bhattamishra2024 Theorem 8"


@cache
def keys_apart(weights: tuple[int, ...], steps: int, most: int) -> tuple[int, ...]:
    """Vectors of the grid that lie `steps` apart in pairs, by cost, found greedily; at most so many."""
    every = np.arange(1 << len(weights))
    cost = sum((every >> i & 1) * w * w for i, w in enumerate(weights))
    assert isinstance(cost, np.ndarray)
    chosen: list[int] = []
    free = np.ones(len(every), dtype=bool)
    while free.any() and len(chosen) < most:
        chosen.append(int(free.argmax()))
        free &= cost[every ^ chosen[-1]] >= steps
    return tuple(chosen)


def recall_keys(task: NearestNeighbor) -> int:
    """How many vectors can be asked for among N - 1: all of them, or all but one of those that lie apart."""
    apart = len(keys_apart(task.weights, task.steps, task.length))
    return task.length - 1 if apart >= task.length - 1 else max(1, apart - 1)


def _further(task: NearestNeighbor, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    n = recall_keys(task)
    states = max(n, task.labels) * task.labels ** (n - 1)
    formula = f"ceil(log2(max(n, 2) 2^(n-1))) bits with n = {n}, keys that lie gamma apart: associative recall among them"
    caveat = "The keys were found greedily, so that more may be needed." if n < task.length - 1 else "Every vector can be asked for."
    witness = Witness("reduction from associative recall among vectors that lie gamma apart", CountedProfile(at_a_small_size(task)))
    exact, width = state_bounds(states, states * states, precision.bits, formula, CITES, caveat, False, witness)
    yield exact
    yield width
    if n >= task.length // 2:  # as the theorem assumes
        yield printed_width(task.length // 2, "ceil(N / 2p)", CITES, precision, width, caveat)


NEAREST_NEIGHBOR = TaskBounds(further=_further)
