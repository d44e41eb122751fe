"""All languages of so many states over two letters, each with the witnesses of what is said about it.

A line has the minimal automaton (`moves`, `accepting`), the word that it counts (`period`), the words that no single non-expansive layer
tells apart, without a convolution (`twins`) and behind one of width 4 (`convolved`), and the rank-one factors of its letters. The checker
reads these lines (checker/decided.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from separatrix.bounds.languages.classes import twin_images
from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import Monoid, syntactic_monoid
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.factors import factors
from separatrix.tasks.languages.periods import period

WINDOW = 3  # letters before the present one that a convolution of width 4 sees
Word = tuple[int, ...]


def decided(states: int) -> Iterator[dict[str, Any]]:
    """A line for every language over two letters with at most so many states; those with the same moves follow each other."""
    known: dict[str, Any] = {}
    last, star_free = None, False
    for number in range(1, states + 1):
        for automaton in automata(number):
            if automaton.moves != last:  # all but the period hangs on the moves alone
                last, monoid = automaton.moves, monoid_of(automaton)
                star_free, known = monoid.aperiodic, of_moves(automaton, monoid)
            witness = None if star_free else period(automaton)
            counted = None if witness is None else {"x": witness.x, "u": witness.u, "y": witness.y, "p": witness.p}
            yield {"moves": automaton.moves, "accepting": sorted(automaton.accepting), "period": counted, **known}


def monoid_of(automaton: Automaton) -> Monoid:
    """The monoid of a small automaton."""
    monoid = syntactic_monoid(automaton)
    assert monoid is not None
    return monoid


def of_moves(automaton: Automaton, monoid: Monoid) -> dict[str, Any]:
    """The witnesses that do not depend on the accepting states."""
    twins = twin_images(monoid)
    return {
        "twins": None if twins is None else [twins.e, twins.f],
        "convolved": convolved_twins(monoid),
        "factors": [[(one.kind, one.i, one.j) for one in factors(image)] for image in zip(*automaton.moves, strict=True)],
    }


def convolved_twins(monoid: Monoid, window: int = WINDOW) -> list[Word] | None:
    """Two words with the same last letters s that act as different idempotents with one image, on the states to which words that end
    with s lead; or None. The first such words that a walk over elements and last letters meets."""
    start: tuple[int, Word] = (0, ())
    words: dict[tuple[int, Word], Word] = {start: ()}
    queue, onto = [start], defaultdict[tuple[Word, Word], dict[Word, Word]](dict)
    maps, times = monoid.maps.tolist(), monoid.times.tolist()
    for here in queue:  # grows during the loop
        element, last = here
        image = maps[element]
        if len(last) == window:
            met = sorted({*maps[element_of(times, last)]})
            if all(image[image[q]] == image[q] for q in met):
                fixed, seen = tuple(q for q in met if image[q] == q), tuple(image[q] for q in met)
                others = onto[last, fixed]
                others.setdefault(seen, words[here])
                if len(others) == 2:
                    return list(others.values())
        for a, after in enumerate(times[element]):
            there = (after, (*last, a)[-window:])
            if there not in words:
                words[there] = (*words[here], a)
                queue.append(there)
    return None


def element_of(times: list[list[int]], word: Word) -> int:
    """The element that a word acts as."""
    element = 0
    for a in word:
        element = times[element][a]
    return element
