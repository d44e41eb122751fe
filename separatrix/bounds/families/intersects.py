"""Intersection of two sets: a state for every first set, and every set against its complement.

[bhattamishra2024 Fact 1]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, half_of
from separatrix.bounds.families.equality import equality_profile, equality_widest
from separatrix.bounds.lower import FoolingInputs, LowerBound, OneLayerNeed, Precision, Witness, at_a_small_size, one_layer_bounds
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.intersects import Intersects

ZERO_ERROR = "N even; the exact count is for zero error, but a constant error still needs a linear number of bits."


def intersects_profile(length: int, separator: bool = False) -> StateProfile:
    """Two sets that meet or not: the profile of equality over two symbols, with 'already met' in place of 'already different'.

    [bhattamishra2024 Fact 1]
    """
    half_of("intersects", length)
    return equality_profile(length, 2, separator)


def intersects_need(task: Intersects) -> OneLayerNeed:
    """A set and its complement: 2^(N/2) fooling inputs, and one more answer."""
    N = task.length
    witness = Witness("the pairs (set, complement) are a fooling set", complement_pairs(task))
    return OneLayerNeed(N, 2, N // 2 + 1, "N/2 + 1 bits", "bhattamishra2024 Fact 1", ZERO_ERROR, False, witness)


def complement_pairs(task: Intersects) -> FoolingInputs:
    """Every set with its complement; Alice holds the first set."""
    small = at_a_small_size(task)
    half = small.length // 2
    inputs = tuple((*bits, *(1 - bit for bit in bits)) for bits in itertools.product((0, 1), repeat=half))
    return FoolingInputs(small, tuple(range(half)), inputs)


def _further(task: Intersects, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    return one_layer_bounds(intersects_need(task), precision)


INTERSECTS = TaskBounds(
    ClosedForm(
        "N/2 bits",
        "bhattamishra2024 Fact 1",
        ZERO_ERROR,
        lambda task: intersects_profile(task.length),
        lambda task: equality_widest(task.length),
    ),
    _further,
)
