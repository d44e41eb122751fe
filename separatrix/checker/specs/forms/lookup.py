"""Lookup: the answer at each asked position is the symbol at one place, which the position or the token of the reader decides."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.forms.form import Form

Integers = arrays.Integers


@dataclass(frozen=True, eq=False)
class Readers:
    """Everyone who asks in inputs of one length, one entry each: where it stands, which tokens may stand there, and the place it asks for.

    Positions and places count from 0; the tokens are first .. last.
    """

    position: Integers
    first: Integers
    last: Integers
    place: Integers

    def __len__(self) -> int:
        return len(self.position)


@dataclass(frozen=True)
class Lookup(Form):
    """Token s, one of 0 .. symbols - 1, is the answer s where a reader asks for its place; every other token may be anything it may be."""

    symbols: int
    lengths: range  # numbers of tokens

    @abstractmethod
    def alphabets(self, n: int) -> tuple[range, ...]:
        """The tokens that may stand at each position of an input of n tokens."""

    @abstractmethod
    def readers(self, n: int) -> Readers:
        """All readers of inputs of n tokens."""

    def constant(self) -> bool:
        return self.symbols < 2


@dataclass(frozen=True)
class ByIndex(Lookup):
    """The last token is symbols + p and asks for place p; before it stand n - 1 symbols."""

    def alphabets(self, n: int) -> tuple[range, ...]:
        return (*(range(self.symbols),) * (n - 1), range(self.symbols, self.symbols + n - 1))

    def readers(self, n: int) -> Readers:
        place = arrays.arange(n - 1)
        return Readers(arrays.full(n - 1, n - 1), self.symbols + place, self.symbols + place, place)

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        return {len(tokens) - 1: tokens[tokens[-1] - self.symbols]}


@dataclass(frozen=True)
class ByDelay(Lookup):
    """A word, the token `symbols`, and then symbols: from that token on, each asks for the place `word` before its own."""

    word: int

    def alphabets(self, n: int) -> tuple[range, ...]:
        symbols = range(self.symbols)
        return (*(symbols,) * self.word, range(self.symbols, self.symbols + 1), *(symbols,) * (n - self.word - 1))

    def readers(self, n: int) -> Readers:
        alphabets, position = self.alphabets(n), arrays.arange(self.word, n)
        first, last = (arrays.array([alphabets[t][end] for t in position]) for end in (0, -1))
        return Readers(position, first, last, position - self.word)

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        return {t: tokens[t - self.word] for t in range(self.word, len(tokens))}
