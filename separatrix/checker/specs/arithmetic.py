"""Arithmetic modulo a prime: a program writes, line by line, what is left after the leftmost operation that can be carried out.

Ids: 0 .. p - 1 the numbers, then + - * / ( ) = and the stop. An input is =, an expression of N operators, =. Brackets enclose an operation
that is not in brackets itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from separatrix.checker.seal import Refused
from separatrix.checker.specs.parameters import Integer, Text
from separatrix.checker.specs.spec import Choices, Spec, Task

SIGNS = "+-*/()="
RANK = {"+": 1, "-": 1, "*": 2, "/": 2}


def arithmetic(length: int, prime: int, order: str) -> Spec:
    """Expressions are lists of integers and signs in this file."""
    N, p, equals = length, prime, prime + SIGNS.index("=")
    if order != "leftmost":
        raise Refused(f"order: expected leftmost, in which the chain follows from the expression, found {order!r:.80}")
    if any(p % d == 0 for d in range(2, p)):
        raise Refused(f"prime: expected a prime number, found {p}")

    def covers(tokens: Sequence[int]) -> bool:
        """Inputs with fewer brackets are shorter."""
        framed = 3 <= len(tokens) <= 4 * N + 1 and tokens[0] == tokens[-1] == equals
        return framed and all(0 <= token < equals for token in tokens[1:-1])

    def lines(tokens: Sequence[int]) -> list[list[Any]] | None:
        """The expression, and what is left after each operation; None if it is not an input."""
        line = [token if token < p else SIGNS[token - p] for token in tokens[1:-1]]
        if sum(token in RANK for token in line) != N or not _takes_turns(line):
            return None
        every = [line]
        while len(line) > 1:
            reduced = _step(line, p)
            if reduced is None:
                return None
            line = reduced
            every.append(line)
        return every if isinstance(line[0], int) else None

    def truth(tokens: Sequence[int]) -> int | None:
        every = lines(tokens)
        return None if every is None else int(every[-1][0])

    def numbered(line: list[Any]) -> list[int]:
        return [token if isinstance(token, int) else p + SIGNS.index(token) for token in line]

    def chain(tokens: Sequence[int]) -> tuple[int, ...]:
        every = lines(tokens)
        if every is None:
            raise AssertionError("a chain for what is not an input")
        written = [token for line in every[1:] for token in ("=", *line)]
        return (*numbered(written[1:]), p + len(SIGNS))

    def sample(choices: Choices, always: bool = False) -> list[int]:
        """A value, of which one number after the other is expanded into an operation; `always`: with brackets."""
        line: list[Any] = [choices.below(p)]
        for s in range(N):
            at = [place for place, token in enumerate(line) if isinstance(token, int)][choices.below(s + 1)]
            _expand(line, at, choices, p, always)
        return numbered(["=", *line, "="])

    return Spec(
        title=f"arithmetic modulo {p}, {N} operator{'s' * (N > 1)}, the leftmost operation first",
        alphabets=(range(equals, equals + 1), *(range(p + 7),) * (4 * N - 1), range(equals, equals + 1)),
        vocabulary=p + len(SIGNS) + 1,
        targets=p + len(SIGNS) + 1,
        truth=truth,
        input_count=4 * p**2 - p if N == 1 else None,
        covers=covers,
        several_lengths=True,
        decoder="greedy",
        chain=chain,
        written=2 * N**2 - 2 * N + 2,
        drawing=1 << 12,
        sample=sample,
        families={"brackets": partial(sample, always=True)},
    )


def _expand(line: list[Any], at: int, choices: Choices, p: int, always: bool) -> None:
    """An operation gets brackets behind /, and + and - get them behind * or - and before * or /; or always, but for the outermost."""
    sign, v, some, unit = SIGNS[choices.below(4)], line[at], choices.below(p), 1 + choices.below(p - 1)
    a, b = {
        "+": (some, (v - some) % p),
        "-": (some, (some - v) % p),
        "*": (unit, v * pow(unit, p - 2, p) % p) if v else ((0, some) if choices.below(2) else (some, 0)),
        "/": (v * unit % p, unit),
    }[sign]
    before, after = "".join(map(str, line[max(0, at - 1) : at])), "".join(map(str, line[at + 1 : at + 2]))
    binds = before == "/" or (sign in "+-" and (before in ("*", "-") or after in ("*", "/")))
    wrapped = binds or (always and len(line) > 1)
    line[at : at + 1] = ["(", a, sign, b, ")"] if wrapped else [a, sign, b]


def _takes_turns(line: list[Any]) -> bool:
    """Whether operands and operators take turns; which brackets belong together is found out later."""
    wanted = True  # an operand
    for token in line:
        if wanted != (isinstance(token, int) or token == "("):
            return False
        wanted = token in RANK or token == "("
    return not wanted


def _step(line: list[Any], p: int) -> list[Any] | None:
    """Read from the left, holding back operators that bind less: the first that is not held back is carried out."""
    held: list[int] = []  # places of operators and open brackets
    for place, token in enumerate([*line, "="]):
        if isinstance(token, int) or token == "(":
            held += [place] if token == "(" else []
            continue
        top = line[held[-1]] if held else "("
        if top in RANK and (token not in RANK or RANK[top] >= RANK[token]):
            return _carried_out(line, held[-1], token, p)
        if token in (")", "="):
            return None  # a bracket around a single number, or one that does not match
        held.append(place)
    return None


def _carried_out(line: list[Any], at: int, after: Any, p: int) -> list[Any] | None:
    a, sign, b = line[at - 1] if at else None, line[at], line[at + 1] if at + 1 < len(line) else None
    if not isinstance(a, int) or not isinstance(b, int) or (sign == "/" and not b):
        return None
    value = {"+": a + b, "-": a - b, "*": a * b, "/": a * pow(b, p - 2, p)}[sign] % p
    wide = int(after == ")" and at >= 2 and line[at - 2] == "(")
    return [*line[: at - 1 - wide], value, *line[at + 2 + wide :]]


TASKS = {"arithmetic": Task({"length": Integer(1, 60), "prime": Integer(2, 101), "order": Text(80)}, arithmetic)}
