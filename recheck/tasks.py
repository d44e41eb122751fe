"""What tasks ask, in plain Python: the tokens that may stand at each place, and the answers due.

A `Task` has one list of tokens for each place of an input, a function that gives the answers or None outside the promise, and
the places where they are read. Inputs stand in the order in which a certificate lists the decisions on all of them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from recheck.languages import Automaton, automaton_of, dyck
from recheck.verdicts import Uncovered, exactly, require, whole

Answers = tuple[int, ...]
STRINGS = 1 << 17  # that are tried for the promise


@dataclass(frozen=True)
class Task:
    """Inputs of one length."""

    alphabets: Sequence[Sequence[int]]
    answers: Callable[[tuple[int, ...]], Answers | None]
    places: tuple[int, ...]  # from 0
    targets: int
    order: Callable[[tuple[int, ...]], Any] | None = None  # in which a certificate lists them, if not by their tokens

    @property
    def strings(self) -> int:
        return math.prod(len(alphabet) for alphabet in self.alphabets)

    def inputs(self, most: int) -> list[tuple[tuple[int, ...], Answers]]:
        """All inputs inside the promise, each with its answers."""
        found = [] if self.strings > STRINGS else [(tokens, self.answers(tokens)) for tokens in product(*self.alphabets)]
        inputs = [(tokens, due) for tokens, due in found if due is not None]
        if not found or len(inputs) > most:
            raise Uncovered(f"more than {most} inputs")
        order = self.order
        return inputs if order is None else sorted(inputs, key=lambda one: order(one[0]))


Maker = Callable[[dict[str, Any]], Task]


def task_of(claim: Any) -> Task:
    """The task that a claim names."""
    exactly(claim, "task parameters", "claim")
    name, p = claim["task"], claim["parameters"]
    require(isinstance(name, str) and isinstance(p, dict), "claim: a name and parameters")
    maker = TASKS.get(name)
    if maker is None:
        raise Uncovered(f"task {name!r}")
    if {"filler", "absent"} & set(p):
        raise Uncovered(f"{name} with filler or absent keys")
    exactly(p, maker[0], f"claim {name}")
    return maker[1](p)


def _one(answer: Callable[[tuple[int, ...]], int | None]) -> Callable[[tuple[int, ...]], Answers | None]:
    return lambda tokens: None if (found := answer(tokens)) is None else (found,)


def _lookup(p: dict[str, Any]) -> Task:
    n, symbols = whole(p["length"], "length", 1), whole(p["symbols"], "symbols", 2)
    if p["distribution"] != "evaluation":
        raise Uncovered("index lookup at the lengths of training")
    return Task([range(symbols)] * n + [range(symbols, symbols + n)], _one(lambda t: t[t[-1] - symbols]), (n,), symbols)


def _halves(meet: Callable[[int, int], int], every: bool) -> Maker:
    """Whether some, or every, token of the first half meets its partner in the second."""

    def task(p: dict[str, Any]) -> Task:
        n, symbols = whole(p["length"], "length", 2), whole(p.get("symbols", 2), "symbols", 2)
        require(n % 2 == 0, "length: even")
        met = all if every else any
        return Task([range(symbols)] * n, _one(lambda t: int(met(map(meet, t[: n // 2], t[n // 2 :])))), (n - 1,), 2)

    return task


def _members(automaton: Callable[[dict[str, Any]], tuple[Automaton, bool]]) -> Maker:
    """Words of one length and, where there is one, an end token."""

    def task(p: dict[str, Any]) -> Task:
        (of, ends), n = automaton(p), whole(p["length"], "length", 1)
        alphabets: list[Sequence[int]] = [*[range(of.letters)] * n, *([range(of.letters, of.letters + 1)] if ends else [])]
        return Task(alphabets, _one(lambda t: int(bool(of.accepts(of.after(list(t[:n])))))), (len(alphabets) - 1,), 2)

    return task


def _balanced(half: float) -> Automaton:
    """a^n b^n of one length: how many a, how many b behind them, or None."""

    def move(seen: tuple[int, int] | None, letter: int) -> tuple[int, int] | None:
        return None if seen is None or (letter == 0 and seen[1]) else (seen[0] + 1 - letter, seen[1] + letter)

    return Automaton(2, (0, 0), move, lambda seen: seen == (half, half))


def _dyck_next(p: dict[str, Any]) -> Task:
    n, types, depth = (whole(p[name], name, 1) for name in ("length", "types", "depth"))
    brackets = dyck(types, depth)

    def answers(t: tuple[int, ...]) -> Answers | None:
        stacks = [brackets.after(list(t[: i + 1])) for i in range(n)]
        return tuple(stack[-1] if stack else types for stack in stacks) if stacks[-1] == () else None

    backwards: Sequence[int] = [*reversed(range(types)), *reversed(range(types, 2 * types))]  # the order in which certificates list them
    return Task([backwards] * n, answers, tuple(range(n)), types + 1)


def _queried(words: int, answer: Callable[[list[int], list[int], dict[str, Any]], int | None], asked: int) -> Maker:
    """A first token, n numbers of 1 .. n and a query; special words come before the numbers, and the answer is a token."""

    def task(p: dict[str, Any]) -> Task:
        if p["thought"] != "none":
            raise Uncovered("a chain of thought")
        n = whole(p["length"], "length", 2)
        numbers, count = range(words, words + n), p["c"] - 1 if "c" in p else asked
        queries: Sequence[Sequence[int]] = (numbers, [3, *numbers]) if words == 4 else [numbers] * count

        def answers(t: tuple[int, ...]) -> int | None:
            values = [a - words + 1 for a in t]
            return answer(values[1 : n + 1], values[n + 1 :], p)

        return Task([range(1), *[numbers] * n, *queries], _one(answers), (n + len(queries),), words + n)

    return task


def _gram(x: list[int], query: list[int], _: dict[str, Any]) -> int | None:
    """The token after the first occurrence of the query."""
    return next((x[i + len(query)] for i in range(len(x) - len(query)) if x[i : i + len(query)] == query), None)


def _copy(p: dict[str, Any]) -> Task:
    n, symbols = whole(p["length"], "length", 1), whole(p["symbols"], "symbols", 2)
    alphabets = [range(symbols)] * n + [range(symbols, symbols + 1)] + [range(symbols)] * (n - 1)
    return Task(alphabets, lambda t: t[:n] if t[n + 1 :] == t[: n - 1] else None, tuple(range(n, 2 * n)), symbols)


def _keys(p: dict[str, Any], default: int) -> tuple[int, int, Sequence[int], Sequence[int]]:
    n, labels = whole(p["length"], "length", 1), whole(p["labels"], "labels", 2)
    symbols = default if p["symbols"] is None else whole(p["symbols"], "symbols", 1)
    return n, symbols, range(symbols), range(symbols, symbols + labels)


def _recall(p: dict[str, Any]) -> Task:
    n, symbols, keys, marks = _keys(p, 2 * p["length"])

    def answers(t: tuple[int, ...]) -> Answers | None:
        found = dict(zip(t[:-1:2], t[1::2], strict=True))
        return (found[t[-1]] - symbols,) if len(found) == n and t[-1] in found else None

    alphabets = [keys, marks] * n + [keys]
    return Task(alphabets, answers, (2 * n,), len(marks), lambda t: (t[:-1:2], t[1::2], t[:-1:2].index(t[-1])))


def _latest(p: dict[str, Any]) -> Task:
    n, symbols, keys, marks = _keys(p, -(-p["length"] // 2))
    said = {mark: mark - symbols for mark in marks}
    answer = _one(lambda t: said.get(dict(zip(t[:-1:2], t[1::2], strict=True)).get(t[-1], -1)))
    return Task([keys, marks] * n + [keys], answer, (2 * n,), len(marks))


def _mqar(p: dict[str, Any]) -> Task:
    n, symbols, keys, marks = _keys(p, p["length"])
    require(n % 2 == 0, "length: even")

    def answers(t: tuple[int, ...]) -> Answers | None:
        found, asked = dict(zip(t[:n:2], t[1:n:2], strict=True)), t[n::2]
        if len(found) != n // 2 or set(asked) != set(found) or any(found[a] != y for a, y in zip(asked, t[n + 1 :: 2], strict=False)):
            return None
        return tuple(found[a] - symbols for a in asked)

    def order(t: tuple[int, ...]) -> Any:
        return t[:n:2], t[1:n:2], [t[:n:2].index(a) for a in t[n::2]]

    return Task(([keys, marks] * n)[:-1], answers, tuple(range(n, 2 * n - 1, 2)), len(marks), order)


def _table(p: dict[str, Any]) -> Task:
    require(isinstance(p["sizes"], list) and isinstance(p["answers"], list) and len(p["sizes"]) > 0, "table: sizes and answers")
    sizes = [whole(size, "sizes", 1) for size in p["sizes"]]
    require(len(p["answers"]) == math.prod(sizes), "table: an answer for each string")
    rows = [None if a is None else whole(a, "answers") for a in p["answers"]]
    alphabets = [range(size) for size in sizes]
    row_of = dict(zip(product(*alphabets), rows, strict=True))
    return Task(alphabets, _one(row_of.__getitem__), (len(sizes) - 1,), max((a for a in rows if a is not None), default=0) + 1)


TASKS: dict[str, tuple[str, Maker]] = {
    "index-lookup": ("length symbols distribution", _lookup),
    "equality": ("length symbols", _halves(int.__eq__, every=True)),
    "intersects": ("length", _halves(int.__and__, every=False)),
    "ones": ("length", _members(lambda _: (Automaton(2, 1, lambda q, bit: q & bit, bool), True))),
    "an-bn": ("length", _members(lambda p: (_balanced(p["length"] / 2), True))),
    "dyck-2": ("length", _members(lambda p: (dyck(2, p["length"]), True))),
    "dyck-next": ("length types depth", _dyck_next),
    "index": ("length thought", _queried(1, lambda x, query, _: x[query[0] - 1], 1)),
    "recall-next": ("length thought", _queried(1, _gram, 1)),
    "c-gram": ("length thought c", _queried(1, _gram, 2)),
    "counting": ("length thought", _queried(4, lambda x, query, _: 1 if x.count(query[0]) > query[1] else 2, 2)),
    "latest-recall": ("length symbols labels", _latest),
    "parity": ("length", _members(lambda p: automaton_of("parity", p))),
    "regular": ("length language alphabet negatives", _members(lambda p: automaton_of("regular", p))),
    "dyck": ("length types depth positives", _members(lambda p: automaton_of("dyck", p))),
    "copy": ("length symbols", _copy),
    "associative-recall": ("length symbols labels", _recall),
    "mqar": ("length symbols labels", _mqar),
    "table": ("sizes answers", _table),
}
