"""Tasks whose answers are local: each depends on few places, or on how many of some predicates, of few places each, hold.

Places and positions count from 0. An input of n tokens has its own alphabets, so a separator that stands where the length puts it is an
alphabet of one token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.lookup import Lookup, Readers

Array = arrays.Array
Alphabets = tuple[range, ...]
LARGEST = 4096  # symbols of which every pair is tabulated
ALL = 12  # bits of an input up to which all are gone through, to meet another answer
ROUNDS = 4  # in which every token is changed, to meet another answer
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

    def constant(self) -> bool:
        """By all inputs of full length where they are few; else no second answer is met where one token after another is changed, as long
        as that does not lead away from it. So a formula that is hard to meet counts as constant, and is not proven.
        """
        asked = self.at(self.lengths[-1])
        if sum((len(alphabet) - 1).bit_length() for alphabet in asked.alphabets) <= ALL:
            return len({*(self.answers(tokens)[len(tokens) - 1] for tokens in product(*asked.alphabets))}) < 2
        number, seeing = [0] * len(asked.alphabets), dict[int, list[Part]]()
        for part in asked.parts:
            for place in part.places:
                seeing.setdefault(place, []).append(part)

        def held(parts: Sequence[Part]) -> int:
            return sum(bool(part.holds[tuple(number[i] for i in part.places)]) for part in parts)

        above, holding = self.above(asked), held(asked.parts)
        sign = -1 if holding > above else 1  # towards the other answer
        for place, parts in [*seeing.items()] * ROUNDS:
            for token in range(len(asked.alphabets[place])):
                before, old = held(parts), number[place]
                number[place] = token
                change = held(parts) - before
                if sign * change < 0:
                    number[place] = old
                    continue
                holding += change
                if (holding > above) is (sign > 0):
                    return False
        return True


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


def settled(parts: tuple[Part, ...]) -> tuple[int, list[Part]]:
    """How many parts hold whatever the input, and those that depend on it, without places that have one token only."""
    always, open_ = 0, []
    squeezed: dict[int, Array] = {}  # parts share tables, and what is known of a table is known by its identity
    for part in parts:
        if part.holds.all() or not part.holds.any():
            always += bool(part.holds.all())
            continue
        table = squeezed.setdefault(id(part.holds), part.holds.squeeze() if 1 in part.holds.shape else part.holds)
        open_.append(Part(tuple(p for p, size in zip(part.places, part.holds.shape, strict=True) if size > 1), table))
    return always, open_
