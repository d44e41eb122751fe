"""Arithmetic modulo a prime, step by step: each line carries out one operation of the line before.

[yang2024 Task 1] [yang2024 Task 6]

    = 2 * ( 3 + 4 ) =   ->   2 * 7 = 3 <eos>        modulo 11: 2 (3 + 4) = 3

A handle is an operation whose operands are numbers and that may be carried out: every line resolves the leftmost one, with the usual
precedence, from the left. Brackets go with the operation that they enclose; a pair that encloses a single number, or a pair of brackets,
is outside the promise, and so is a division by 0.
The public data carry out the operations in another order, that in which a random number was expanded into the expression, backwards:
`order="reverse-expansion"`. Then the chain is not a function of the expression, so it comes with the draw (`drawn_chains`), and no
model can be right about all of it; only its last number can be scored.
Ids: 0 .. p - 1 the numbers, then + - * / ( ) = and <eos>. An input has N operators, between two =.
Draws: 4 s + 0 .. 3 which number step s expands, by which operation, its free operand, and which factor of 0 is 0; 4 N the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.capabilities import Revealed
from separatrix.tasks.drawing.counter import below, integers, words
from separatrix.tasks.task import Batch, Integers, Task, need_examples, read_at_end, sized

SIGNS = "+-*/()="


@dataclass(frozen=True)
class Arithmetic(Task):
    """N operators over the integers modulo `prime`."""

    prime: int = 11
    order: Literal["leftmost", "reverse-expansion"] = "leftmost"

    name = "arithmetic"
    title = "Arithmetic"
    about = "dynamic programs"
    cites = "yang2024 Task 6"
    tokens = "4 N + 1"
    length_means = "operators"
    families = ("brackets",)
    distribution: ClassVar[str] = "any number of brackets"  # the fewer, the shorter an input
    drawn_at = sized(length=3)
    enumerated_at = sized(length=1, prime=2)
    counted_at = sized(length=1, prime=3)
    audited_at = sized(length=3)
    bounded_at = sized(length=16)
    sampled_at = (sized(length=1, prime=2), sized(length=6, prime=5))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.prime <= 101 or any(self.prime % d == 0 for d in range(2, self.prime)):
            raise BadInput(f"arithmetic: prime must be a prime number up to 101, found {self.prime}")

    @property
    def vocabulary(self) -> int:
        return self.prime + len(SIGNS) + 1

    @property
    def targets(self) -> int:
        return self.vocabulary

    @property
    def token_count(self) -> int:
        return 4 * self.length + 1

    def revealed_by_chain(self) -> Revealed:
        """bounds/programs/chains.py lists inputs whose chains all differ."""
        p, m = self.prime, self.length
        return Revealed(math.log2(p) + (m - 1) * math.log2(4 * p - 1), "log2 p + (m - 1) log2(4 p - 1)")

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def spelling(self) -> tuple[str, ...]:
        return (*map(str, range(self.prime)), *SIGNS, "<eos>")

    @property
    def stop(self) -> int:
        return self.vocabulary - 1

    @property
    def chain_limit(self) -> int:
        """Lines of 4 j - 1 tokens for j = N - 1 .. 1, each with its =, then a number and the stop."""
        return 2 * self.length**2 - 2 * self.length + 2

    def sign(self, text: str) -> int:
        """The id of an operation, a bracket or =."""
        return self.prime + SIGNS.index(text)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        ends = (self.sign("="),)
        return (ends, *(range(self.vocabulary - 1),) * (self.token_count - 2), ends)

    @property
    def input_count(self) -> int:
        return 4 * self.prime**2 - self.prime if self.length == 1 else 0

    def answer(self, tokens: Sequence[int]) -> int | None:
        """By recursive descent: sums of products of numbers and brackets."""
        equals, inner = self.sign("="), [*tokens[1:-1]]
        if len(tokens) < 3 or tokens[0] != equals or tokens[-1] != equals or not all(0 <= token < equals for token in inner):
            return None
        if sum(self.sign("+") <= token <= self.sign("/") for token in inner) != self.length:
            return None
        reader = _Reader(self, inner)
        value = reader.sum()
        return value if reader.place == len(inner) else None

    def operate(self, a: int, operation: int, b: int) -> int | None:
        """a operation b modulo p; None for a division by 0."""
        p = self.prime
        if operation == self.sign("/"):
            return a * pow(b, -1, p) % p if b else None
        by: dict[int, Callable[[int, int], int]] = {
            self.sign("+"): lambda x, y: x + y,
            self.sign("-"): lambda x, y: x - y,
            self.sign("*"): lambda x, y: x * y,
        }
        return by[operation](a, b) % p

    def second(self, tokens: Sequence[int]) -> int | None:
        return self.lines(tokens)[-1][0]

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        return self._written(self.lines(tokens)) if self.order == "leftmost" else None

    def drawn_chains(self, seed: int, count: int, start: int = 0) -> list[tuple[int, ...]] | None:
        if self.order == "leftmost":
            return None
        return [self._written(lines) for lines in self.histories(seed, count, start)]

    def _written(self, lines: list[list[int]]) -> tuple[int, ...]:
        written: list[int] = []
        for line in lines[1:]:
            written += [*line, self.sign("=")]
        return (*written[:-1], self.stop)

    def benchmark_line(self, tokens: Sequence[int]) -> str:
        """`e_N = e_(N-1) = .. = e_0`, the leftmost operation first; in the order of the public data lines come with the draw."""
        return " = ".join(self.text(line) for line in self.lines(tokens))

    def line_with_chain(self, tokens: Sequence[int], chain: Sequence[int]) -> str:
        return self.text([*tokens[1:-1], self.sign("="), *chain[:-1]])

    def read_benchmark(self, line: str) -> tuple[int, ...]:
        """The expression and the value of a line, in whatever order its chain is."""
        expression, *_, value = line.split("=")
        tokens = self.read(f"= {expression} =")
        if str(self.answer(tokens)) != value.strip():
            raise BadInput(f"arithmetic: {expression.strip()} modulo {self.prime} is {self.answer(tokens)}, found {value.strip()}")
        return tokens

    def lines(self, tokens: Sequence[int]) -> list[list[int]]:
        """The expression, and what is left of it after each operation."""
        lines = [[*tokens[1:-1]]]
        while len(lines[-1]) > 1:
            lines.append(self._reduced(lines[-1]))
        return lines

    def _reduced(self, line: list[int]) -> list[int]:
        """The line after its leftmost handle."""
        p, plus, minus, times, over, opening, closing, equals = self.prime, *map(self.sign, SIGNS)
        framed = [equals, *line, equals]
        for at in range(1, len(framed) - 3):
            before, a, operation, b, after = framed[at - 1 : at + 4]
            if a >= p or b >= p or not plus <= operation <= over:
                continue
            low = operation in (plus, minus) and before in (opening, equals) and after in (plus, minus, closing, equals)
            high = operation in (times, over) and before in (opening, equals, plus, minus)
            if low or high:
                value = self.operate(a, operation, b)
                if value is None:
                    break
                wide = before == opening and after == closing
                return [*framed[1 : at - wide], value, *framed[at + 3 + wide : -1]]
        raise BadInput(f"arithmetic: no operation can be carried out in {self.text(line)}")

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._expanded(seed, np.arange(start, start + count), False)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`brackets`: around every operation but the outermost, so that inputs are longest."""
        return self._expanded(seed, np.arange(count), True)

    def _expanded(self, seed: int, j: Integers, always: bool) -> Batch:
        """What random numbers are expanded into."""
        histories = self._histories(seed, j, always)
        rows = [[self.sign("="), *lines[0], self.sign("=")] for lines in histories]
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        tokens = np.zeros((len(rows), int(lengths.max(initial=1))), dtype=np.int64)
        for r, row in enumerate(rows):
            tokens[r, : len(row)] = row
        return read_at_end(tokens, lengths, np.array([lines[-1][0] for lines in histories], dtype=np.int64))

    def histories(self, seed: int, count: int, start: int = 0) -> list[list[list[int]]]:
        """For each example the expression, and what it was before each expansion, back to a number."""
        need_examples(seed, count, start)
        return self._histories(seed, np.arange(start, start + count), False)

    def _histories(self, seed: int, j: Integers, always: bool) -> list[list[list[int]]]:
        """A random number, of which N times one number is replaced by an operation of that value; the last first."""
        N, p, key = self.length, self.prime, self.key(seed)
        drawn = words(key, j, np.arange(4 * N))
        which = below(drawn[:, 0::4], np.arange(1, N + 1))
        operation, operand, coin = below(drawn[:, 1::4], 4), drawn[:, 2::4], below(drawn[:, 3::4], 2)
        values = integers(key, j, [4 * N], p)[:, 0]
        histories = []
        for r in range(len(j)):
            lines = [[int(values[r])]]
            for s in range(N):
                line = [*lines[0]]
                self._expand(line, int(which[r, s]), int(operation[r, s]), operand[r, s], bool(coin[r, s]), always)
                lines.insert(0, line)
            histories.append(lines)
        return histories

    def _expand(self, line: list[int], which: int, operation: int, word: np.uint64, coin: bool, always: bool) -> None:
        p = self.prime
        at = [place for place, token in enumerate(line) if token < p][which]
        v, sign = line[at], SIGNS[operation]
        free, rest = (int(below(np.array(word), bound)) for bound in (p, p - 1))
        if sign == "/":
            a, b = v * (1 + rest) % p, 1 + rest
        elif sign == "*" and v:
            a, b = 1 + rest, v * pow(1 + rest, -1, p) % p
        elif sign == "*":
            a, b = (0, free) if coin else (free, 0)
        else:
            a, b = free, (v - free if sign == "+" else free - v) % p
        left = line[at - 1] if at else -1
        right = line[at + 1] if at + 1 < len(line) else -1
        low = sign in "+-"
        needed = left == self.sign("/") or (
            low and (left in (self.sign("*"), self.sign("-")) or right in (self.sign("*"), self.sign("/")))
        )  # fmt: skip
        term = [a, self.sign(sign), b]
        line[at : at + 1] = [self.sign("("), *term, self.sign(")")] if needed or (always and len(line) > 1) else term


class _Reader:
    """A recursive descent over the ids of an expression; values are None outside the promise."""

    def __init__(self, task: Arithmetic, line: list[int]) -> None:
        self.task, self.line, self.place, self.operations = task, line, 0, 0

    def sum(self) -> int | None:
        return self._left_to_right("+-", lambda: self._left_to_right("*/", self.atom))

    def atom(self) -> int | None:
        """A number, or brackets around at least one operation that is not in brackets itself."""
        token = self._take()
        if token is not None and token < self.task.prime:
            return token
        if token != self.task.sign("("):
            return None
        outside, self.operations = self.operations, 0
        value = self.sum()
        enclosed, self.operations = self.operations, outside
        return value if enclosed and self._take() == self.task.sign(")") else None

    def _left_to_right(self, signs: str, operand: Callable[[], int | None]) -> int | None:
        value = operand()
        while value is not None and self.place < len(self.line) and self.line[self.place] in map(self.task.sign, signs):
            operation = self.line[self.place]
            self.place, self.operations = self.place + 1, self.operations + 1
            other = operand()
            value = None if other is None else self.task.operate(value, operation, other)
        return value

    def _take(self) -> int | None:
        self.place += 1
        return self.line[self.place - 1] if self.place <= len(self.line) else None
