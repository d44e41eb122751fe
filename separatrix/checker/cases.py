"""Test cases, drawn by one rule of the checker's own: an input is made from choices, and a family says how the choices are made.

    random          every choice is uniform
    extremes        every choice is the least or the largest
    near-constant   every choice is the same share of what there is to choose, but for at most one

These make an input of every task, by its `sample` or token by token over its alphabets. A task may have families of its own, whose choices
are uniform. A case outside the promise is drawn again, and at last made from choices of 0. Case j takes its words from the stream of
`specs/words.py` for the task "cases", the parameters {"family", "attempt"}, the seed of the plan, and example j.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.specs.spec import Case, Choices, Sample, Spec, Tokens
from separatrix.checker.specs.words import Words

ATTEMPTS = 8
CONSTANT, EXTREMES, RANDOM = "near-constant", "extremes", "random"


def families(spec: Spec) -> tuple[str, ...]:
    """Every family of test cases that a task has; between two symbols every choice is extreme."""
    if not spec.drawn:
        return ()
    several = any(len(alphabet) > 2 for alphabet in set(spec.alphabets))
    return (RANDOM, *((EXTREMES,) if several else ()), CONSTANT, *spec.families)


def drawn(spec: Spec, family: str, seed: int, count: int) -> Iterator[Case]:
    """The cases of a family: by length where there are several, so that cases of one length run side by side, and then by number."""
    if family not in families(spec):
        raise Refused(f"{spec.name} has no cases {family!r}")
    sample = spec.families.get(family) or spec.sample or over_alphabets(spec)
    cases = (_inside(spec, sample, family, seed, number) for number in range(count))
    return (spec.asked(tokens) for tokens in (sorted(cases, key=len) if spec.several_lengths else cases))


def _inside(spec: Spec, sample: Sample, family: str, seed: int, number: int) -> Tokens:
    """A case that is inside the promise."""
    for attempt in range(ATTEMPTS + 1):
        words = Words("cases", {"family": family, "attempt": attempt}, seed, number)
        choices: Drawn = Least(words, number) if attempt == ATTEMPTS else _choices(sample, family, words, number)
        tokens = arrays.integers(sample(choices))
        if spec.truth(tokens.tolist()) is not None:
            return tokens
    raise Refused(f"{spec.title}: no case of the family {family} lies inside the promise")


def _choices(sample: Sample, family: str, words: Words, number: int) -> Drawn:
    if family == EXTREMES:
        return Extreme(words, number)
    if family != CONSTANT:
        return Drawn(words, number)
    count = Constant(words, number, -1)
    sample(count)  # how many choices there are
    return Constant(words, number, words.below(1, count.made + 1))


def over_alphabets(spec: Spec) -> Sample:
    """Every token of an input of full length is one choice."""
    runs = [(alphabet, sum(1 for _ in same)) for alphabet, same in groupby(spec.alphabets)]

    def sample(choices: Choices) -> Tokens:
        return arrays.concatenate([alphabet.start + choices.many(count, len(alphabet)) for alphabet, count in runs])

    return sample


class Drawn:
    """Uniform choices, from the words 2, 3, .. of a case."""

    def __init__(self, words: Words, number: int) -> None:
        self.words, self.number, self.made = words, number, 0

    def many(self, count: int, n: int) -> Tokens:
        """So many integers 0 .. n - 1."""
        first, self.made = self.made + 2, self.made + count
        return self._chosen(first, count, n)

    def below(self, n: int) -> int:
        """One of them."""
        return int(self.many(1, n)[0])

    def taken(self, count: int, cards: int) -> list[int]:
        """Different integers 0 .. cards - 1: each choice moves one to the front of those that are left."""
        moved: dict[int, int] = {}
        hand = []
        for i in range(count):
            choice = i + self.below(cards - i)
            hand.append(moved.get(choice, choice))
            moved[choice] = moved.get(i, i)
        return hand

    def _chosen(self, first: int, count: int, n: int) -> Tokens:
        return self.words.many_below(first, count, n)


class Extreme(Drawn):
    """The least or the largest."""

    def _chosen(self, first: int, count: int, n: int) -> Tokens:
        return self.words.many_below(first, count, 2) * (n - 1)


class Constant(Drawn):
    """The same share of what there is to choose, by word 0, but for choice number `changed`."""

    def __init__(self, words: Words, number: int, changed: int) -> None:
        super().__init__(words, number)
        self.changed = changed

    def _chosen(self, first: int, count: int, n: int) -> Tokens:
        chosen = arrays.full(count, self.words.below(0, n), dtype=arrays.int64)
        place = self.changed + 2 - first
        if 0 <= place < count:
            chosen[place] = self.words.below(first + place, n)
        return chosen


class Least(Drawn):
    """Always 0."""

    def _chosen(self, first: int, count: int, n: int) -> Tokens:
        del first, n
        return arrays.zeros(count)
