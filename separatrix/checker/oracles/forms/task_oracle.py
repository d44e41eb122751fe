"""A task as the checker knows it: its inputs, the right answer to each, and how test cases are drawn.

Written a second time, from the description of the task and not from its code. A case is (tokens, {position: target}).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from separatrix.checker.oracles.forms.form import Form
from separatrix.checker.oracles.forms.words import Words
from separatrix.checker.seal import Refused

Tokens = npt.NDArray[np.int64]
Case = tuple[Tokens, dict[int, int]]
Answer = int | tuple[int, ...]
LONGEST = 10**7  # tokens of one input


@dataclass(frozen=True)
class Number:
    """Identifies a case: number `number`, from 0, of the `count` cases of a family under a seed."""

    family: str
    seed: int
    number: int
    count: int


class TaskOracle(ABC):
    """One task at the sizes of a claim. The author of a certificate chooses nothing here but the parameters."""

    name: ClassVar[str]
    families: tuple[str, ...] = ()  # every family of test cases that the task has
    decoder: str = "position"  # the answer is read at the last token; `positions`: at every position that is scored; or in a chain
    drawing: int = 1 << 8  # work to draw one token, in the units of `plan`
    answering: ClassVar[int] = 300  # work to answer, for each token of the input
    several_lengths: bool = False  # whether the claim covers inputs of several lengths
    places: Mapping[str, int] = MappingProxyType({})  # families that, at this count, query every place once
    parameters: Mapping[str, Any]
    vocabulary: int
    targets: int
    vectors: int = 0  # integers of a vector, where a program reads vectors instead of tokens and rounds what it writes
    tokens: int  # of the longest input, chain included
    title: str  # the task and its sizes, in the words of a certificate's sentence
    input_count: int | None  # all inputs at every length of the claim; None if they are too many to run
    search: tuple[int, int, tuple[str, ...]] | None = None  # the tokens around a search, and the text of each token
    state_bits: int = 0  # no recurrent model with fewer bits of state solves the task at these sizes; 0 if no bound is known

    @property
    @abstractmethod
    def alphabets(self) -> tuple[range, ...]:
        """The tokens allowed at each place of an input of full length."""

    @abstractmethod
    def truth(self, tokens: Sequence[int]) -> Answer | None:
        """The answer to an input over the alphabets; None outside the promise."""

    @abstractmethod
    def draw(self, case: Number) -> Tokens:
        """The tokens of one case."""

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        """The answer to any sequence of tokens; None outside the promise, and for inputs that the claim does not cover."""
        return self.truth(tokens) if self.allows(tokens) else None

    def allows(self, tokens: Sequence[int]) -> bool:
        """Whether the claim covers an input of this length with these tokens."""
        return len(tokens) == len(self.alphabets) and all(map(range.__contains__, self.alphabets, tokens))

    def chain(self, tokens: Sequence[int]) -> tuple[Any, ...]:
        """The tokens, or the vectors, that a program writes after the input, if the task has a chain of thought."""
        del tokens
        return ()

    def as_read(self, tokens: Tokens) -> Tokens:
        """What a program reads of an input: the tokens, or a vector for each."""
        return tokens

    def form(self) -> Form | None:
        """What is right, as a declaration that proof rules read; None where no rule speaks of the task."""
        return None

    def cases(self, family: str, seed: int, count: int) -> Iterator[Case]:
        """The cases of a family, in order: those that the task itself draws from this seed."""
        if family not in self.families:
            raise Refused(f"{self.name} has no cases {family!r}")
        for number in range(count):
            yield self.asked(self.draw(Number(family, seed, number, count)))

    def all_cases(self) -> Iterator[Case]:
        """Every input of every length of the claim."""
        for tokens in self.inputs():
            if self.truth(tokens) is not None:
                yield self.asked(np.array(tokens, dtype=np.int64))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        """Every string over the alphabets, at every length of the claim."""
        return product(*self.alphabets)

    def asked(self, tokens: Tokens) -> Case:
        """An input and its answer, at the last token."""
        answer = self.truth(tokens.tolist())
        if not isinstance(answer, int):
            raise AssertionError(f"{self.name}: a case has the answer {answer!r}")
        return tokens, {len(tokens) - 1: answer}

    def words(self, seed: int, number: int) -> Words:
        """The random words of one example."""
        return Words(self.name, self.parameters, seed, number)
