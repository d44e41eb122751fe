"""Ceilings in closed form: index lookup and equality over their own distributions, at any length.

[bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 11]

Notation   N  the task's length      s  symbols      b  bits of state      W = 2^b      e  share of wrong answers

Index lookup: N uniform symbols and a uniform position. Before the position comes, W states are W strings that one might reconstruct, and
the share of right answers is one minus the distance to the best of them, over N. Around any string lie C(N, d) (s-1)^d others at distance
d, so no W strings are closer on average than W full balls would be. For large N the same follows from Fano's inequality, as in the bound
on random access codes: b >= N (log2 s - h(e) - e log2(s-1)), which is the rate-distortion function of a uniform source.

Equality: with probability 1/2 the half is repeated, else both halves are drawn afresh. A state that g first halves share must take each of
the g for a repetition, so g (g-1) pairs are wrong. Equal groups are best, and remembering the first symbols makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log2, nextafter
from typing import Any

from separatrix.bounds.accuracy.ceiling import Ceiling, bounded, check_accuracy, check_bits, least_bits
from separatrix.bounds.accuracy.cut_ceilings import least_error
from separatrix.bounds.states.profile import ceil_log2
from separatrix.bounds.states.string_profiles import at_least, half_of
from separatrix.errors import BadInput

COVERED_BITS = 20_000  # up to N log2 s of this size balls are counted, beyond it Fano's inequality is used alone


def index_lookup_ceiling(length: int, symbols: int, state_bits: int) -> Ceiling:
    """The best accuracy of index lookup with b bits of state.

    [bhattamishra2024 Theorem 3]
    """
    N, s, b = length, symbols, state_bits
    at_least("index-lookup", 1, "length", N)
    at_least("index-lookup", 1, "symbols", s)
    check_bits(b)
    if b >= ceil_log2(s**N):
        return Ceiling(1.0, b, "exact: all symbols fit into the state", 1.0)
    fano = 1 - least_error(log2(s) - b / N, s)
    found = [(fano, "Fano's inequality before the index")]
    if N * log2(s) <= COVERED_BITS:
        found.append((_balls(N, s, b), "balls around 2^b strings before the index"))
    if 2**b < s:
        found.append((2**b / s, "at most 2^b answers after the index"))
    accuracy, argument = min(found)
    return bounded(accuracy, b, argument, float(_remembered(N, s, b)))


def _balls(N: int, s: int, b: int) -> float:
    """The average share of right symbols if all strings lay in W balls around reconstructions, filled from the middle."""
    left, right, shell = s**N, 0, 2**b  # shell: W strings times C(N, d) (s-1)^d
    for d in range(N + 1):
        taken = min(left, shell)
        left, right = left - taken, right + taken * (N - d)
        if not left:
            break
        shell = shell * (N - d) * (s - 1) // (d + 1)
    return _rounded_up(Fraction(right, N * s**N))


def _remembered(N: int, s: int, b: int) -> Fraction:
    """What a machine attains that keeps the first k symbols, as much of the next one as fits, and guesses the rest."""
    k = _kept(s, 2**b)
    groups = 2**b // s**k
    return (k + Fraction(groups, s) + Fraction(N - k - 1, s)) / N


def _kept(s: int, W: int) -> int:
    """How many symbols W states hold: the largest k with s^k <= W."""
    k = int((W.bit_length() - 1) / log2(s))  # near enough to correct by a few steps
    while s ** (k + 1) <= W:
        k += 1
    while s**k > W:
        k -= 1
    return k


def equality_ceiling(length: int, symbols: int, state_bits: int) -> Ceiling:
    """The best accuracy of equality with b bits of state, half of the inputs being repetitions.

    [bhattamishra2024 Theorem 11]
    """
    h, s, W = half_of("equality", length), symbols, 2**state_bits
    at_least("equality", 2, "symbols", s)
    check_bits(state_bits)
    S = s**h
    if W >= S:
        return Ceiling(1.0, state_bits, "exact: all of the first half fits into the state", 1.0)
    if W == 1:  # one state gives one answer; a repetition is the likelier input, afresh halves being equal at times
        return Ceiling(float(Fraction(S + 1, 2 * S)), 0, "exact: one answer for all", float(Fraction(S + 1, 2 * S)))
    size, more = divmod(S, W)
    best = 1 - Fraction(more * (size + 1) * size + (W - more) * size * (size - 1), 2 * S * S)
    k = _kept(s, W)
    kept = 1 - (Fraction(1, s**k) - Fraction(1, S)) / 2 if k else None
    ceiling = _rounded_up(best)
    attained = None if kept is None else ceiling if kept == best else float(kept)
    return bounded(ceiling, state_bits, "equal groups of first halves", attained)


def ceiling_form(task: str, parameters: Mapping[str, Any], state_bits: int | None = None, accuracy: float | None = None) -> Ceiling | None:
    """The closed form of a task's ceiling, for b bits or for an accuracy; None where there is none.

    Only for evaluation: in training the lengths vary.
    """
    if (state_bits is None) == (accuracy is None):
        raise BadInput("a ceiling needs either state bits or an accuracy, and not both")
    forms = {"index-lookup": (index_lookup_ceiling, 64, 1), "equality": (equality_ceiling, 2, 2), "eq-random": (equality_ceiling, 2, 2)}
    if task not in forms or parameters.get("distribution", "evaluation") != "evaluation":
        return None
    form, usual, parts = forms[task]
    N, s = int(parameters["length"]), int(parameters.get("symbols", usual))
    if state_bits is not None:
        return form(N, s, state_bits)
    assert accuracy is not None
    check_accuracy(accuracy)
    enough = ceil_log2(s ** (N // parts))
    if accuracy == 1:  # no error at all: a floating-point ceiling rounds to 1 long before
        return form(N, s, enough)
    return least_bits(lambda b: form(N, s, b), accuracy, enough)


def _rounded_up(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, 2.0)
