"""`DynamicProgram`: a task that is a dynamic program, stated as data.

[yang2024 Equation 9] [yang2024 Assumption 2; a value is one integer]

    states()            the states in the order in which they are computed
    needs(i, j)         for each state, by name, the earlier cells and the entries of the input that it reads
    transition(...)     the value of a state, as an expression of its coordinates and of what it reads
    read_out(value)     the answer, as an expression of the value of the last state

A prompt is n entries and a separator. A model of a program reads and writes integer vectors

    (entry, kind, coordinates of the state, value, answer)      kind: 0 an entry, 1 the separator, 2 a state, 3 the answer

one for each state, then the answer, and ends with the zero vector.
"""

from __future__ import annotations

import itertools
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.capabilities import PublicLines
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.programs.expression import Expression, Interval
from separatrix.tasks.programs.places import Cell, Entry
from separatrix.tasks.programs.unrolled import SEPARATOR, Unrolled, unroll
from separatrix.tasks.task import Answer, Batch, Integers, Task, need_examples, read_at_end, sized

STEPS_OF_A_STATE = 16  # what a state takes, in steps that look at one token

Vector = tuple[int, ...]


class Form(Protocol):
    """How a program computes and writes: by default one state after the other, as `Unrolled` does."""

    @property
    def answers(self) -> Interval:
        """An interval that holds every answer."""

    @property
    def width(self) -> int:
        """Integers of a vector."""

    def run(self, inputs: Integers) -> Integers:
        """The values that are written on inputs [rows, n], side by side."""

    def run_once(self, entries: Sequence[int]) -> list[int]:
        """The values of all states on one input, in plain Python."""

    def concluded(self, values: Any) -> Any:
        """The answer, from all values; or the answers of many rows."""

    def written(self, values: Integers) -> Integers:
        """The chains as vectors, up to and with the zero vector."""


@dataclass(frozen=True)
class DynamicProgram(Task):
    """A dynamic program over `entries` symbols 0 .. symbols - 1."""

    about = "dynamic programs"

    symbols: int = 4

    tokens: ClassVar[str] = "N + 1"
    length_means: ClassVar[str] = "entries of the input"
    total: ClassVar[bool] = True
    families: ClassVar[tuple[str, ...]] = ("extremes",)
    enumerated_at: ClassVar[Mapping[str, Any]] = sized(length=3, symbols=3)
    counted_at: ClassVar[Mapping[str, Any]] = sized(length=4, symbols=3)
    audited_at: ClassVar[Mapping[str, Any]] = sized(length=8)
    bounded_at: ClassVar[Mapping[str, Any]] = sized(length=32)

    def __init_subclass__(cls) -> None:
        """A program without a name is called after its class: `MatrixChain` is matrix-chain."""
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.symbols <= 4096:
            raise BadInput(f"{self.name}: symbols must lie in 2..4096, found {self.symbols}")

    @abstractmethod
    def states(self) -> Iterable[tuple[int, ...] | int]:
        """The states in the order in which they are computed."""

    @abstractmethod
    def needs(self, *state: int) -> Mapping[str, Cell | Entry]:
        """Where a state reads, by name."""

    @abstractmethod
    def transition(self, *values: Expression) -> Expression:
        """The value of a state; its parameters are coordinates of the state and names of what it needs."""

    def read_out(self, value: Expression) -> Expression:
        """The answer, from the value of the last state."""
        return value

    @property
    def label(self) -> str:
        """What the author calls the program."""
        return self.name

    @property
    def entries(self) -> int:
        """n: how many symbols the input has."""
        return self.length

    @property
    def chain_length(self) -> int:
        """L: the input, a separator, a token for each state, and the answer."""
        return self.entries + sum(1 for _ in self.states()) + 2

    @property
    def answer_steps(self) -> int:
        return STEPS_OF_A_STATE * self.chain_length

    @property
    def unrolled(self) -> Unrolled:
        """Its states, places and intervals."""
        return _unrolled(self)

    @property
    def form(self) -> Form:
        """How it computes and writes."""
        return self.unrolled

    @property
    def vocabulary(self) -> int:
        return self.symbols + 1

    @property
    def targets(self) -> int:
        return max(0, self.form.answers[1]) + 1

    @property
    def token_count(self) -> int:
        return self.entries + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def spelling(self) -> tuple[str, ...]:
        return (*map(str, range(self.symbols)), "|")

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return (range(self.symbols),) * self.entries + ((self.symbols,),)

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        if not self._promised(tokens):
            return None
        return int(self.form.concluded(self.values(tokens)))

    def values(self, tokens: Sequence[int]) -> list[int]:
        """The values of all states on one prompt, in plain Python."""
        return self.form.run_once(tokens[: self.entries])

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        """Draws: i - 1 the entry i."""
        need_examples(seed, count, start)
        return self.answered(integers(self.key(seed), np.arange(start, start + count), np.arange(self.entries), self.symbols))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`extremes`: every entry is the least symbol or the largest."""
        return self.answered(integers(self.key(seed), np.arange(count), np.arange(self.entries), 2) * (self.symbols - 1))

    def answered(self, inputs: Integers) -> Batch:
        """Prompts with these entries, and their answers."""
        prompts = np.pad(inputs, ((0, 0), (0, 1)), constant_values=self.symbols)
        answers = self.form.concluded(self.form.run(inputs))
        return read_at_end(prompts, np.full(len(prompts), self.entries + 1), answers)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return ((*row, self.symbols) for row in itertools.product(range(self.symbols), repeat=self.entries))

    # -- the vectors that a model of the program reads and writes --------------------------------------------------------------------

    @property
    def vector_width(self) -> int:
        """Integers of one vector."""
        return self.form.width

    def as_vectors(self, prompts: Integers) -> tuple[Integers, Integers]:
        """A vector for each token of the prompt; then one for each state, one with the answer, and the zero vector."""
        for tokens in prompts.tolist():
            if not self._promised(tokens):
                raise BadInput(f"{self.name}: expected {self.entries} symbols below {self.symbols} and |, found {tokens!r:.80}")
        read = np.zeros((len(prompts), self.entries + 1, self.vector_width), dtype=np.int64)
        read[:, :-1, 0], read[:, -1, 1] = prompts[:, :-1], SEPARATOR
        return read, self.form.written(self.form.run(prompts[:, :-1]))

    def prompt_of(self, read: Sequence[Vector]) -> list[int]:
        return [*(vector[0] for vector in read[:-1]), self.symbols]

    def vectors(self, tokens: Sequence[int]) -> tuple[Vector, ...]:
        """The prompt of an input as vectors, one for each entry."""
        return _rows(self.as_vectors(np.array([tokens]))[0])

    def chain_of_vectors(self, tokens: Sequence[int]) -> tuple[Vector, ...]:
        """What a model of the program writes after a prompt."""
        return _rows(self.as_vectors(np.array([tokens]))[1])

    def _promised(self, tokens: Sequence[int]) -> bool:
        return len(tokens) == self.entries + 1 and tokens[-1] == self.symbols and all(0 <= token < self.symbols for token in tokens[:-1])


def checked_line(program: DynamicProgram, line: str, entries: Sequence[int]) -> tuple[int, ...]:
    """The prompt of these entries, if the line of public data is the one that the program writes for it."""
    tokens = (*entries, program.symbols)
    if program.answer(tokens) is None:
        raise BadInput(f"{program.name}: not an input of these sizes: {line!r:.80}")
    if not isinstance(program, PublicLines) or program.benchmark_line(tokens) != " ".join(line.split()):
        raise BadInput(f"{program.name}: the chain of this line is not that of the program: {line!r:.80}")
    return tokens


def _rows(vectors: Integers) -> tuple[Vector, ...]:
    return tuple(map(tuple, vectors[0].tolist()))


@lru_cache(maxsize=64)
def _unrolled(program: DynamicProgram) -> Unrolled:
    return unroll(program)
