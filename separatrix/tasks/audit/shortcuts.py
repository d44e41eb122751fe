"""Shortcuts: predictors that look at far too little, fitted on one sample and scored on another.

What they reach above the majority is what a model can get without solving the task.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.tasks.task import Batch, Integers, Task

ENDS = 3  # how many symbols at an end are looked at
BUCKETS = 512  # symbols of a larger vocabulary share a count
COUNTED = 64  # symbols that are tried one by one
PAIRED = 16  # symbols up to which counts are multiplied in pairs
LEAKS_FROM = 0.1  # so far above the majority a shortcut is a leak, and the task has a word for it
DAMPING = 1e-6  # of the least squares: only to make them solvable where counts depend on each other


@dataclass(frozen=True)
class Cases:
    """What was read before each prediction, and what had to be said."""

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
    """The accuracy of every shortcut on `scored` after it has been fitted on `fitted`."""
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
    """The shortcuts that get so far above the majority that they are leaks."""
    return tuple(name for name, accuracy in accuracies.items() if accuracy - accuracies["majority"] > LEAKS_FROM)


def _table(look: Callable[[tuple[int, ...]], Iterable[Hashable]], fitted: Cases) -> dict[Hashable, int]:
    """The most frequent label for each thing seen; () stands for having seen nothing."""
    votes: dict[Hashable, Counter[int]] = defaultdict(Counter)
    for prefix, label in zip(fitted.prefixes, fitted.labels.tolist(), strict=True):
        for seen in (*look(prefix), ()):
            votes[seen][label] += 1
    return {seen: min(count, key=lambda label: (-count[label], label)) for seen, count in votes.items()}


def _accuracy(table: dict[Hashable, int], look: Callable[[tuple[int, ...]], Iterable[Hashable]], scored: Cases) -> float:
    """Ask the table about the most that is seen, and about less where it has never met that."""
    said = [next(table[seen] for seen in (*look(prefix), ()) if seen in table) for prefix in scored.prefixes]
    return _share(np.array(said), scored.labels)


def _best_count(fitted: Cases, scored: Cases) -> float:
    """A table from the number of times that one symbol occurs; the symbol is the one that fits best."""
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
    wanted = np.eye(len(labels))[code]
    weights = np.linalg.solve(A.T @ A + len(A) * DAMPING * np.eye(A.shape[1]), A.T @ wanted)
    return _share(labels[(B @ weights).argmax(axis=1)], scored.labels)


def _counts(chosen: Cases, width: int) -> npt.NDArray[np.float64]:
    """Counts and their squares; for a small vocabulary also the products of any two, which can tell that two sums differ."""
    counts = np.array([np.bincount(np.array(x) % width, minlength=width) for x in chosen.prefixes], dtype=np.float64)
    if width > PAIRED:
        return np.hstack([counts, counts**2])
    i, j = np.triu_indices(width)
    return np.hstack([counts, counts[:, i] * counts[:, j]])


def _share(said: npt.NDArray[Any], labels: Integers) -> float:
    return round(float((said == labels).mean()), 4)
