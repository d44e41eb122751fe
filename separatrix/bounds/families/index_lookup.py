"""Index lookup: a state for every string of N symbols.

[bhattamishra2024 Theorem 3; proof C.1]

Notation   N  symbols before the index      s  alphabet size      b  bits of state      W = 2^b      e  share of wrong answers

Ceiling: N uniform symbols and a uniform position. Before the position arrives, W states are W strings to reconstruct, and the share of
right answers is one minus the distance to the best of them, over N. Around any string lie C(N, d) (s-1)^d others at distance
d, so no W strings are closer on average than W full balls would be. For large N the same follows from Fano's inequality, as in the bound
on random access codes: b >= N (log2 s - h(e) - e log2(s-1)), which is the rate-distortion function of a uniform source.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log2

from separatrix.bits import ceil_log2
from separatrix.bounds.accuracy.ceiling import Ceiling, bounded, check_bits, least_error, rounded_up, symbols_that_fit
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact, listable
from separatrix.bounds.lower import LowerBound, Precision, printed_width
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.index_lookup import IndexLookup

COVERED_BITS = 20_000  # up to this N log2 s balls are counted; beyond it only Fano's inequality is used


def index_lookup_profile(length: int, symbols: int = 64) -> StateProfile:
    """N symbols, then a position.

    [bhattamishra2024 Theorem 3; proof C.1]
    """
    _check(length, symbols)
    listable("index-lookup", length, length * ceil_log2(symbols))
    return exact([symbols**t for t in range(length + 1)] + [symbols], "closed form: s^t, then s")


def index_lookup_widest(length: int, symbols: int = 64) -> tuple[int, int]:
    """The cut before the index."""
    _check(length, symbols)
    return (symbols**length,) * 2


def index_lookup_ceiling(length: int, symbols: int, state_bits: int) -> Ceiling:
    """The best accuracy of index lookup with b bits of state.

    [bhattamishra2024 Theorem 3]
    """
    N, s, b = length, symbols, state_bits
    _check(N, s)
    check_bits(b)
    if b >= ceil_log2(s**N):
        return Ceiling(1.0, b, "exact: all symbols fit into the state", 1.0)
    fano = 1 - least_error(log2(s) - b / N, s)
    arguments = [(fano, "Fano's inequality before the index")]
    if N * log2(s) <= COVERED_BITS:
        arguments.append((_balls(N, s, b), "counting the strings that 2^b states can stand for"))
    if 2**b < s:
        arguments.append((2**b / s, "at most 2^b answers after the index"))
    accuracy, argument = min(arguments)
    return bounded(accuracy, b, argument, float(_remembered(N, s, b)))


def _balls(N: int, s: int, b: int) -> float:
    """The average share of right symbols if each string had one of W reconstructions, and as many as can be were close to one."""
    left, right, shell = s**N, 0, 2**b  # shell: W strings times C(N, d) (s-1)^d
    for d in range(N + 1):
        taken = min(left, shell)
        left, right = left - taken, right + taken * (N - d)
        if not left:
            break
        shell = shell * (N - d) * (s - 1) // (d + 1)
    return rounded_up(Fraction(right, N * s**N))


def _remembered(N: int, s: int, b: int) -> Fraction:
    """The accuracy of a machine that stores the first k symbols, as much of the next one as fits, and guesses the rest."""
    k = symbols_that_fit(s, 2**b)
    groups = 2**b // s**k
    return (k + Fraction(groups, s) + Fraction(N - k - 1, s)) / N


def _check(length: int, symbols: int) -> None:
    at_least("index-lookup", 1, "length", length)
    at_least("index-lookup", 1, "symbols", symbols)


def _further(task: IndexLookup, precision: Precision, rows: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield printed_width(task.length, "ceil(N / p)", "bhattamishra2024 Theorem 3", precision, rows[1])


def _ceiling(task: IndexLookup, state_bits: int) -> Ceiling | None:
    """Only for the evaluation distribution: in training the lengths vary."""
    return index_lookup_ceiling(task.length, task.symbols, state_bits) if task.distribution == "evaluation" else None


INDEX_LOOKUP = TaskBounds(
    ClosedForm(
        "ceil(N log2 s) bits",
        "bhattamishra2024 Theorem 3",
        "The paper's N bits are the case of two symbols. Exactly N symbols before the index; zero error on every input.",
        lambda task: index_lookup_profile(task.length, task.symbols),
        lambda task: index_lookup_widest(task.length, task.symbols),
    ),
    _further,
    _ceiling,
)
