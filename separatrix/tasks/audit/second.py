"""A second solver for each task, written without a look at the first: another idea wherever there is one.

Each answers inputs inside the promise. A task from outside the package may bring a method `second(tokens)`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import xor
from typing import Any

from separatrix.tasks.languages import regular_expression
from separatrix.tasks.regular import is_automaton
from separatrix.tasks.task import Answer, Task

Tokens = Sequence[int]
Solver = Callable[[Any, Tokens], Answer]


def second_solver(task: Task) -> Callable[[Tokens], Answer] | None:
    """The second solver of a task, or None where there is none."""
    own: Callable[[Tokens], Answer] | None = getattr(task, "second", None)
    solver = SOLVERS.get(task.name)
    if own is not None or solver is None:
        return own
    return lambda tokens: solver(task, tokens)


def _index_lookup(task: Any, tokens: Tokens) -> Answer:
    """Count down to the place."""
    left = tokens[-1] - task.symbols
    for symbol in tokens:
        if left == 0:
            return symbol
        left -= 1
    return -1


def _recalled(task: Any, tokens: Tokens, key: int) -> int:
    """The label right after the first occurrence of a key."""
    return tokens[list(tokens).index(key) + 1] - int(task.keys)


def _associative_recall(task: Any, tokens: Tokens) -> Answer:
    return _recalled(task, tokens, tokens[-1])


def _mqar(task: Any, tokens: Tokens) -> Answer:
    """The queries are the keys that have been met before."""
    found = [_recalled(task, tokens, key) for i, key in enumerate(tokens) if i % 2 == 0 and key in tokens[:i]]
    return tuple(found) if len(found) > 1 else found[0]


def _nearest_neighbor(task: Any, tokens: Tokens) -> Answer:
    """The smallest Euclidean distance between the vectors, written out."""

    def vector(key: int) -> list[int]:
        signs = reversed(f"{key:0{task.dimension}b}")
        return [-w if sign == "1" else w for sign, w in zip(signs, task.weights, strict=True)]

    query = vector(tokens[-1])
    distance = {i: math.dist(vector(tokens[i]), query) for i in range(0, len(tokens) - 1, 2)}
    return tokens[min(distance, key=lambda i: distance[i]) + 1] - int(task.keys)


def _peeled(word: Tokens, types: int) -> tuple[list[int], int]:
    """What is left of a bracket word when matched neighbours go, layer by layer, and the number of layers."""
    left, layers = list(word), 0
    while True:
        kept: list[int] = []
        i = 0
        while i < len(left):
            matched = left[i] < types and left[i + 1 : i + 2] == [left[i] + types]
            kept += [] if matched else [left[i]]
            i += 2 if matched else 1
        if len(kept) == len(left):
            return kept, layers
        left, layers = kept, layers + 1


def _dyck(task: Any, tokens: Tokens) -> Answer:
    left, layers = _peeled(tokens, task.types)
    return int(not left and layers <= task.depth)


def _dyck_language(task: Any, tokens: Tokens) -> Answer:
    return int(not _peeled(tokens[:-1], task.types)[0])


def _halves(_: Any, tokens: Tokens) -> Answer:
    """A string repeats itself iff it agrees with itself shifted."""
    shift = len(tokens) - len(tokens) // 2
    return int(not any(map(xor, tokens, tokens[shift:])))


def _eq_ncp(task: Any, tokens: Tokens) -> Answer:
    """What follows the separator is what came before it."""
    first = tuple(itertools.takewhile(lambda symbol: symbol != task.symbols, tokens))
    return first if len(first) > 1 else first[0]


def _partition(task: Any, tokens: Tokens) -> Answer:
    """The two sets of places spell one word."""
    return int(len({tuple(tokens[i - 1] for i in places) for places in zip(*task.pairs, strict=True)}) == 1)


def _intersects(_: Any, tokens: Tokens) -> Answer:
    """The sets as sets."""
    half = len(tokens) // 2
    ones = {i for i, bit in enumerate(tokens) if bit}
    return int(any(i + half in ones for i in ones if i < half))


def _thresholds(task: Any, tokens: Tokens) -> Answer:
    """A feature holds iff the bits agree with a row of its table that has the value 1."""

    def holds(places: tuple[int, ...], table: tuple[int, ...]) -> bool:
        rows = itertools.compress(itertools.product((0, 1), repeat=len(places)), table)
        return tuple(tokens[i] for i in places) in rows  # token 0 is the beginning, so place i is token i

    return int(sum(holds(f.places, f.table) for f in task.sparse_features) >= task.bound + 1)


def _formula(task: Any, tokens: Tokens) -> Answer:
    """The formula as it is written: literals, parts, whole."""
    inner, outer = (all, any) if task.inner == "&" else (any, all)
    return int(outer(inner(tokens[place] == wanted for place, wanted in part) for part in task._parts()))


def _parity(_: Any, tokens: Tokens) -> Answer:
    """A product of signs."""
    return int(math.prod(-1 if bit else 1 for bit in tokens[:-1]) == 1)


def _ones(_: Any, tokens: Tokens) -> Answer:
    return int(0 not in tokens)


def _an_bn(_: Any, tokens: Tokens) -> Answer:
    """Sorted, with as many of both."""
    word = list(tokens[:-1])
    return int(word == sorted(word) and word.count(0) == word.count(1))


def _parity_next(_: Any, tokens: Tokens) -> Answer:
    return (0, 1) if reduce(xor, tokens) else (0, 1, 2)


def _dyck_next(_: Any, tokens: Tokens) -> Answer:
    """After everything matched is gone, the last bracket is the one that may close."""
    open_ = _peeled(tokens, 2)[0]
    return (0, 1, 2 + open_[-1] if open_ else 4)


def _regular(task: Any, tokens: Tokens) -> Answer:
    """For an expression, the places in the word that its parts can reach; for an automaton, backwards, the states that accept."""
    word = tokens[:-1]
    if not is_automaton(task.language):
        return int(len(word) in reach(regular_expression.parse(task.language), [task.letters[symbol] for symbol in word], {0}))
    leads = set(task.automaton.accepting)
    for symbol in reversed(word):
        leads = {q for q, row in enumerate(task.automaton.moves) if row[symbol] in leads}
    return int(0 in leads)


def reach(expression: regular_expression.Expression, word: Sequence[str], starts: set[int]) -> set[int]:
    """The places in a word that an expression can end at when it begins at one of `starts`."""
    if isinstance(expression, regular_expression.Symbols):
        return {i + 1 for i in starts if i < len(word) and expression.has(word[i])}
    if isinstance(expression, regular_expression.Union):
        return set().union(*(reach(part, word, starts) for part in expression.parts))
    if isinstance(expression, regular_expression.Sequence):
        return reduce(lambda places, part: reach(part, word, places), expression.parts, starts)
    found, fresh = set(starts), set(starts)
    while fresh:
        fresh = reach(expression.part, word, fresh) - found
        found |= fresh
    return found


SOLVERS: dict[str, Solver] = {
    "index-lookup": _index_lookup,
    "associative-recall": _associative_recall,
    "mqar": _mqar,
    "nearest-neighbor": _nearest_neighbor,
    "dyck": _dyck,
    "equality": _halves,
    "eq-random": _halves,
    "eq-one": _halves,
    "eq-ncp": _eq_ncp,
    "partition-equality": _partition,
    "intersects": _intersects,
    "sparse-threshold": _thresholds,
    "k-dnf": _formula,
    "k-cnf": _formula,
    "parity": _parity,
    "dyck-1": _dyck_language,
    "dyck-2": _dyck_language,
    "parity-next": _parity_next,
    "dyck-2-next": _dyck_next,
    "ones": _ones,
    "an-bn": _an_bn,
    "regular": _regular,
}
