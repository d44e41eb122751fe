"""`PublicChain`: a dynamic program whose prompt and chain are tokens, in the words of the public data. What a model is trained on.

One vocabulary for all words: ids 0 .. `largest` are the values, then come the symbols of the input, then the marks, of which the last ends
a chain. The program itself is a `DynamicProgram`, which answers; here stands only how its input is drawn and its chain is written.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from separatrix.tasks.capabilities import second_solver
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.task import Batch, Integers, Task, need_examples, read_at_end


@dataclass(frozen=True)
class PublicChain(Task):
    """Inputs of `symbols` symbols."""

    about = "dynamic programs"

    symbols: int = 4

    marks: ClassVar[tuple[str, ...]]
    total: ClassVar[bool] = True
    families: ClassVar[tuple[str, ...]] = ("extremes",)

    @property
    @abstractmethod
    def program(self) -> DynamicProgram:
        """The program that answers."""

    @property
    @abstractmethod
    def largest(self) -> int:
        """The largest value that a chain may contain."""

    @property
    @abstractmethod
    def symbol_words(self) -> tuple[str, ...]:
        """The symbols as text."""

    @abstractmethod
    def drawn(self, seed: int, j: Integers) -> Integers:
        """The entries of examples j, [rows, entries]."""

    @abstractmethod
    def written(self, values: Sequence[int], answer: int) -> list[int]:
        """The ids of a chain up to the answer."""

    @property
    def vocabulary(self) -> int:
        return self.largest + 1 + self.symbols + len(self.marks)

    @property
    def targets(self) -> int:
        return self.vocabulary

    @property
    def token_count(self) -> int:
        return len(self.alphabets())

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def stop(self) -> int:
        return self.vocabulary - 1

    @property
    def spelling(self) -> tuple[str, ...]:
        return (*map(str, range(self.largest + 1)), *self.symbol_words, *self.marks)

    @property
    def letters(self) -> range:
        """The ids of the symbols."""
        return range(self.largest + 1, self.largest + 1 + self.symbols)

    def mark(self, text: str) -> int:
        """The id of a mark."""
        return self.letters.stop + self.marks.index(text)

    def entries(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        """The input of the program, as its own prompt; None outside the promise."""
        places = self.alphabets()
        if len(tokens) != len(places) or any(token not in ids for token, ids in zip(tokens, places, strict=True)):
            return None
        return (*(token - self.letters.start for token in tokens if token in self.letters), self.symbols)

    def answer(self, tokens: Sequence[int]) -> int | None:
        prompt = self.entries(tokens)
        return None if prompt is None else int(self.program.form.concluded(self.values(prompt)))

    def second_answer(self, tokens: Sequence[int]) -> int | None:
        prompt = self.entries(tokens)
        solver = second_solver(self.program)
        answer = None if prompt is None or solver is None else solver(prompt)
        return answer if isinstance(answer, int) else None

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        prompt = self.entries(tokens)
        if prompt is None:
            return None
        values = self.values(prompt)
        return (*self.written(values, int(self.program.form.concluded(values))), self.stop)

    def values(self, prompt: Sequence[int]) -> list[int]:
        """The values of all states; a task may compute them faster than its program says them."""
        return self.program.values(prompt)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self.answered(self.drawn(seed, np.arange(start, start + count)))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`extremes`: every entry is the least symbol or the largest."""
        return self.answered(integers(self.key(seed), np.arange(count), np.arange(self.program.entries), 2) * (self.symbols - 1))

    def answered(self, inputs: Integers) -> Batch:
        """Prompts with these entries, and their answers."""
        places = self.alphabets()
        tokens = np.tile([ids[0] for ids in places], (len(inputs), 1)).astype(np.int64)
        free = [at for at, ids in enumerate(places) if len(ids) > 1]
        tokens[:, free] = inputs + self.letters.start
        form = self.program.form
        return read_at_end(tokens, np.full(len(tokens), len(places)), form.concluded(form.run(inputs)))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return itertools.product(*self.alphabets())
