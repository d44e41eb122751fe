"""What a string of tokens must be answered with, written a second time: the tasks as plain functions, or a table of every answer.

An entry of FUNCTIONS knows which tokens may stand at each place and what the answer is, None outside the promise. `table` is the
function of whoever brings one: sizes of the alphabets, and the answers of all strings, the last token turning fastest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

from separatrix.checker.fields import exactly, same, within
from separatrix.checker.seal import Refused

LONGEST = 4096  # tokens of a string
LARGEST = 1 << 21  # answers of a table, and strings that are counted
Tokens = Sequence[int]


class Function(Protocol):
    """A function of strings of one length."""

    alphabets: tuple[range, ...]

    def answer(self, tokens: Tokens) -> int | None:
        """The answer to a string over the alphabets; None outside the promise."""


class IndexLookup:
    """N symbols, then the token |S| + p - 1: the p-th symbol."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", length=int, symbols=int, distribution=str)
        self.N, self.S = _length(parameters), within(parameters["symbols"], 2, 1 << 20, "symbols")
        _one_of(parameters, "distribution", "evaluation", "training")
        self.alphabets = (range(self.S),) * self.N + (range(self.S, self.S + self.N),)

    def answer(self, tokens: Tokens) -> int | None:
        return tokens[tokens[-1] - self.S]


class Equality:
    """Whether the second half repeats the first."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", length=int, symbols=int)
        self.N, symbols = _length(parameters, even=True), within(parameters["symbols"], 2, 1 << 20, "symbols")
        self.alphabets = (range(symbols),) * self.N

    def answer(self, tokens: Tokens) -> int | None:
        return 1 if all(tokens[i] == tokens[i + self.N // 2] for i in range(self.N // 2)) else 0


class Intersects:
    """Whether two sets, as bits one after the other, share an element."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", length=int)
        self.N = _length(parameters, even=True)
        self.alphabets = (range(2),) * self.N

    def answer(self, tokens: Tokens) -> int | None:
        return 1 if any(tokens[i] and tokens[i + self.N // 2] for i in range(self.N // 2)) else 0


class Dyck:
    """Whether brackets of n types match with depth at most k; type a opens as a and closes as n + a."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", length=int, types=int, depth=int, positives=str)
        self.n, self.k = within(parameters["types"], 1, 1 << 16, "types"), within(parameters["depth"], 1, LONGEST, "depth")
        _one_of(parameters, "positives", "walk", "fair-walk", "uniform")
        self.alphabets = (range(2 * self.n),) * _length(parameters, even=True)

    def answer(self, tokens: Tokens) -> int | None:
        waiting: list[int] = []  # closing brackets that must come, the next one last
        for token in tokens:
            if token < self.n:
                waiting.append(token + self.n)
                if len(waiting) > self.k:
                    return 0
            elif not waiting or waiting.pop() != token:
                return 0
        return 0 if waiting else 1


class Parity:
    """Whether the number of 1s before the end symbol 2 is even."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", length=int)
        self.alphabets = (range(2),) * _length(parameters) + (range(2, 3),)

    def answer(self, tokens: Tokens) -> int | None:
        return (sum(tokens[:-1]) + 1) % 2


class AssociativeRecall:
    """N distinct keys, each followed by its label |S| + y, then one of the keys: its label y."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", length=int, symbols=(int, type(None)), labels=int)
        N, given = _length(parameters), parameters["symbols"]
        self.S = 2 * N if given is None else within(given, N, 1 << 20, "symbols")
        labels = within(parameters["labels"], 2, 1 << 20, "labels")
        self.alphabets = (range(self.S), range(self.S, self.S + labels)) * N + (range(self.S),)

    def answer(self, tokens: Tokens) -> int | None:
        label = {tokens[i]: tokens[i + 1] - self.S for i in range(0, len(tokens) - 1, 2)}
        return label.get(tokens[-1]) if 2 * len(label) + 1 == len(tokens) else None


class Table:
    """Any function: `sizes` of the alphabets 0 .. size - 1, and the answers in row-major order, null outside the promise."""

    def __init__(self, parameters: Any) -> None:
        exactly(parameters, "task_parameters", sizes=list, answers=list)
        sizes, self.answers = parameters["sizes"], parameters["answers"]
        within(len(sizes), 1, 64, "number of sizes")
        for size in sizes:
            within(whole(size, "sizes"), 1, LARGEST, "sizes")
        if math.prod(sizes) > LARGEST or math.prod(sizes) != len(self.answers):
            raise Refused(f"answers: expected {math.prod(sizes)} of them, at most {LARGEST}, found {len(self.answers)}")
        for value in self.answers:
            if value is not None:
                whole(value, "answers")
        self.alphabets = tuple(range(size) for size in sizes)

    def answer(self, tokens: Tokens) -> int | None:
        place = 0
        for token, alphabet in zip(tokens, self.alphabets, strict=True):
            place = place * len(alphabet) + token
        found: int | None = self.answers[place]
        return found


FUNCTIONS: dict[str, type[Function]] = {
    "associative-recall": AssociativeRecall,
    "dyck": Dyck,
    "equality": Equality,
    "index-lookup": IndexLookup,
    "intersects": Intersects,
    "parity": Parity,
    "table": Table,
}


def function(statement: Any, parameters: Any, cites: str) -> Function:
    """The function that a statement names, having the citation that its kind of certificate has."""
    exactly(statement, "statement", cites=str, task=str)
    if statement["cites"] != cites:
        raise Refused(f"statement.cites: expected {cites!r}, found {statement['cites']!r}")
    if statement["task"] not in FUNCTIONS:
        raise Refused(f"no function for the task {statement['task']!r}")
    maker: Any = FUNCTIONS[statement["task"]]
    made: Function = maker(parameters)
    return made


def string(tokens: Any, alphabets: Sequence[range], where: str) -> tuple[int, ...]:
    """A string over these alphabets."""
    if not isinstance(tokens, list) or len(tokens) != len(alphabets):
        raise Refused(f"{where}: expected {len(alphabets)} tokens")
    for token, alphabet in zip(tokens, alphabets, strict=True):
        if whole(token, where) not in alphabet:
            raise Refused(f"{where}: token {token} is none of {alphabet.start}..{alphabet.stop - 1}")
    return tuple(tokens)


def whole(value: Any, where: str) -> int:
    """A whole number, and no truth value."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(f"{where}: expected a whole number, found {type(value).__name__}")
    return value


def alike(claimed: Any, found: Any, where: str) -> None:
    """Refuse a derived list unless it has the same items, of the same types, however deep."""
    if not isinstance(claimed, list) or not isinstance(found, list):
        same(claimed, found, where)
        return
    if len(claimed) != len(found):
        raise Refused(f"{where}: expected {len(found)} items, found {len(claimed)}")
    for i, (one, other) in enumerate(zip(claimed, found, strict=True)):
        alike(one, other, f"{where}[{i}]")


def bits(count: int) -> int:
    """ceil(log2 count)."""
    return (count - 1).bit_length()


def _length(parameters: dict[str, Any], even: bool = False) -> int:
    N = within(parameters["length"], 1, LONGEST, "length")
    if even and N % 2:
        raise Refused(f"length: expected an even number, found {N}")
    return N


def _one_of(parameters: dict[str, Any], key: str, *allowed: str) -> None:
    if parameters[key] not in allowed:
        raise Refused(f"task_parameters.{key}: expected one of {', '.join(allowed)}, found {parameters[key]!r}")
