"""Arithmetic modulo a prime: a program writes, line by line, what is left after the leftmost operation that can be carried out.

Ids: 0 .. p - 1 the numbers, then + - * / ( ) = and the stop. An input is =, an expression of N operators, =. Brackets enclose an operation
that is not in brackets itself. Draws: 4 s + 0 .. 3 which number step s expands, its operation, its free operand (below p, or below p - 1
for one that must not be 0), and which factor of 0 is 0; 4 N the value. An operation gets brackets behind /, and + and - get them behind
* or - and before * or /; in the family `brackets` every operation but the outermost has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words
from separatrix.checker.seal import Refused

LONGEST, LARGEST = 60, 101
SIGNS = "+-*/()="
RANK = {"+": 1, "-": 1, "*": 2, "/": 2}


class Oracle(TaskOracle):
    """Expressions are lists of integers and signs in this file."""

    name = "arithmetic"
    families = ("random", "brackets")
    decoder = "greedy"
    drawing = 1 << 12

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, prime=int, order=str)
        if parameters["order"] != "leftmost":
            raise Refused(f"order: expected leftmost, in which the chain follows from the expression, found {parameters['order']!r:.80}")
        self.N, self.p = within(parameters["length"], 1, LONGEST, "length"), within(parameters["prime"], 2, LARGEST, "prime")
        if any(self.p % d == 0 for d in range(2, self.p)):
            raise Refused(f"prime: expected a prime number, found {self.p}")
        self.vocabulary = self.targets = self.p + len(SIGNS) + 1
        self.tokens = 4 * self.N + 1 + 2 * self.N**2 - 2 * self.N + 2
        self.title = f"arithmetic modulo {self.p}, {self.N} operator{'s' * (self.N > 1)}, the leftmost operation first"
        self.input_count = 4 * self.p**2 - self.p if self.N == 1 else None

    @property
    def alphabets(self) -> tuple[range, ...]:
        end = range(self.p + 6, self.p + 7)
        return (end, *(range(self.p + 7),) * (4 * self.N - 1), end)

    def allows(self, tokens: Sequence[int]) -> bool:
        """Inputs with fewer brackets are shorter."""
        equals = self.p + SIGNS.index("=")
        framed = 3 <= len(tokens) <= 4 * self.N + 1 and tokens[0] == tokens[-1] == equals
        return framed and all(0 <= token < equals for token in tokens[1:-1])

    def truth(self, tokens: Sequence[int]) -> int | None:
        lines = self._lines(tokens)
        return None if lines is None else int(lines[-1][0])

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        lines = self._lines(tokens)
        if lines is None:
            raise AssertionError("a chain for what is not an input")
        written: list[Any] = []
        for line in lines[1:]:
            written += ["=", *line]
        return (*map(self._id, written[1:]), self.vocabulary - 1)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        line: list[Any] = [words.below(4 * self.N, self.p)]
        for s in range(self.N):
            self._expand(line, words, s, case.family == "brackets")
        return np.array([*map(self._id, ["=", *line, "="])], dtype=np.int64)

    def _expand(self, line: list[Any], words: Words, s: int, always: bool) -> None:
        p, numbers = self.p, [place for place, token in enumerate(line) if isinstance(token, int)]
        at, sign = numbers[words.below(4 * s, s + 1)], SIGNS[words.below(4 * s + 1, 4)]
        v, some, unit = line[at], words.below(4 * s + 2, p), 1 + words.below(4 * s + 2, p - 1)
        a, b = {
            "+": (some, (v - some) % p),
            "-": (some, (some - v) % p),
            "*": (unit, v * pow(unit, p - 2, p) % p) if v else ((0, some) if words.below(4 * s + 3, 2) else (some, 0)),
            "/": (v * unit % p, unit),
        }[sign]
        before, after = "".join(map(str, line[max(0, at - 1) : at])), "".join(map(str, line[at + 1 : at + 2]))
        binds = before == "/" or (sign in "+-" and (before in ("*", "-") or after in ("*", "/")))
        wrapped = binds or (always and len(line) > 1)
        line[at : at + 1] = ["(", a, sign, b, ")"] if wrapped else [a, sign, b]

    def _lines(self, tokens: Sequence[int]) -> list[list[Any]] | None:
        """The expression, and what is left after each operation; None if it is not an input."""
        line = [token if token < self.p else SIGNS[token - self.p] for token in tokens[1:-1]]
        if sum(token in RANK for token in line) != self.N:
            return None
        lines = [line]
        while len(line) > 1:
            reduced = self._step(line)
            if reduced is None:
                return None
            line = reduced
            lines.append(line)
        return lines if isinstance(line[0], int) else None

    def _step(self, line: list[Any]) -> list[Any] | None:
        """Read from the left, holding back operators that bind less: the first that is not held back is carried out."""
        held: list[int] = []  # places of operators and open brackets
        for place, token in enumerate([*line, "="]):
            if isinstance(token, int) or token == "(":
                held += [place] if token == "(" else []
                continue
            top = line[held[-1]] if held else "("
            if top in RANK and (token not in RANK or RANK[top] >= RANK[token]):
                return self._carried_out(line, held[-1], token)
            if token in (")", "="):
                return None  # a bracket around a single number, or one that does not match
            held.append(place)
        return None

    def _carried_out(self, line: list[Any], at: int, after: Any) -> list[Any] | None:
        a, sign, b = line[at - 1] if at else None, line[at], line[at + 1] if at + 1 < len(line) else None
        if not isinstance(a, int) or not isinstance(b, int) or (sign == "/" and not b):
            return None
        value = {"+": a + b, "-": a - b, "*": a * b, "/": a * pow(b, self.p - 2, self.p)}[sign] % self.p
        wide = int(after == ")" and at >= 2 and line[at - 2] == "(")
        return [*line[: at - 1 - wide], value, *line[at + 2 + wide :]]

    def _id(self, token: Any) -> int:
        return token if isinstance(token, int) else self.p + SIGNS.index(token)
