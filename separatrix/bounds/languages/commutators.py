"""Regular languages with a group that is not commutative: two parties must exchange bits in proportion to the length.

[bhattamishra2024 Theorem 4]

Words of one length k act on the states as a group with unit e; g and h in it do not commute. In a round Alice writes g and later g^-1, or
e twice, and Bob writes h and later h^-1, or e twice:   a b a' b'   acts as the commutator c of g and h if both chose their own, else as e.
After n rounds the word acts as c^t, where t counts the rounds in which both did. Before and after it stand x and y such that membership of
x c^t y depends on t; then the matrix over the choices has the entry f(t), and its rank is the sum of C(n, j) over those j whose
difference (the j-th difference of f at 0) is not zero: f(t) = sum_j d_j C(t, j), and C(t, j) counts the sets of j rounds that both chose.
The rank is exact, and its logarithm bounds every deterministic protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import comb

from separatrix.bits import ceil_log2
from separatrix.bounds.languages.crossed_blocks import Word, words_of_length
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.periods import shortest_words

LONGEST = 6  # symbols of a block
KINDS = 400  # ways in which words of one length act; beyond this there is no search
EXACT = 64  # rounds whose rank is computed
ENDS = 64  # words before and after that are tried

Action = tuple[int, ...]


@dataclass(frozen=True)
class Commutators:
    """The witness: blocks of one length for g, g^-1, h, h^-1 and the unit, and what stands before and after."""

    automaton: Automaton
    x: Word
    alice: tuple[Word, Word]  # g and g^-1
    bob: tuple[Word, Word]  # h and h^-1
    unit: Word
    y: Word
    order: int  # of the commutator
    members: tuple[bool, ...]  # f(0) .. f(order - 1)

    @property
    def round(self) -> int:
        """Symbols in a round."""
        return 4 * len(self.unit)

    def rounds(self, length: int) -> int:
        """How many rounds a word of this length has room for."""
        return max(0, (length - len(self.x) - len(self.y)) // self.round)

    def rank(self, rounds: int) -> int:
        """The exact rank of the matrix over the choices of so many rounds."""
        return sum(comb(rounds, j) for j, d in enumerate(differences(self.members, rounds)) if d)

    def bits(self, length: int) -> int:
        """Bits that two parties must exchange about words of this length: by the exact rank, or for many rounds by one term of it.

        From the first on, differences follow a linear recurrence of fewer terms than the order, whose last coefficient is not 0; so of
        that many in a row one is not 0, and the rank is at least the least of their binomial coefficients.
        """
        n = self.rounds(length)
        if n <= EXACT:
            return ceil_log2(self.rank(n))
        return comb(n, n // 2 + self.order).bit_length() - 1

    def word(self, alice: Sequence[int], bob: Sequence[int]) -> Word:
        """The word of these choices, 1 for the own element and 0 for the unit."""
        found = self.x
        for a, b in zip(alice, bob, strict=True):
            (g, back), (h, home) = (self.alice if a else (self.unit,) * 2), (self.bob if b else (self.unit,) * 2)
            found += g + h + back + home
        return found + self.y


def commutators(automaton: Automaton) -> Commutators | None:
    """The first witness with blocks of at most six symbols; None if there is none, or if the search is too large."""
    reached = shortest_words(automaton)
    for k in range(1, LONGEST + 1):
        words = {_action(automaton, word): word for word in words_of_length(automaton, k)}
        if len(words) > KINDS:
            return None
        for unit in words:
            if _then(unit, unit) == unit and (found := _in_group(automaton, words, unit, reached)) is not None:
                return found
    return None


def differences(members: Sequence[bool], count: int) -> list[int]:
    """The differences of orders 0 .. count of a periodic function at 0."""
    values, found = [int(members[t % len(members)]) for t in range(count + 1)], []
    while values:
        found.append(values[0])
        values = [b - a for a, b in pairwise(values)]
    return found


def _in_group(automaton: Automaton, words: dict[Action, Word], unit: Action, reached: dict[int, Word]) -> Commutators | None:
    inside = [a for a in words if _then(unit, a) == a == _then(a, unit)]
    inverse = {a: b for a, b in product(inside, repeat=2) if _then(a, b) == unit == _then(b, a)}
    for g, h in product(inverse, repeat=2):
        c = _then(_then(g, h), _then(inverse[g], inverse[h]))
        if c == unit:
            continue
        for q, x in list(reached.items())[:ENDS]:
            for y in _endings(automaton):
                members = _orbit(automaton, unit, c, q, y)
                if len({*members}) > 1:
                    pair = (words[g], words[inverse[g]]), (words[h], words[inverse[h]])
                    return Commutators(automaton, x, *pair, words[unit], y, len(members), members)
    return None


def _endings(automaton: Automaton) -> list[Word]:
    symbols = range(len(automaton.alphabet))
    return [(), *((a,) for a in symbols), *product(symbols, repeat=2)][:ENDS]


def _orbit(automaton: Automaton, unit: Action, c: Action, q: int, y: Word) -> tuple[bool, ...]:
    """Membership after q c^t y for t = 0, 1, .. as long as c^t is not the unit again."""
    power, members = unit, []
    while True:
        members.append(automaton.run(y, power[q]) in automaton.accepting)
        power = _then(power, c)
        if power == unit:
            return tuple(members)


def _action(automaton: Automaton, word: Word) -> Action:
    return tuple(automaton.run(word, q) for q in range(automaton.states))


def _then(first: Action, second: Action) -> Action:
    return tuple(second[q] for q in first)
