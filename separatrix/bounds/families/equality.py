"""Equality, with a separator or without, as recognition and as repetition: a state for every first half.

[bhattamishra2024 Theorem 11; proof F.1] [bhattamishra2024 Theorem 12] [bhattamishra2024 Remark 5]

Notation   N  symbols of both halves      h  N/2      s  alphabet size      b  bits of state      W = 2^b

Ceiling: with probability 1/2 the half is repeated, else both halves are drawn afresh. A state shared by g first halves must accept each of
them as a repetition, so g (g-1) pairs are wrong. Equal groups are best, and remembering the first symbols gives equal groups.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from separatrix.bits import ceil_log2
from separatrix.bounds.accuracy.ceiling import Ceiling, bounded, check_bits, rounded_up, symbols_that_fit
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact, half_of, listable
from separatrix.bounds.lower import (
    FoolingInputs,
    LowerBound,
    OneLayerNeed,
    Precision,
    Witness,
    at_a_small_size,
    one_layer_bounds,
    printed_width,
)
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks import Task
from separatrix.tasks.equality import EqNcp, EqRandom, Equality, Halves
from separatrix.tasks.index_lookup import IndexLookup

WITHOUT_COINS = "N even; deterministic models only: with random bits and a small error O(log N) bits are enough."


def equality_profile(length: int, symbols: int = 2, separator: bool = False) -> StateProfile:
    """Two halves that are equal or not; with a separator token between them or without.

    [bhattamishra2024 Theorem 11; proof F.1]
    """
    half = _half(length, symbols)
    first = [symbols**t for t in range(half + 1)]
    second = [symbols ** (half - j) + 1 for j in range(1, half + 1)]  # the rest of the first half, or 'already different'
    between = [symbols**half] if separator else []
    return exact(first + between + second, "closed form: s^t up to the middle, then s^(N-t) + 1")


def repetition_profile(length: int, symbols: int = 2) -> StateProfile:
    """A half, a separator, and the half again, each symbol predicted before it is read.

    Two halves that differ for the first time at place i lead to two answers after the same i - 1 symbols, so no two may share a state
    while place i is still to be predicted.
    """
    half = _half(length, symbols)
    first = [symbols**t for t in range(half + 1)]
    rest = [symbols ** (half - j) for j in range(half + 1)]  # after the separator, and after j predicted symbols
    return exact(first + rest, "closed form: s^t up to the middle, then s^r with r symbols still to be predicted")


def equality_widest(length: int, symbols: int = 2) -> tuple[int, int]:
    """Where most states are needed: between the two halves."""
    half = half_of("equality", length)
    at_least("equality", 2, "symbols", symbols)
    return (symbols**half,) * 2


def equality_ceiling(length: int, symbols: int, state_bits: int) -> Ceiling:
    """The best accuracy of equality with b bits of state, half of the inputs being repetitions.

    [bhattamishra2024 Theorem 11]
    """
    h, s, W = half_of("equality", length), symbols, 2**state_bits
    at_least("equality", 2, "symbols", s)
    check_bits(state_bits)
    S = s**h
    if W >= S:
        return Ceiling(1.0, state_bits, "exact: the whole first half fits into the state", 1.0)
    if W == 1:  # one state gives one answer; repetitions are likelier, because fresh halves are sometimes equal
        return Ceiling(float(Fraction(S + 1, 2 * S)), 0, "exact: one answer for all inputs", float(Fraction(S + 1, 2 * S)))
    size, more = divmod(S, W)
    best = 1 - Fraction(more * (size + 1) * size + (W - more) * size * (size - 1), 2 * S * S)
    k = symbols_that_fit(s, W)
    remembered = 1 - (Fraction(1, s**k) - Fraction(1, S)) / 2 if k else None
    ceiling = rounded_up(best)
    attained = None if remembered is None else ceiling if remembered == best else float(remembered)
    return bounded(ceiling, state_bits, "equal groups of first halves", attained)


def equality_need(task: Halves) -> OneLayerNeed:
    """The identity matrix of s^h strings, and its complement of the same rank; with a separator one more token and one more id."""
    N, s = task.length, task.symbols
    caveat = "N even; random value weights with a small error beat it. 'm p H = Omega(N)' needs p = Omega(log N)."
    bits, gap = 1 + ceil_log2(s ** (N // 2)), int(task.separated)
    witness = Witness("rank of the identity matrix and of its complement; the equal pairs are a fooling set", equal_pairs(task))
    return OneLayerNeed(N + gap, s + gap, bits, "N/2 log2 s + 1 bits", "bhattamishra2024 Theorem 12", caveat, True, witness)


def equal_pairs(task: Halves) -> FoolingInputs:
    """Every half repeated; Alice holds the first half."""
    small = at_a_small_size(task)
    assert isinstance(small, Halves)
    half, between = small.length // 2, (small.symbols,) * small.separated
    inputs = tuple((*word, *between, *word) for word in itertools.product(range(small.symbols), repeat=half))
    return FoolingInputs(small, tuple(range(half)), inputs)


def _half(length: int, symbols: int) -> int:
    half = half_of("equality", length)
    at_least("equality", 2, "symbols", symbols)
    listable("equality", length, half * ceil_log2(symbols))
    return half


def _one_layer(task: Halves, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    return one_layer_bounds(equality_need(task), precision)


def _further(task: Equality, precision: Precision, rows: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield printed_width(task.length // 2, "ceil(N / 2p)", "bhattamishra2024 Theorem 11", precision, rows[1])
    yield from one_layer_bounds(equality_need(task), precision)


def _ceiling(task: Equality | EqRandom, state_bits: int) -> Ceiling | None:
    """Only for the evaluation distribution: in training the lengths vary."""
    varies = isinstance(task, EqRandom) and task.distribution != "evaluation"
    return None if varies else equality_ceiling(task.length, task.symbols, state_bits)


def _as_index_lookup(task: EqNcp) -> Task:
    """A model that repeats the half, with its predictions fed back, answers for any place of it: index lookup."""
    return at_a_small_size(IndexLookup(task.length // 2, task.symbols))


FORM = ClosedForm(
    "ceil(N/2 log2 s) bits",
    "bhattamishra2024 Theorem 11",
    WITHOUT_COINS,
    lambda task: equality_profile(task.length, task.symbols, task.separated),
    lambda task: equality_widest(task.length, task.symbols),
    deterministic_only=True,
)
EQUALITY = TaskBounds(FORM, _further, _ceiling)
EQ_RANDOM = TaskBounds(FORM, _one_layer, _ceiling)
EQ_ONE = TaskBounds(
    replace(FORM, caveat=f"{WITHOUT_COINS} For every pair of halves, although in the examples halves differ in at most one place."),
    _one_layer,
)
EQ_NCP = TaskBounds(
    ClosedForm(
        "ceil(N/2 log2 s) bits",
        "bhattamishra2024 Theorem 2",
        "N even. At the separator the whole half is still to be predicted; random bits do not help.",
        lambda task: repetition_profile(task.length, task.symbols),
        lambda task: equality_widest(task.length, task.symbols),
        counted_as=_as_index_lookup,
    )
)
