"""Ceilings on accuracy from a single cut: what W states cannot distinguish there, no later step can recover.

[bhattamishra2024 Theorem 2]

Notation   W  states at the cut       c  residual class, mu_c prefixes in it       S  suffixes       e  share of wrong answers
           delta(c, c')  weight on which two classes disagree, the smaller of the two weights where they do

At the end      W states give at most W different answers.
Pairs           In one group, two classes lose delta(c, c') together for each pair of their prefixes. So of each group all but one class
                lose half the least delta, and the W groups save at most the W largest classes.
Fano            The answers to all suffixes together name the class. A state of b bits leaves H(class) - b bits of them open, and
                H(answer | state) <= h(e) + e log2(answers - 1) for each suffix, on average.

The last two apply to each set of classes that share their valid suffixes; the losses add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.accuracy.ceiling import least_error
from separatrix.bounds.accuracy.weighted_tree import WeightedTree

COMPARED = 10**8  # entries read when classes are compared in pairs


def cut_ceilings(tree: WeightedTree, states: int) -> Iterator[tuple[float, str]]:
    """Upper bounds on the accuracy with this many states, each with its argument."""
    yield _at_the_end(tree, states), f"at most {states} answers after the last token"
    for t in range(1, len(tree.children) + 1):
        table = tree.weights(t)
        if table is None or table.shape[1] <= states:
            continue
        counts = tree.counts(t)
        by_pairs, by_fano = 0.0, 0.0
        for members in _same_domain(table):
            part, prefixes = table[:, members], counts[members]
            by_pairs += _lost_by_pairs(part, prefixes, states)
            if tree.uniform:
                by_fano += _lost_by_fano(part, prefixes, states)
        yield _accuracy(by_pairs, tree.total), f"pairs of classes after token {t}"
        if tree.uniform:
            yield _accuracy(by_fano * int(tree.weight_of[0]), tree.total), f"Fano's inequality after token {t}"


def _accuracy(lost: float, total: int) -> float:
    return min(1.0, 1 - lost / total)


def _at_the_end(tree: WeightedTree, states: int) -> float:
    reached = tree.counts(len(tree.children))
    by_answer = np.zeros(tree.answers, dtype=np.int64)
    np.add.at(by_answer, tree.answer_of, reached * tree.weight_of)
    return float(np.sort(by_answer)[::-1][:states].sum() / tree.total)


def _same_domain(table: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Classes grouped by the suffixes that have weight."""
    domain = table.sum(axis=0) > 0
    _, kind = np.unique(domain, axis=0, return_inverse=True)
    kind = np.asarray(kind).reshape(-1)
    for k in range(int(kind.max()) + 1):
        yield np.flatnonzero(kind == k)


def _lost_by_pairs(part: NDArray[np.int64], prefixes: NDArray[np.int64], states: int) -> float:
    """The least weight lost: (delta / 2) x (prefixes - those of the W largest classes)."""
    classes = part.shape[1]
    if classes <= states or classes**2 * part.shape[2] > COMPARED:
        return 0.0
    weight, says = part.sum(axis=0), part > 0
    least = None
    for c in range(1, classes):
        both = np.minimum(weight[:c], weight[c])
        agree = (says[:, :c] & says[:, c : c + 1]).any(axis=0)
        delta = int(np.where(agree, 0, both).sum(axis=1).min())
        least = delta if least is None else min(least, delta)
    saved = int(np.sort(prefixes)[::-1][:states].sum())
    return (least or 0) / 2 * (int(prefixes.sum()) - saved)


def _lost_by_fano(part: NDArray[np.int64], prefixes: NDArray[np.int64], states: int) -> float:
    """Least strings lost, each of weight 1: the least e with h(e) + e log2(answers - 1) >= (H(class) - log2 W) / S, for all strings."""
    valid = part.sum(axis=(0, 1)) > 0
    suffixes = int(valid.sum())
    answers = int((part[:, :, valid].sum(axis=1) > 0).sum(axis=0).max())
    share = prefixes / prefixes.sum()
    entropy = float(-(share * np.log2(share)).sum())
    return least_error((entropy - log2(states)) / suffixes, answers) * suffixes * int(prefixes.sum())
