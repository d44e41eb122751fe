"""Equality over a partition: a state for what is known of every pair of which one place was read; and the protocol that one layer is.

[bhattamishra2024 Lemma 5; proof F.4] [bhattamishra2024 Theorem 12; with the places renamed]

Notation   N  symbols      s  alphabet size      o(t)  pairs of which the first t places hold exactly one

After t symbols two prefixes without a difference so far must be told apart if they differ at one of the o(t) places whose partner is still
to come: s^o(t) states, and one more for 'already different' once a pair is complete. Over the partition itself equality is the identity
matrix of s^(N/2) strings, whichever the places are: so one layer needs what it needs for equality (Theorem 12), and two layers do not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from separatrix.bits import ceil_log2
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact, listable
from separatrix.bounds.families.equality import WITHOUT_COINS
from separatrix.bounds.lower import FoolingInputs, LowerBound, OneLayerNeed, Precision, Witness, at_a_small_size, one_layer_bounds
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.partition_equality import PartitionEquality


def classes(task: PartitionEquality) -> list[int]:
    """The states after 0, 1, .., N symbols."""
    return [task.symbols**opened + closed for opened, closed in cuts(task)]


def cuts(task: PartitionEquality) -> list[tuple[int, bool]]:
    """After 0, 1, .., N symbols: how many pairs have one of their places read, and whether a pair has both."""
    partner = {place: other for pair in task.pairs for place, other in (pair, pair[::-1])}
    found, opened, closed = [(0, False)], 0, False
    for t in range(1, task.length + 1):
        second = partner[t] < t
        opened, closed = opened + (-1 if second else 1), closed or second
        found.append((opened, closed))
    return found


def most_states(task: PartitionEquality) -> int:
    """The states at the widest cut."""
    opened, closed = max(cuts(task))
    return int(task.symbols**opened + closed)


def partition_profile(task: PartitionEquality) -> StateProfile:
    """A state for each content of the open pairs, and one for inputs that differ already."""
    listable(task.name, task.length, task.length // 2 * ceil_log2(task.symbols))
    return exact(classes(task), "closed form: s^(open pairs), and one state more once a pair is complete")


def need(task: PartitionEquality) -> OneLayerNeed:
    """The identity matrix of s^(N/2) strings, for the parties that hold the two sets of places."""
    N, s = task.length, task.symbols
    caveat = "N even; Alice holds one half of the pairs' places; random value weights with a small error beat it."
    witness = Witness("rank of the identity matrix and of its complement; the equal pairs are a fooling set", equal_pairs(task))
    return OneLayerNeed(N, s, 1 + ceil_log2(s ** (N // 2)), "N/2 log2 s + 1 bits", "bhattamishra2024 Theorem 12", caveat, True, witness)


def equal_pairs(task: PartitionEquality) -> FoolingInputs:
    """Every string of one set repeated at the other; Alice holds the first place of each pair."""
    small = at_a_small_size(task)
    assert isinstance(small, PartitionEquality)
    inputs = []
    for word in itertools.product(range(small.symbols), repeat=small.length // 2):
        row = [0] * small.length
        for symbol, (a, b) in zip(word, small.pairs, strict=True):
            row[a - 1] = row[b - 1] = symbol
        inputs.append(tuple(row))
    return FoolingInputs(small, tuple(sorted(a - 1 for a, _ in small.pairs)), tuple(inputs))


def _one_layer(task: PartitionEquality, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    return one_layer_bounds(need(task), precision)


PARTITION_EQUALITY = TaskBounds(
    ClosedForm(
        "ceil(log2(s^o + 1)) bits, o the most pairs open at once",
        "bhattamishra2024 Theorem 2",
        WITHOUT_COINS,
        partition_profile,
        lambda task: (most_states(task),) * 2,
        deterministic_only=True,
    ),
    _one_layer,
)
