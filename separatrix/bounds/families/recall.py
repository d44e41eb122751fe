"""Associative recall with one query and with many: the labels of all keys, and the pending key.

[bhattamishra2024 Proposition 9; bhattamishra2024 Theorem 8]

Notation   N  the task's length      L  labels      K  symbols that keys are chosen from      i  labels read      F  tokens of filler

Filler changes where a cut falls, not what must cross it: prefixes with different numbers of pairs have no continuation in common.
So after t tokens the need is the most over the numbers u of tokens that are not filler, t - F <= u <= t; the widest cut is what it was.
If queries may be for absent keys, which keys occurred must be remembered too, and then the bits of one query are known exactly.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

from separatrix.bits import ceil_log2
from separatrix.bounds.accuracy.ceiling import Ceiling, whole_strings
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, half_of, listable
from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.bounds.lower import LowerBound, Precision, at_a_small_size, printed_width
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks import Task
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

SUMMED = 1 << 12  # terms of a sum of large binomial coefficients; above, a larger number that is quick to write
_WITH_KEYS = "closed form: the sets of n keys, with their labels, and the pending key; upper = the same at every cut"


def associative_recall_profile(
    length: int, symbols: int | None = None, labels: int = 2, filler: int = 0, absent: bool = False
) -> StateProfile:
    """N distinct keys out of K symbols (2 N by default) in any order, each followed by its label, then one of them as a query.

    [bhattamishra2024 Proposition 9; proof C.1]

    Lower: the labels of the i keys seen, and before a label which of the i + 1 keys is pending. Upper: a table of all K labels, unseen
    keys at label 0, and the pending key.
    """
    K = 2 * length if symbols is None else symbols
    lower, upper = _context_read("associative-recall", length, K, labels, filler, absent)
    method = "closed form: (i+1) L^i before label i+1, L^i after label i; upper = a table of K labels and the pending key"
    return StateProfile((*lower, labels + absent), (*upper, labels + absent), _WITH_KEYS if absent else method)


def associative_recall_widest(length: int, symbols: int | None = None, labels: int = 2, absent: bool = False) -> tuple[int, int]:
    """The cut before the last label, or after it if there are more labels than keys."""
    K = 2 * length if symbols is None else symbols
    _check_recall("associative-recall", length, K, labels)
    if absent:
        pending = min(length - 1, K * labels // (labels + 1))  # where K C(K - 1, i) L^i is largest, and C(K, i) L^i
        read = min(length, (K + 1) * labels // (labels + 1))
        upper = max(K * math.comb(K - 1, pending) * labels**pending, math.comb(K, read) * labels**read)
        return _least(length, labels, K, absent), upper
    return _least(length, labels, K), max(K * _all_tables(K - 1, length - 1, labels), _all_tables(K, length, labels))


def _least(pairs: int, labels: int, K: int, absent: bool = False) -> int:
    """States that must be told apart at the cut before the last label, or after it; if keys may be absent, for each set of keys."""
    sets = math.comb(K, pairs) if absent else 1
    return int(sets * max(pairs * labels ** (pairs - 1), labels**pairs))


def mqar_profile(length: int, symbols: int | None = None, labels: int = 2, filler: int = 0, absent: bool = False) -> StateProfile:
    """N/2 distinct keys out of K symbols (N by default) with their labels, then all as queries, each but the last with its label.

    [bhattamishra2024 Theorem 8; proof G.1]

    A label is due at every query. While queries come in, the labels of the keys not yet queried must be remembered: L^r for r of
    them, and the one due now counts too. Upper: the table of labels, with a key's entry reset to 0 after its query.
    With absent keys, after a queries: any table of the K - a other keys with n - a to n entries. Upper: the table of the n pairs, and
    while an answer is due that answer with a table of what is left.
    """
    n = half_of("mqar", length)
    K = length if symbols is None else symbols
    lower, upper = _context_read("mqar", n, K, labels, filler, absent)
    if absent:
        asked = _queries_read(n, K, labels)
        return StateProfile((*lower, *(states for states, _ in asked)), (*upper, *(most for _, most in asked)), _WITH_KEYS)
    tables = _tables(K, n, labels)
    for after in reversed(range(n)):  # keys still to be queried after this answer
        lower += [labels ** (after + 1)] + ([labels**after] if after else [])
        upper += [labels * tables[after]] + ([tables[after]] if after else [])
    method = "closed form: (i+1) L^i before label i+1, L^i after label i, L^r with r labels still to be given; upper = a table of K labels"
    return StateProfile(tuple(lower), tuple(upper), method)


def mqar_widest(length: int, symbols: int | None = None, labels: int = 2, absent: bool = False) -> tuple[int, int]:
    """The widest cut: as for one query, or at the first query if the label due there gives more states."""
    n = half_of("mqar", length)
    K = length if symbols is None else symbols
    lower, upper = associative_recall_widest(n, K, labels, absent)
    if absent:
        return lower, upper if n == 1 else max(upper, math.comb(K + 1, n) * labels**n)
    return lower, max(upper, labels * _all_tables(K, n - 1, labels))


def _pairs_read(task: str, pairs: int, K: int, labels: int) -> tuple[list[int], list[int]]:
    """Lower and upper counts while keys and labels come in, up to the last label."""
    listable(task, 2 * pairs, K * ceil_log2(labels))
    others, everything = _tables(K - 1, pairs, labels), _tables(K, pairs, labels)
    lower, upper = [1], [1]
    for i in range(pairs):
        lower += [(i + 1) * labels**i, labels ** (i + 1)]
        upper += [K * others[i], everything[i + 1]]
    return lower, upper


def _keys_read(pairs: int, K: int, labels: int) -> tuple[list[int], list[int]]:
    """The same if keys may be absent: from the last key on, whichever keys came may still be asked for, or not come."""
    lower, upper = [1], [1]
    for i in range(pairs):
        sets = math.comb(K, pairs) if i == pairs - 1 else 1
        lower += [sets * (i + 1) * labels**i, sets * labels ** (i + 1)]
        upper += [K * math.comb(K - 1, i) * labels**i, math.comb(K, i + 1) * labels ** (i + 1)]
    return lower, upper


def _queries_read(n: int, K: int, labels: int) -> list[tuple[int, int]]:
    """Lower and upper counts from the first query on, if keys may be absent."""
    counts = []
    for a in range(n):  # answered
        last = a == n - 1
        counts.append((labels + 1, labels + 1) if last else (_left(n, K, labels, a), math.comb(K + 1, n) * labels**n))
        if not last:
            counts.append((_left(n, K, labels, a + 1), math.comb(K, n) * labels**n))
    return counts


def _left(n: int, K: int, labels: int, a: int) -> int:
    """Tables of the keys that are not among a queried ones, of n pairs in all."""
    return sum(math.comb(K - a, w) * labels**w for w in range(max(0, n - a), min(n, K - a) + 1))


def _context_read(task: str, pairs: int, K: int, labels: int, filler: int, absent: bool) -> tuple[list[int], list[int]]:
    """Lower and upper counts up to the first query, with filler around the pairs."""
    _check_recall(task, pairs, K, labels)
    listable(task, 2 * pairs + filler, K * ceil_log2(labels + absent))
    lower, upper = _keys_read(pairs, K, labels) if absent else _pairs_read(task, pairs, K, labels)
    return (lower, upper) if not filler else (_most_within(lower, filler), _most_within(upper, filler))


def _most_within(values: list[int], filler: int) -> list[int]:
    """At each t the most over the values u with t - filler <= u <= t."""
    most: list[int] = []
    candidates: deque[int] = deque()  # places within reach, their values falling
    for t in range(len(values) + filler):
        if t < len(values):
            while candidates and values[candidates[-1]] <= values[t]:
                candidates.pop()
            candidates.append(t)
        if candidates[0] < t - filler:
            candidates.popleft()
        most.append(values[candidates[0]])
    return most


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


def _all_tables(keys: int, most: int, labels: int) -> int:
    """The last of `_tables`, or where that takes long a number that is larger: all tables of `keys` labels."""
    return int(labels**keys) if most >= min(keys, SUMMED) else _tables(keys, most, labels)[-1]


def _printed(task: AssociativeRecall, precision: Precision, rows: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield printed_width(task.length, "ceil(N / p)", "bhattamishra2024 Proposition 9", precision, rows[1])


def _printed_for_many(task: Mqar, precision: Precision, rows: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield printed_width(task.length // 2, "ceil(N / 2p)", "bhattamishra2024 Theorem 8", precision, rows[1])


def recall_ceiling(task: AssociativeRecall, state_bits: int) -> Ceiling | None:
    """For any keys that are fixed, recall is index lookup among their labels; which keys there are has to be remembered besides.

    Filler is no help. If keys may be absent, an answer also says that one is: no ceiling is known.

    [bhattamishra2024 Proposition 9]
    """
    if task.absent:
        return None
    ceiling = index_lookup_ceiling(task.length, task.labels, state_bits)
    method = "proven bound: labels of keys that are known" if ceiling.attained == ceiling.accuracy else ceiling.method
    return Ceiling(ceiling.accuracy, state_bits, method, None)


def _first_query(task: Mqar) -> Task:
    """The first query of many is associative recall."""
    return _small(AssociativeRecall(task.pairs, task.keys, task.labels, task.filler, task.absent))


def _small(task: AssociativeRecall) -> Task:
    """A size that a certificate can list: with a token of filler and absent keys where the task has them."""
    small = at_a_small_size(task)
    return small if small is task else AssociativeRecall(2, symbols=3, filler=min(1, task.filler), absent=task.absent)


def _formula(task: Recall) -> str:
    """What must be told apart at the last label."""
    n, where = ("N", "") if isinstance(task, AssociativeRecall) else ("n", " with n = N/2")
    if task.absent:
        return f"ceil(log2(C(K, {n}) max({n}, L) L^({n}-1))) bits{where}, at the last label"
    return f"ceil(log2(max({n}, L) L^({n}-1))) bits{where}, at the last label"


ASSOCIATIVE_RECALL = TaskBounds(
    ClosedForm(
        "ceil(log2(max(N, L) L^(N-1))) bits, at the last label",
        "bhattamishra2024 Proposition 9",
        "N distinct keys in any order. In a known order N log2 L bits are enough. With more than N symbols for the keys the bits needed "
        "lie between the lower and the upper count.",
        lambda task: associative_recall_profile(task.length, task.symbols, task.labels, task.filler, task.absent),
        lambda task: associative_recall_widest(task.length, task.symbols, task.labels, task.absent),
        counted_as=_small,
        least=lambda task: _least(task.pairs, task.labels, task.keys, task.absent),
        formula_at=_formula,
    ),
    _printed,
    recall_ceiling,
)
MQAR = TaskBounds(
    ClosedForm(
        "ceil(log2(max(n, L) L^(n-1))) bits with n = N/2, at the last label",
        "bhattamishra2024 Theorem 8",
        "n distinct keys in any order; with more than n symbols for the keys the bits needed lie between the lower and the upper count.",
        lambda task: mqar_profile(task.length, task.symbols, task.labels, task.filler, task.absent),
        lambda task: mqar_widest(task.length, task.symbols, task.labels, task.absent),
        counted_as=_first_query,
        least=lambda task: _least(task.pairs, task.labels, task.keys, task.absent),
        formula_at=_formula,
    ),
    _printed_for_many,
    lambda task, state_bits: None if task.absent else whole_strings(task.labels, task.pairs, state_bits, attained=False),
)
