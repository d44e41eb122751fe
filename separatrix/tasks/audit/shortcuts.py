"""Shortcuts: predictors that look at far too little, fitted on one sample and scored on another.

Their accuracy above the majority is what a model can reach without solving the task.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.tasks.task import Batch, Integers, Task

ENDS = 3  # symbols read at an end of the word
BUCKETS = 512  # symbols of a larger vocabulary share a count
COUNTED = 64  # symbols tried one by one
PAIRED = 16  # symbols up to which counts are multiplied in pairs
LEAKS_FROM = 0.1  # a shortcut this far above the majority is a leak, which the task must explain
DAMPING = 1e-6  # ridge term of the least squares, so that they stay solvable when counts depend on each other


@dataclass(frozen=True)
class Cases:
    """What was read before each prediction, and the right label."""

    prefixes: tuple[tuple[int, ...], ...]
    labels: Integers


def cases(batch: Batch) -> Cases:
    """One case for each row; where a row is scored at several positions, the rows take them in turn."""
    prefixes, labels = [], []
    for r in range(len(batch.tokens)):
        scored = np.flatnonzero(batch.mask[r])
        place = int(scored[r % len(scored)])
        prefixes.append(tuple(batch.tokens[r, : place + 1].tolist()))
        labels.append(int(batch.targets[r, place]))
    return Cases(tuple(prefixes), np.array(labels, dtype=np.int64))


def shortcuts(task: Task, fitted: Cases, scored: Cases) -> dict[str, float]:
    """The accuracy on `scored` of every shortcut fitted on `fitted`."""
    looks: dict[str, Callable[[tuple[int, ...]], list[Hashable]]] = {
        "majority": lambda _: [],
        "length": lambda x: [len(x)],
        "first-symbols": lambda x: [x[:k] for k in range(ENDS, 0, -1)],
        "last-symbols": lambda x: [x[-k:] for k in range(ENDS, 0, -1)],
        "distinct-symbols": lambda x: [len(set(x))],
        "odd-counts": lambda x: [sum(count % 2 for count in Counter(x).values())],
    }
    opening = getattr(task, "types", None)  # in bracket tasks the ids below this open
    if isinstance(opening, int):
        looks["open-count"] = lambda x: [sum(symbol < opening for symbol in x)]
    reached = {name: _accuracy(_table(look, fitted), look, scored) for name, look in looks.items()}
    reached["symbol-count"] = _best_count(fitted, scored)
    reached["bag-of-symbols"] = _bag(task, fitted, scored)
    return reached


def leaking(accuracies: Mapping[str, float]) -> tuple[str, ...]:
    """The shortcuts far enough above the majority to count as leaks."""
    return tuple(name for name, accuracy in accuracies.items() if accuracy - accuracies["majority"] > LEAKS_FROM)


def _table(look: Callable[[tuple[int, ...]], Iterable[Hashable]], fitted: Cases) -> dict[Hashable, int]:
    """The most frequent label for each view of the input; () is the view that contains nothing."""
    votes: dict[Hashable, Counter[int]] = defaultdict(Counter)
    for prefix, label in zip(fitted.prefixes, fitted.labels.tolist(), strict=True):
        for view in (*look(prefix), ()):
            votes[view][label] += 1
    return {view: min(count, key=lambda label: (-count[label], label)) for view, count in votes.items()}


def _accuracy(table: dict[Hashable, int], look: Callable[[tuple[int, ...]], Iterable[Hashable]], scored: Cases) -> float:
    """Predict from the longest view that the table knows, falling back to shorter ones."""
    predictions = [next(table[view] for view in (*look(prefix), ()) if view in table) for prefix in scored.prefixes]
    return _share(np.array(predictions), scored.labels)


def _best_count(fitted: Cases, scored: Cases) -> float:
    """A table indexed by the count of one symbol, the one that fits best."""
    frequent = [symbol for symbol, _ in Counter(s for x in fitted.prefixes for s in x).most_common(COUNTED)]

    def count(symbol: int) -> Callable[[tuple[int, ...]], Sequence[Hashable]]:
        return lambda x: [x.count(symbol)]

    tables = {symbol: _table(count(symbol), fitted) for symbol in frequent}
    best = max(frequent, key=lambda symbol: (_accuracy(tables[symbol], count(symbol), fitted), -symbol))
    return _accuracy(tables[best], count(best), scored)


def _bag(task: Task, fitted: Cases, scored: Cases) -> float:
    """Least squares from counts of symbols and their products to each label, slightly damped; the largest value wins."""
    width = min(task.vocabulary, BUCKETS)
    one, other = _counts(fitted, width), _counts(scored, width)
    centre, scale = one.mean(axis=0), np.maximum(one.std(axis=0), 1e-9)
    A, B = (np.hstack([np.ones((len(x), 1)), (x - centre) / scale]) for x in (one, other))
    labels, code = np.unique(fitted.labels, return_inverse=True)
    one_hot = np.eye(len(labels))[code]
    weights = np.linalg.solve(A.T @ A + len(A) * DAMPING * np.eye(A.shape[1]), A.T @ one_hot)
    return _share(labels[(B @ weights).argmax(axis=1)], scored.labels)


def _counts(cases: Cases, width: int) -> npt.NDArray[np.float64]:
    """Counts and their squares; for a small vocabulary also the products of any two, which can tell that two sums differ."""
    counts = np.array([np.bincount(np.array(x) % width, minlength=width) for x in cases.prefixes], dtype=np.float64)
    if width > PAIRED:
        return np.hstack([counts, counts**2])
    i, j = np.triu_indices(width)
    return np.hstack([counts, counts[:, i] * counts[:, j]])


def _share(predictions: npt.NDArray[Any], labels: Integers) -> float:
    return round(float((predictions == labels).mean()), 4)
