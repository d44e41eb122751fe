"""The monotone barrier: words that a language counts, and the length at which a stack of monotone coordinates must fail on them.

    an even number of b    x = (), u = b, y = (), p = 2: b^i is a member for every second i, for ever

A monotone coordinate lives in a finite chain and is moved by non-decreasing maps that its own value does not choose. Under u, u, u, .. the
first layer repeats one such map, so each of its coordinates moves in one direction and stands still after P - 1 steps; from then on the
second layer sees the same block again and again, and so on. After N(u) blocks one more changes nothing, and the answers on x u^i y are
all equal from there on. So exactly the star-free languages have no witness (Schuetzenberger 1965).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from separatrix.tasks.languages.automata import Automaton

Word = tuple[int, ...]

MAPS = 200_000  # different actions of words looked at for u


class TooLarge(Exception):
    """More states or actions than are listed: nothing is said about the language."""


@dataclass(frozen=True)
class Period:
    """After x, the word u moves on a cycle of p states; some of x u^i y are members and some are not."""

    x: Word
    u: Word
    y: Word
    p: int

    def word(self, times: int) -> Word:
        """The word x u^times y."""
        return self.x + self.u * times + self.y

    def document(self, alphabet: tuple[str, ...]) -> dict[str, Any]:
        """The witness as JSON."""
        x, u, y = ([alphabet[a] for a in word] for word in (self.x, self.u, self.y))
        return {"x": x, "u": u, "y": y, "p": self.p}


def period(automaton: Automaton) -> Period | None:
    """The witness with the shortest u, then the fewest letters in x and y, then the shortest cycle; None if the language is star-free."""
    reached = shortest_words(automaton)
    found: list[Period] = []
    for action, u in actions(automaton):
        if found and len(u) > len(found[0].u):
            break
        for cycle in cycles(action):
            y = _separating(automaton, cycle)
            x = min((reached[q] for q in cycle), key=len)
            found.append(Period(x, u, y, len(cycle)))
    return min(found, key=lambda w: (len(w.x) + len(w.y), w.p, w.u, w.x, w.y)) if found else None


def blocks_until_still(layers: int, numbers: int, block: int, windows: tuple[int, ...] = ()) -> int:
    """N(u) = L (P - 1) + sum of ceil((w - 1) / |u|): after so many blocks u a further one changes no coordinate.

    `numbers` is P, the most values of a coordinate, with -0 beside +0 and NaN as one more; a layer with a running maximum counts twice.
    """
    return layers * (numbers - 1) + sum(-(-(w - 1) // block) for w in windows)


def actions(automaton: Automaton) -> Iterator[tuple[tuple[int, ...], Word]]:
    """What non-empty words do to the states, each action once, by a shortest word.

    TooLarge if there are more than are listed: a search that ended early would call a language star-free that is not.
    """
    identity = tuple(range(automaton.states))
    met: set[tuple[int, ...]] = set()
    queue: list[tuple[tuple[int, ...], Word]] = [(identity, ())]
    for states, word in queue:  # grows during the loop
        for symbol in range(len(automaton.alphabet)):
            after = tuple(automaton.moves[q][symbol] for q in states)
            if after not in met:
                if len(met) == MAPS:
                    raise TooLarge
                met.add(after)
                queue.append((after, (*word, symbol)))
                yield queue[-1]


def shortest_words(automaton: Automaton) -> dict[int, Word]:
    """A shortest word to each state."""
    words: dict[int, Word] = {0: ()}
    queue = [0]
    for q in queue:  # grows during the loop
        for symbol, r in enumerate(automaton.moves[q]):
            if r not in words:
                words[r] = (*words[q], symbol)
                queue.append(r)
    return words


def cycles(action: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The cycles of two states or more on which a map moves."""
    met: set[int] = set()
    for start in range(len(action)):
        path, q = [], start
        while q not in met:
            met.add(q)
            path.append(q)
            q = action[q]
        if q in path[:-1]:
            yield tuple(path[path.index(q) :])


def _separating(automaton: Automaton, cycle: tuple[int, ...]) -> Word:
    """A shortest word that some state of the cycle accepts and another rejects; the automaton is minimal, so there is one."""
    words: dict[tuple[int, ...], Word] = {cycle: ()}
    queue = [cycle]
    for states in queue:  # grows during the loop
        if len({q in automaton.accepting for q in states}) == 2:
            return words[states]
        for symbol in range(len(automaton.alphabet)):
            after = tuple(automaton.moves[q][symbol] for q in states)
            if after not in words:
                words[after] = (*words[states], symbol)
                queue.append(after)
    raise AssertionError("two states of a minimal automaton have the same future")
