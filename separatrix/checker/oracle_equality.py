"""The four tasks about two halves of a string, written a second time.

Draws: 0 the number of symbols, 1 whether the half is repeated, 2 and 3 which place changes and by how much,
4.. the first half and then the second. The separator is |S|.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.checker.counter import Words
from separatrix.checker.fields import exactly, within
from separatrix.checker.seal import Refused

if TYPE_CHECKING:
    from separatrix.checker.oracles import Case, Tokens

LONGEST, MOST = 10**6, 10**7  # symbols of one case, and inputs of one enumeration


class Equality:
    """Two halves of N/2 symbols; the answer, at the last one, is 1 where they agree."""

    name = "equality"
    separated = False
    kinds: tuple[str, ...] = ("random", "equal", "one-change")

    def __init__(self, parameters: Any) -> None:
        fields: dict[str, type] = {"length": int, "symbols": int} | ({"distribution": str} if self.separated else {})
        self.parameters = exactly(parameters, "task_parameters", **fields)
        self.N, self.S = within(parameters["length"], 2, LONGEST, "length"), within(parameters["symbols"], 2, 1 << 20, "symbols")
        if self.N % 2:
            raise Refused(f"length: expected an even number, found {self.N}")
        if parameters.get("distribution", "evaluation") not in ("evaluation", "training"):
            raise Refused(f"unknown distribution {parameters['distribution']!r}")
        self.shortest = 2 * ((self.N + 19) // 20) if parameters.get("distribution") == "training" else self.N
        self.vocabulary, self.targets = self.S + self.separated, 2

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random` as the task draws them, `equal` halves, `one-change` at each place in turn, or `all`."""
        if kind == "all":
            yield from self._all(count)
            return
        if kind not in self.kinds:
            raise Refused(f"{self.name} has no cases {kind!r}")
        for j in range(count):
            words = Words(self.name, self.parameters, seed, j)
            if kind == "random":
                h = self.shortest // 2 + words.below(0, (self.N - self.shortest) // 2 + 1)
                first = words.many_below(4, h, self.S)
                yield self.asked(first, first if words.below(1, 2) == 0 else self.other(words, first))
            else:
                h = self.N // 2
                first = words.many_below(4, h, 2 if kind == "two-symbols" else self.S)
                yield self.asked(first, first if kind != "one-change" else moved(first, j % h, 1 + words.below(3, self.S - 1), self.S))

    def other(self, words: Words, first: Tokens) -> Tokens:
        """A second half that need not repeat the first."""
        return words.many_below(4 + self.N // 2, len(first), self.S)

    def asked(self, first: Tokens, second: Tokens) -> Case:
        """The string of two halves, and what must be said about it."""
        between = np.full(int(self.separated), self.S, dtype=np.int64)
        tokens = np.concatenate([first, between, second])
        return tokens, {len(tokens) - 1: int((first == second).all())}

    def _all(self, count: int) -> Iterator[Case]:
        if count > MOST or count != self.S**self.N:
            raise Refused(f"all inputs are |S|^N = {self.S}^{self.N}, the certificate says {count}")
        for string in itertools.product(range(self.S), repeat=self.N):
            tokens = np.array(string, dtype=np.int64)
            yield self.asked(tokens[: self.N // 2], tokens[self.N // 2 :])


class EqRandom(Equality):
    """The halves stand apart."""

    name = "eq-random"
    separated = True


class EqOne(EqRandom):
    """A second half that does not repeat the first differs from it in one place."""

    name = "eq-one"

    def other(self, words: Words, first: Tokens) -> Tokens:
        return moved(first, words.below(2, len(first)), 1 + words.below(3, self.S - 1), self.S)


class EqNcp(EqRandom):
    """The halves agree; from the separator on, the following symbol is asked."""

    name = "eq-ncp"
    kinds = ("random", "two-symbols")

    def __init__(self, parameters: Any) -> None:
        super().__init__(parameters)
        self.targets = self.S

    def other(self, words: Words, first: Tokens) -> Tokens:
        del words
        return first

    def asked(self, first: Tokens, second: Tokens) -> Case:
        tokens, _ = super().asked(first, second)
        h = len(first)
        return tokens, {t: int(tokens[t + 1]) for t in range(h, 2 * h)}

    def _all(self, count: int) -> Iterator[Case]:
        raise Refused(f"eq-ncp has no cases 'all', the certificate names {count}")


def moved(first: Tokens, place: int, by: int, symbols: int) -> Tokens:
    """The half with the symbol at one place moved around the alphabet."""
    found = first.copy()
    found[place] = (found[place] + by) % symbols
    return found
