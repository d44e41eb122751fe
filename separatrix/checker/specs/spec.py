"""A task as the checker knows it: one value that says what its inputs are, what is right, and how a program answers.

Written from the description of the task and not from its code. A case is (tokens, {position: target}).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Protocol

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.parameters import Field, checked

Tokens = arrays.Integers
Case = tuple[Tokens, dict[int, int]]
Answer = int | tuple[int, ...]
LONGEST = 10**7  # tokens of one input


class Choices(Protocol):
    """The choices from which a test case is made, one after the other; `checker/cases.py` makes them."""

    @property
    def number(self) -> int:
        """The number of the case in its family, from 0."""

    def below(self, n: int) -> int:
        """An integer 0 .. n - 1."""

    def many(self, count: int, n: int) -> Tokens:
        """So many of them."""

    def taken(self, count: int, cards: int) -> list[int]:
        """Different integers 0 .. cards - 1, in any order."""


Sample = Callable[[Choices], Sequence[int] | Tokens]


@dataclass(frozen=True, eq=False, kw_only=True)
class Spec:
    """One task at the sizes of a claim. The author of a certificate chooses nothing here but the parameters."""

    title: str  # the task and its sizes, in the words of a certificate's sentence
    alphabets: tuple[range, ...]  # the tokens allowed at each place of an input of full length
    vocabulary: int
    targets: int
    truth: Callable[[Sequence[int]], Answer | None]  # the answer to an input over the alphabets; None outside the promise
    input_count: int | None  # all inputs at every length of the claim; None if they are too many to run
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    covers: Callable[[Sequence[int]], bool] | None = None  # where the claim names several lengths: whether an input is one of them
    several_lengths: bool = False
    listed: Callable[[], Iterable[tuple[int, ...]]] | None = None  # every input; without it all strings over the alphabets
    form: Callable[[], Form | None] = lambda: None  # what is right, as a declaration that proof rules read
    decoder: str = "position"  # the answer is read at the last token; `positions`: at every position that is scored; or in a chain
    scored: Callable[[Sequence[int]], Iterable[int]] | None = None  # these positions
    chain: Callable[[Sequence[int]], tuple[Any, ...]] = lambda _: ()  # the tokens, or the vectors, that a program writes after the input
    written: int = 0  # of them, at most
    search: tuple[int, int, tuple[str, ...]] | None = None  # the tokens around a search, and the text of each token
    vectors: int = 0  # integers of a vector, where a program reads vectors instead of tokens and rounds what it writes
    as_read: Callable[[Tokens], Tokens] = lambda tokens: tokens  # what a program reads of an input: the tokens, or a vector for each
    state_bits: int = 0  # no recurrent model with fewer bits of state solves the task at these sizes; 0 if no bound is known
    answering: int = 300  # work to answer, for each token of the input
    drawing: int = 1 << 8  # work to draw one token, in the units of `plan`
    sample: Sample | None = None  # an input from choices; without it every token is one choice
    families: Mapping[str, Sample] = field(default_factory=dict)  # of test cases, besides those that every task has
    drawn: bool = True  # whether cases are drawn at all; else all inputs are run or none

    @property
    def tokens(self) -> int:
        """Tokens of the longest input, chain included."""
        return len(self.alphabets) + self.written

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        """The answer to any sequence of tokens; None outside the promise, and for inputs that the claim does not cover."""
        return self.truth(tokens) if self.allows(tokens) else None

    def allows(self, tokens: Sequence[int]) -> bool:
        """Whether the claim covers an input of this length with these tokens."""
        if self.covers is not None:
            return self.covers(tokens)
        return len(tokens) == len(self.alphabets) and all(map(range.__contains__, self.alphabets, tokens))

    def inputs(self) -> Iterable[tuple[int, ...]]:
        """All inputs, at every length of the claim; strings outside the promise may be among them."""
        return product(*self.alphabets) if self.listed is None else self.listed()

    def all_cases(self) -> Iterator[Case]:
        """Every input of every length of the claim."""
        return (self.asked(arrays.integers(tokens)) for tokens in self.inputs() if self.truth(tokens) is not None)

    def asked(self, tokens: Tokens) -> Case:
        """An input and its answers, where they are due."""
        row = tokens.tolist()
        answer = self.truth(row)
        if answer is None:
            raise AssertionError(f"{self.name}: a case outside the promise")
        positions = [len(row) - 1] if self.scored is None else self.scored(row)
        return tokens, dict(zip(positions, answer if isinstance(answer, tuple) else (answer,), strict=True))


@dataclass(frozen=True)
class Task:
    """A task of the table: its parameters with their ranges, and the spec at values that lie within them."""

    fields: Mapping[str, Field]
    make: Callable[..., Spec]
    extensions: Mapping[str, Field] = field(default_factory=dict)  # parameters that a claim may leave out

    def at(self, name: str, parameters: Any) -> Spec:
        """The spec at these parameters; refused before anything is built where one is outside its range."""
        return replace(self.make(**checked({**self.fields, **self._chosen(parameters)}, parameters)), name=name, parameters=parameters)

    def _chosen(self, parameters: Any) -> dict[str, Field]:
        return {key: kind for key, kind in self.extensions.items() if isinstance(parameters, dict) and key in parameters}
