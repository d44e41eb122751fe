"""State profiles that need no count: one formula per task, with what the formula leaves out.

[bhattamishra2024 Theorem 3; bhattamishra2024 Proposition 9; bhattamishra2024 Theorem 11]

Notation   N  the task's length      s  symbols      L  labels      K  symbols that keys are chosen from      t  tokens read
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

from separatrix.bounds.profile import StateProfile
from separatrix.errors import BadInput
from separatrix.parameters import typed


@dataclass(frozen=True)
class ClosedForm:
    """A task's profile as a function of its parameters, and the caveat of the theorem behind it."""

    task: str
    profile: Callable[..., StateProfile]
    formula: str
    cites: str
    caveat: str
    fixed: tuple[tuple[str, Any], ...] = ()  # arguments that the form of the task settles
    ignores: tuple[str, ...] = ()  # parameters of the task that choose examples and leave the function alone


def index_lookup_profile(length: int, symbols: int = 64) -> StateProfile:
    """N symbols, then a position.

    [bhattamishra2024 Theorem 3; proof C.1]
    """
    _at_least("index-lookup", 1, "length", length)
    _at_least("index-lookup", 1, "symbols", symbols)
    return _exact([symbols**t for t in range(length + 1)] + [symbols], "closed form: s^t, then s")


def equality_profile(length: int, symbols: int = 2, separator: bool = False) -> StateProfile:
    """Two halves that are equal or not; with a separator token between them or without.

    [bhattamishra2024 Theorem 11; proof F.1]
    """
    half = _half("equality", length)
    _at_least("equality", 2, "symbols", symbols)
    first = [symbols**t for t in range(half + 1)]
    second = [symbols ** (half - j) + 1 for j in range(1, half + 1)]  # what is left of the first half, or 'already different'
    between = [symbols**half] if separator else []
    return _exact(first + between + second, "closed form: s^t up to the middle, then s^(N-t) + 1")


def intersects_profile(length: int, separator: bool = False) -> StateProfile:
    """Two sets that meet or not: the profile of equality over two symbols, for 'already met' takes the place of 'already different'.

    [bhattamishra2024 Fact 1]
    """
    _half("intersects", length)
    return equality_profile(length, 2, separator)


def associative_recall_profile(length: int, symbols: int | None = None, labels: int = 2) -> StateProfile:
    """N distinct keys out of K symbols (2 N unless told) in any order, each followed by its label, then one of them as a query.

    [bhattamishra2024 Proposition 9; proof C.1]

    Lower: the labels of the i keys seen, and before a label which of the i + 1 keys is pending. Upper: a table of all K labels, unseen
    keys at label 0, and the pending key.
    """
    lower, upper = _pairs_read("associative-recall", length, 2 * length if symbols is None else symbols, labels)
    method = "closed form: (i+1) L^i before label i+1, L^i after label i; upper = a table of K labels and the pending key"
    return StateProfile((*lower, labels), (*upper, labels), method)


def mqar_profile(length: int, symbols: int | None = None, labels: int = 2) -> StateProfile:
    """N/2 distinct keys out of K symbols (N unless told) with their labels, then all of them as queries, each but the last with its label.

    [bhattamishra2024 Theorem 8; proof G.1]

    A label is due at every query. While queries come in, the labels of the keys not yet asked must be kept: L^r for r of them, and the
    one that is due now counts too. Upper: the table of labels, a key's entry back at 0 once it was asked.
    """
    n = _half("mqar", length)
    K = length if symbols is None else symbols
    lower, upper = _pairs_read("mqar", n, K, labels)
    for asked in range(n):
        due, after = n - asked, n - asked - 1
        lower += [labels**due] + ([labels**after] if after else [])
        upper += [labels * _tables(K, after, labels)] + ([_tables(K, after, labels)] if after else [])
    method = "closed form: (i+1) L^i before label i+1, L^i after label i, L^r with r labels still to be said; upper = a table of K labels"
    return StateProfile(tuple(lower), tuple(upper), method)


def _pairs_read(task: str, pairs: int, K: int, labels: int) -> tuple[list[int], list[int]]:
    """Lower and upper counts while keys and labels come in, up to the last label."""
    _at_least(task, 1, "length", pairs)
    _at_least(task, pairs, "symbols", K)
    _at_least(task, 2, "labels", labels)
    lower, upper = [1], [1]
    for i in range(pairs):
        lower += [(i + 1) * labels**i, labels ** (i + 1)]
        upper += [K * _tables(K - 1, i, labels), _tables(K, i + 1, labels)]
    return lower, upper


def _tables(keys: int, written: int, labels: int) -> int:
    """Label tables that differ from all-zero in at most `written` keys."""
    return sum(comb(keys, j) * (labels - 1) ** j for j in range(written + 1))


def known_order_recall_profile(length: int, labels: int = 2) -> StateProfile:
    """Associative recall whose keys always come in the same order: only the labels are news.

    [bhattamishra2024 Proposition 9; proof C.1]
    """
    _at_least("associative-recall", 1, "length", length)
    _at_least("associative-recall", 1, "labels", labels)
    return _exact([labels ** (t // 2) for t in range(2 * length + 1)] + [labels], "closed form: L^(t/2), then L")


def parity_profile(length: int, end: bool = False) -> StateProfile:
    """The number of ones among N bits, modulo 2; with an end token after them or without.

    [hahn2020 Corollary 2]
    """
    _at_least("parity", 1, "length", length)
    return _exact([1] + [2] * (length + end), "closed form: 2")


def dyck_profile(length: int, types: int = 2, depth: int = 2) -> StateProfile:
    """Balanced words of exactly N brackets of n types, never more than k open.

    [bhattamishra2024 Lemma 1; bhattamishra2024 Remark 12]

    After t tokens the stack holds d = t mod 2 brackets or 2, 4, .. more, at most k and at most what N - t tokens can close.
    """
    _at_least("dyck", 1, "length", length)
    _at_least("dyck", 1, "types", types)
    _at_least("dyck", 1, "depth", depth)
    if length % 2:
        return _exact([1] * (length + 1), "closed form: no balanced word has odd length, so every word is refused")
    live = [sum(types**d for d in range(t % 2, min(t, depth, length - t) + 1, 2)) for t in range(length + 1)]
    return _exact([count + (t > 0) for t, count in enumerate(live)], "closed form: stacks that can still be closed, and a dead state")


WITHOUT_COINS = "N even; deterministic models only: with random bits and a small error O(log N) bits are enough."
CLOSED_FORMS = (
    ClosedForm(
        "index-lookup",
        index_lookup_profile,
        "ceil(N log2 s) bits",
        "bhattamishra2024 Theorem 3",
        "The paper's N bits are the case of two symbols. Exactly N symbols come before the index; zero error on every input.",
        ignores=("distribution",),
    ),
    ClosedForm("equality", equality_profile, "ceil(N/2 log2 s) bits", "bhattamishra2024 Theorem 11", WITHOUT_COINS),
    ClosedForm(
        "eq-random",
        equality_profile,
        "ceil(N/2 log2 s) bits",
        "bhattamishra2024 Theorem 11",
        WITHOUT_COINS,
        fixed=(("separator", True),),
        ignores=("distribution",),
    ),
    ClosedForm(
        "eq-one",
        equality_profile,
        "ceil(N/2 log2 s) bits",
        "bhattamishra2024 Theorem 11",
        f"{WITHOUT_COINS} For every pair of halves, although the examples differ in one place or none.",
        fixed=(("separator", True),),
        ignores=("distribution",),
    ),
    ClosedForm(
        "intersects",
        intersects_profile,
        "N/2 bits",
        "bhattamishra2024 Fact 1",
        "N even; the exact count is for zero error, but a constant error still needs a linear number of bits.",
    ),
    ClosedForm(
        "associative-recall",
        associative_recall_profile,
        "ceil(log2(N L^(N-1))) bits, at the cut before the last label",
        "bhattamishra2024 Proposition 9",
        "N distinct keys in any order. In a known order N log2 L bits are enough. With more than N symbols for the keys the bits needed "
        "lie between the lower and the upper count.",
    ),
    ClosedForm(
        "mqar",
        mqar_profile,
        "ceil(log2(n L^(n-1))) bits with n = N/2, at the cut before the last label",
        "bhattamishra2024 Theorem 8",
        "n distinct keys in any order; with more than n symbols for the keys the bits needed lie between the lower and the upper count.",
    ),
    ClosedForm(
        "parity",
        parity_profile,
        "1 bit",
        "hahn2020 Corollary 2",
        "The transition may be the same at every step.",
        fixed=(("end", True),),
    ),
    ClosedForm(
        "dyck",
        dyck_profile,
        "ceil(log2(sum of n^d over reachable depths d, plus 1)) bits",
        "bhattamishra2024 Remark 12",
        "Words of exactly N brackets and a transition that may depend on the step; one transition for all lengths needs sum_{d<=k} n^d + 1 "
        "states, a sink included.",
        ignores=("positives",),
    ),
)


def closed_form(task: str, parameters: Mapping[str, Any]) -> tuple[ClosedForm, StateProfile] | None:
    """The formula of a task and its profile at the task's parameters; None for a task without one."""
    for form in CLOSED_FORMS:
        if form.task == task:
            chosen = {key: value for key, value in parameters.items() if key not in form.ignores} | dict(form.fixed)
            return form, form.profile(**typed(form.profile, chosen, f"the closed form of {task}"))
    return None


def _exact(classes: list[int], method: str) -> StateProfile:
    return StateProfile(tuple(classes), tuple(classes), method)


def _half(task: str, length: int) -> int:
    if length < 2 or length % 2:
        raise BadInput(f"{task}: length N must be even and at least 2, found {length}")
    return length // 2


def _at_least(task: str, least: int, name: str, value: int) -> None:
    if value < least:
        raise BadInput(f"{task}: {name} must be at least {least}, found {value}")
