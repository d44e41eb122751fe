"""Tasks whose answers are local: each depends on few places, or on how many of some predicates, of few places each, hold.

Places and positions count from 0. An input of n tokens has its own alphabets, so a separator that stands where the length puts it is an
alphabet of one token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.lookup import Lookup, Readers

Array = arrays.Array
Alphabets = tuple[range, ...]
LARGEST = 4096  # symbols of which every pair is tabulated
TABULATED = 1 << 18  # entries of the tables of all features


@dataclass(frozen=True, eq=False)
class Part:
    """A predicate of the tokens at few places, which are given in rising order."""

    places: tuple[int, ...]
    holds: Array  # of booleans, an axis for each place: by the number of the token in the alphabet of that place


@dataclass(frozen=True, eq=False)
class Parts:
    """The inputs of one length, and what is counted in them."""

    alphabets: Alphabets
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Count(Form):
    """At the last token one answer where at most `above` parts hold, and another where more do: some, all, more than b."""

    lengths: range  # of inputs, in tokens
    at: Callable[[int], Parts]
    above: Callable[[Parts], int]
    few: int  # the answers
    many: int

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        parts = self.at(len(tokens))
        number = [tokens[i] - parts.alphabets[i].start for i in range(len(tokens))]
        holding = sum(bool(part.holds[tuple(number[i] for i in part.places)]) for part in parts.parts)
        return {len(tokens) - 1: self.many if holding > self.above(parts) else self.few}


@dataclass(frozen=True)
class ByHalf(Lookup):
    """A word of symbols, the token `symbols`, and the word again: from that token on, each but the last asks for what comes next."""

    def alphabets(self, n: int) -> tuple[range, ...]:
        half = (range(self.symbols),) * (n // 2)
        return (*half, range(self.symbols, self.symbols + 1), *half)

    def readers(self, n: int) -> Readers:
        alphabets, position = self.alphabets(n), arrays.arange(n // 2, n - 1)
        first, last = (arrays.array([alphabets[t][end] for t in position]) for end in (0, -1))
        return Readers(position, first, last, position - n // 2)

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        h = len(tokens) // 2
        return {t: tokens[t - h] for t in range(h, 2 * h)}


def none(parts: Parts) -> int:
    """The bound of `some part holds`."""
    del parts
    return 0


def different(symbols: int) -> Array:
    """Whether two symbols differ, by their numbers."""
    return arrays.unlike(symbols)
