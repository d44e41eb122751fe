"""Associative recall with one query and with many: the labels of all keys, and the pending key.

[bhattamishra2024 Proposition 9; bhattamishra2024 Theorem 8]

Notation   N  the task's length      L  labels      K  symbols that keys are chosen from      i  labels read
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.bounds.accuracy.ceiling import Ceiling, whole_strings
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact, half_of, listable
from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.bounds.lower import LowerBound, Precision, at_a_small_size, printed_width
from separatrix.bounds.states.profile import StateProfile, ceil_log2
from separatrix.tasks import Task
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar


def associative_recall_profile(length: int, symbols: int | None = None, labels: int = 2) -> StateProfile:
    """N distinct keys out of K symbols (2 N by default) in any order, each followed by its label, then one of them as a query.

    [bhattamishra2024 Proposition 9; proof C.1]

    Lower: the labels of the i keys seen, and before a label which of the i + 1 keys is pending. Upper: a table of all K labels, unseen
    keys at label 0, and the pending key.
    """
    lower, upper = _pairs_read("associative-recall", length, 2 * length if symbols is None else symbols, labels)
    method = "closed form: (i+1) L^i before label i+1, L^i after label i; upper = a table of K labels and the pending key"
    return StateProfile((*lower, labels), (*upper, labels), method)


def associative_recall_widest(length: int, symbols: int | None = None, labels: int = 2) -> tuple[int, int]:
    """The cut before the last label, or after it if there are more labels than keys."""
    K = 2 * length if symbols is None else symbols
    _check_recall("associative-recall", length, K, labels)
    return _least(length, labels), max(K * _tables(K - 1, length - 1, labels)[-1], _tables(K, length, labels)[-1])


def _least(pairs: int, labels: int) -> int:
    """States that must be told apart at the cut before the last label, or after it."""
    return int(max(pairs * labels ** (pairs - 1), labels**pairs))


def mqar_profile(length: int, symbols: int | None = None, labels: int = 2) -> StateProfile:
    """N/2 distinct keys out of K symbols (N by default) with their labels, then all as queries, each but the last with its label.

    [bhattamishra2024 Theorem 8; proof G.1]

    A label is due at every query. While queries come in, the labels of the keys not yet queried must be remembered: L^r for r of
    them, and the one due now counts too. Upper: the table of labels, with a key's entry reset to 0 after its query.
    """
    n = half_of("mqar", length)
    K = length if symbols is None else symbols
    lower, upper = _pairs_read("mqar", n, K, labels)
    tables = _tables(K, n, labels)
    for after in reversed(range(n)):  # keys still to be queried after this answer
        lower += [labels ** (after + 1)] + ([labels**after] if after else [])
        upper += [labels * tables[after]] + ([tables[after]] if after else [])
    method = "closed form: (i+1) L^i before label i+1, L^i after label i, L^r with r labels still to be given; upper = a table of K labels"
    return StateProfile(tuple(lower), tuple(upper), method)


def mqar_widest(length: int, symbols: int | None = None, labels: int = 2) -> tuple[int, int]:
    """As for one query, or at the first query if the label due there gives more states."""
    n = half_of("mqar", length)
    K = length if symbols is None else symbols
    lower, upper = associative_recall_widest(n, K, labels)
    return lower, max(upper, labels * _tables(K, n - 1, labels)[-1])


def known_order_recall_profile(length: int, labels: int = 2) -> StateProfile:
    """Associative recall whose keys always come in the same order, so that only the labels carry information.

    [bhattamishra2024 Proposition 9; proof C.1]
    """
    at_least("associative-recall", 1, "length", length)
    at_least("associative-recall", 1, "labels", labels)
    listable("associative-recall", 2 * length, length * ceil_log2(labels))
    return exact([labels ** (t // 2) for t in range(2 * length + 1)] + [labels], "closed form: L^(t/2), then L")


def _pairs_read(task: str, pairs: int, K: int, labels: int) -> tuple[list[int], list[int]]:
    """Lower and upper counts while keys and labels come in, up to the last label."""
    _check_recall(task, pairs, K, labels)
    listable(task, 2 * pairs, K * ceil_log2(labels))
    others, everything = _tables(K - 1, pairs, labels), _tables(K, pairs, labels)
    lower, upper = [1], [1]
    for i in range(pairs):
        lower += [(i + 1) * labels**i, labels ** (i + 1)]
        upper += [K * others[i], everything[i + 1]]
    return lower, upper


def _check_recall(task: str, pairs: int, K: int, labels: int) -> None:
    at_least(task, 1, "length", pairs)
    at_least(task, pairs, "symbols", K)
    at_least(task, 2, "labels", labels)


def _tables(keys: int, most: int, labels: int) -> list[int]:
    """For w = 0..most: the label tables of `keys` keys that differ from all-zero in at most w places."""
    sums, term = [1], 1
    for w in range(1, most + 1):
        term = term * (keys - w + 1) * (labels - 1) // w  # C(keys, w) (labels - 1)^w
        sums.append(sums[-1] + term)
    return sums


def _printed(task: AssociativeRecall, precision: Precision, rows: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield printed_width(task.length, "ceil(N / p)", "bhattamishra2024 Proposition 9", precision, rows[1])


def _printed_for_many(task: Mqar, precision: Precision, rows: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield printed_width(task.length // 2, "ceil(N / 2p)", "bhattamishra2024 Theorem 8", precision, rows[1])


def recall_ceiling(task: AssociativeRecall, state_bits: int) -> Ceiling:
    """For any keys that are fixed, recall is index lookup among their labels; which keys there are has to be remembered besides.

    [bhattamishra2024 Proposition 9]
    """
    ceiling = index_lookup_ceiling(task.length, task.labels, state_bits)
    method = "proven bound: labels of keys that are known" if ceiling.attained == ceiling.accuracy else ceiling.method
    return Ceiling(ceiling.accuracy, state_bits, method, None)


def _first_query(task: Mqar) -> Task:
    """The first query of many is associative recall."""
    return at_a_small_size(AssociativeRecall(task.pairs, task.keys, task.labels))


ASSOCIATIVE_RECALL = TaskBounds(
    ClosedForm(
        "ceil(log2(max(N, L) L^(N-1))) bits, at the last label",
        "bhattamishra2024 Proposition 9",
        "N distinct keys in any order. In a known order N log2 L bits are enough. With more than N symbols for the keys the bits needed "
        "lie between the lower and the upper count.",
        lambda task: associative_recall_profile(task.length, task.symbols, task.labels),
        lambda task: associative_recall_widest(task.length, task.symbols, task.labels),
        least=lambda task: _least(task.pairs, task.labels),
    ),
    _printed,
    recall_ceiling,
)
MQAR = TaskBounds(
    ClosedForm(
        "ceil(log2(max(n, L) L^(n-1))) bits with n = N/2, at the last label",
        "bhattamishra2024 Theorem 8",
        "n distinct keys in any order; with more than n symbols for the keys the bits needed lie between the lower and the upper count.",
        lambda task: mqar_profile(task.length, task.symbols, task.labels),
        lambda task: mqar_widest(task.length, task.symbols, task.labels),
        counted_as=_first_query,
        least=lambda task: _least(task.pairs, task.labels),
    ),
    _printed_for_many,
    lambda task, state_bits: whole_strings(task.labels, task.pairs, state_bits, attained=False),
)
