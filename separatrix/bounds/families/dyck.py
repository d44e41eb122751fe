"""Bounded Dyck: few states for a recurrent model, many bits between odd and even places for one layer.

[bhattamishra2024 Lemma 1; bhattamishra2024 Lemma 4; bhattamishra2024 Remark 12]
[bhattamishra2024 Theorem 5; bhattamishra2024 Theorem 10]

Notation   N  brackets      n  types      k  depth      t  tokens read
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log2

from separatrix.architectures import Architecture, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.communication.dyck_split import split_words
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact
from separatrix.bounds.lower import FoolingInputs, LowerBound, OneLayerNeed, Precision, Witness, at_a_small_size, one_layer_bounds
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.dyck import Dyck


def dyck_profile(length: int, types: int = 2, depth: int = 2) -> StateProfile:
    """Balanced words of exactly N brackets of n types, never more than k open.

    [bhattamishra2024 Lemma 1; bhattamishra2024 Remark 12]

    After t tokens the stack holds d = t mod 2 brackets or 2, 4, .. more, at most k and at most what N - t tokens can close.
    """
    at_least("dyck", 1, "length", length)
    at_least("dyck", 1, "types", types)
    at_least("dyck", 1, "depth", depth)
    if length % 2:
        return exact([1] * (length + 1), "closed form: no balanced word has odd length, so every word is rejected")
    live = [sum(types**d for d in range(t % 2, min(t, depth, length - t) + 1, 2)) for t in range(length + 1)]
    return exact([count + (t > 0) for t, count in enumerate(live)], "closed form: stacks that can still be closed, and a dead state")


def dyck_widest(length: int, types: int = 2, depth: int = 2) -> tuple[int, int]:
    """The cut after k tokens, k of them open, which 2 k tokens already have."""
    return (max(dyck_profile(min(length, 2 * depth + length % 2), types, depth).classes),) * 2


def dyck_need(task: Dyck) -> OneLayerNeed | None:
    """Odd against even places: w words form a partial permutation matrix of rank w, and its complement has rank w + 1."""
    N, types = task.length, task.types
    if types < 2 or task.depth != 2:
        return None
    words = types ** (N // 2) * 2 ** (N // 2 - 1)
    caveat = "N even, depth 2; Alice holds the odd places. With a small error O(log N) bits are enough for the protocol."
    formula = "log2(n^(N/2) 2^(N/2) + 1) bits, N + 1 for n = 2"
    proof = "ranks of the matrix over odd and even places and of its complement; the words are a fooling set, for all bits but one"
    witness = Witness(proof, words_split_by_place(task))
    return OneLayerNeed(N, 2 * types, ceil_log2(2 * words + 1), formula, "bhattamishra2024 Theorem 5", caveat, True, witness)


def words_split_by_place(task: Dyck) -> FoolingInputs:
    """Every balanced word of depth at most 2, Alice holding the odd places."""
    small = at_a_small_size(task)
    assert isinstance(small, Dyck)
    inputs = tuple(
        small.read("".join(bracket for pair in zip(odd, even, strict=True) for bracket in pair))
        for odd, even in split_words(small.length, small.types)
    )
    return FoolingInputs(small, tuple(range(0, small.length, 2)), inputs)


def _one_transition(task: Dyck) -> LowerBound:
    states = sum(task.types**d for d in range(task.depth + 1)) + 1
    return LowerBound(
        Architecture.ONE_TRANSITION,
        Quantity.STATE_BITS,
        ceil_log2(states),
        "ceil(log2(sum_{d<=k} n^d + 1))",
        "bhattamishra2024 Lemma 4",
        True,
        f"For words of every length. The minimal complete automaton has {states} states, the sink included, not the paper's O(2^k).",
        False,
        Witness(f"Myhill and Nerode: some continuation separates any two of the {states} states of the minimal automaton"),
    )


def _printed(task: Dyck, precision: Precision, need: OneLayerNeed) -> Iterator[LowerBound]:
    N, p = task.length, precision.bits
    value, text = ceil((N - 1) / (3 * (p + log2(N)))), "ceil((N-1) / 3(p + log2 N)), as printed"
    note = "The printed steps add up to more bits than the constant; the repaired protocol proves the bound from width 4 on."
    for cites in ("bhattamishra2024 Theorem 5", "bhattamishra2024 Theorem 10"):
        yield LowerBound(
            Architecture.ONE_LAYER,
            Quantity.WIDTH_TIMES_HEADS_FROM_4,
            value,
            text,
            cites,
            False,
            f"{note} {need.caveat}",
            True,
            need.witness,
        )


def _further(task: Dyck, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield _one_transition(task)
    need = dyck_need(task)
    if need is not None:
        yield from one_layer_bounds(need, precision)
        yield from _printed(task, precision, need)


DYCK = TaskBounds(
    ClosedForm(
        "ceil(log2(sum of n^d over reachable depths d, plus 1)) bits",
        "bhattamishra2024 Remark 12",
        "Words of exactly N brackets and a transition that may depend on the step; one transition for all lengths needs sum_{d<=k} n^d + 1 "
        "states, a sink included.",
        lambda task: dyck_profile(task.length, task.types, task.depth),
        lambda task: dyck_widest(task.length, task.types, task.depth),
    ),
    _further,
)
