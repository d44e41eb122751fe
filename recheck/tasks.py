"""What tasks ask, in plain Python: the tokens that may stand at each place, and the answers due.

A `Task` has one list of tokens for each place of an input, a function that gives the answers or None outside the promise, and
the places where they are read. Inputs stand in the order in which a certificate lists the decisions on all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from recheck.languages import automaton_of
from recheck.verdicts import Uncovered, exactly, require, whole

Answers = tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """Inputs of one length."""

    alphabets: list[Sequence[int]]
    answers: Callable[[tuple[int, ...]], Answers | None]
    places: tuple[int, ...]  # from 0
    targets: int
    listed: Callable[[], Iterator[tuple[int, ...]]] | None = None  # the promise, where it is much smaller than the product
    count: int = 0

    @property
    def strings(self) -> int:
        return math.prod(len(alphabet) for alphabet in self.alphabets)

    def inputs(self, most: int) -> list[tuple[tuple[int, ...], Answers]]:
        """All inputs inside the promise, each with its answers."""
        if (self.count if self.listed else self.strings) > most:
            raise Uncovered(f"more than {most} inputs")
        found = ((tokens, self.answers(tokens)) for tokens in (self.listed() if self.listed else product(*self.alphabets)))
        return [(tokens, due) for tokens, due in found if due is not None]


def task_of(claim: Any) -> Task:
    """The task that a claim names."""
    exactly(claim, "task parameters", "claim")
    name, p = claim["task"], claim["parameters"]
    require(isinstance(name, str) and isinstance(p, dict), "claim: a name and parameters")
    maker = TASKS.get(name)
    if maker is None:
        raise Uncovered(f"task {name!r}")
    exactly(p, maker[0], f"claim {name}")
    return maker[1](p)


def _one(answer: Callable[[tuple[int, ...]], int | None]) -> Callable[[tuple[int, ...]], Answers | None]:
    def answers(tokens: tuple[int, ...]) -> Answers | None:
        found = answer(tokens)
        return None if found is None else (found,)

    return answers


def _lookup(p: dict[str, Any]) -> Task:
    n, symbols = whole(p["length"], "length", 1), whole(p["symbols"], "symbols", 2)
    if p["distribution"] != "evaluation":
        raise Uncovered("index lookup at the lengths of training")
    alphabets = [range(symbols)] * n + [range(symbols, symbols + n)]
    return Task(list(alphabets), _one(lambda t: t[t[-1] - symbols]), (n,), symbols)


def _equality(p: dict[str, Any]) -> Task:
    n, symbols = whole(p["length"], "length", 2), whole(p["symbols"], "symbols", 2)
    require(n % 2 == 0, "length: even")
    return Task([range(symbols)] * n, _one(lambda t: int(t[: n // 2] == t[n // 2 :])), (n - 1,), 2)


def _intersects(p: dict[str, Any]) -> Task:
    n = whole(p["length"], "length", 2)
    require(n % 2 == 0, "length: even")
    return Task([range(2)] * n, _one(lambda t: int(any(t[i] and t[i + n // 2] for i in range(n // 2)))), (n - 1,), 2)


def _ones(p: dict[str, Any]) -> Task:
    n = whole(p["length"], "length", 1)
    return Task([range(2)] * n + [range(2, 3)], _one(lambda t: int(0 not in t)), (n,), 2)


def _word(name: str) -> Callable[[dict[str, Any]], Task]:
    def task(p: dict[str, Any]) -> Task:
        automaton, ends = automaton_of(name, p)
        n, k = whole(p["length"], "length", 1), automaton.letters
        alphabets: list[Sequence[int]] = [range(k)] * n + ([range(k, k + 1)] if ends else [])
        answer = _one(lambda t: int(automaton.accepts(automaton.after(list(t[:n])))))
        return Task(alphabets, answer, (len(alphabets) - 1,), 2)

    return task


def _copy(p: dict[str, Any]) -> Task:
    n, symbols = whole(p["length"], "length", 1), whole(p["symbols"], "symbols", 2)

    def listed() -> Iterator[tuple[int, ...]]:
        return ((*x, symbols, *x[:-1]) for x in product(range(symbols), repeat=n))

    def answers(t: tuple[int, ...]) -> Answers | None:
        return t[:n] if t[n + 1 :] == t[: n - 1] else None

    alphabets = [range(symbols)] * n + [range(symbols, symbols + 1)] + [range(symbols)] * (n - 1)
    return Task(list(alphabets), answers, tuple(range(n, 2 * n)), symbols, listed, symbols**n)


def _keys(p: dict[str, Any], default: int) -> tuple[int, int, int]:
    n, labels = whole(p["length"], "length", 1), whole(p["labels"], "labels", 2)
    return n, default * n if p["symbols"] is None else whole(p["symbols"], "symbols", 1), labels


def _recall(p: dict[str, Any]) -> Task:
    n, symbols, labels = _keys(p, 2)
    keys, marks = range(symbols), range(symbols, symbols + labels)

    def answers(t: tuple[int, ...]) -> Answers | None:
        found = dict(zip(t[:-1:2], t[1::2], strict=True))
        return (found[t[-1]] - symbols,) if len(found) == n and t[-1] in found else None

    def listed() -> Iterator[tuple[int, ...]]:
        for pairs in _pairs(keys, marks, n):
            for query in pairs[::2]:
                yield (*pairs, query)

    alphabets = [keys, marks] * n + [keys]
    return Task(list(alphabets), answers, (2 * n,), labels, listed, math.perm(symbols, n) * labels**n * n)


def _mqar(p: dict[str, Any]) -> Task:
    n, symbols, labels = _keys(p, 1)
    require(n % 2 == 0, "length: even")
    keys, marks, m = range(symbols), range(symbols, symbols + labels), n // 2
    places = tuple(range(n, 2 * n - 1, 2))

    def answers(t: tuple[int, ...]) -> Answers | None:
        found, asked = dict(zip(t[:n:2], t[1:n:2], strict=True)), t[n::2]
        if len(found) != m or set(asked) != set(found) or any(found[a] != y for a, y in zip(asked, t[n + 1 :: 2], strict=False)):
            return None
        return tuple(found[a] - symbols for a in asked)

    def listed() -> Iterator[tuple[int, ...]]:
        for pairs in _pairs(keys, marks, m):
            found = dict(zip(pairs[::2], pairs[1::2], strict=True))
            for order in permutations(found):
                yield (*pairs, *[token for a in order for token in (a, found[a])][:-1])

    alphabets = ([keys, marks] * n)[:-1]
    return Task(list(alphabets), answers, places, labels, listed, math.perm(symbols, m) * labels**m * math.factorial(m))


def _pairs(keys: Sequence[int], marks: Sequence[int], n: int) -> Iterator[tuple[int, ...]]:
    for chosen in permutations(keys, n):
        for given in product(marks, repeat=n):
            yield tuple(token for pair in zip(chosen, given, strict=True) for token in pair)


def _table(p: dict[str, Any]) -> Task:
    require(isinstance(p["sizes"], list) and isinstance(p["answers"], list) and len(p["sizes"]) > 0, "table: sizes and answers")
    sizes = [whole(size, "sizes", 1) for size in p["sizes"]]
    require(len(p["answers"]) == math.prod(sizes), "table: an answer for each string")
    rows = [None if a is None else whole(a, "answers") for a in p["answers"]]

    def answer(t: tuple[int, ...]) -> int | None:
        at = 0
        for token, size in zip(t, sizes, strict=True):
            at = at * size + token
        return rows[at]

    return Task([range(size) for size in sizes], _one(answer), (len(sizes) - 1,), max((a for a in rows if a is not None), default=0) + 1)


TASKS: dict[str, tuple[str, Callable[[dict[str, Any]], Task]]] = {
    "index-lookup": ("length symbols distribution", _lookup),
    "equality": ("length symbols", _equality),
    "intersects": ("length", _intersects),
    "ones": ("length", _ones),
    "parity": ("length", _word("parity")),
    "regular": ("length language alphabet negatives", _word("regular")),
    "dyck": ("length types depth positives", _word("dyck")),
    "copy": ("length symbols", _copy),
    "associative-recall": ("length symbols labels", _recall),
    "mqar": ("length symbols labels", _mqar),
    "table": ("sizes answers", _table),
}
