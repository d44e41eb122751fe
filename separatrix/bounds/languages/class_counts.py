"""How many languages of a decided table lie in each class of regular languages, by their number of states.

R-trivial  <  star-free  <  quasi-aperiodic  <  regular        of at most four states: 932, 4,098, 19,744, 57,068
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from separatrix.bounds.languages.classes import definite, permutation_reset, r_trivial
from separatrix.bounds.languages.decided_table import monoid_of
from separatrix.bounds.languages.enumeration import LETTERS
from separatrix.tasks.languages.automata import Automaton, Moves

LANGUAGES, R_TRIVIAL, STAR_FREE, QUASI_APERIODIC = "languages", "R-trivial", "star-free", "quasi-aperiodic"
DEFINITE, PERMUTATION_RESET, TWINS = "definite", "permutation-reset", "twin images"
NESTED = (R_TRIVIAL, STAR_FREE, QUASI_APERIODIC, LANGUAGES)  # each contains the one before it


def class_counts(lines: Iterable[Mapping[str, Any]]) -> dict[int, dict[str, int]]:
    """States -> class -> languages with exactly so many states in it, from the lines of languages of a decided table."""
    found: dict[int, Counter[str]] = {}
    known: dict[Moves, list[str]] = {}
    for line in lines:
        moves = tuple(tuple(row) for row in line["moves"])
        if moves not in known:
            known[moves] = classes_of(moves, line["accepting"])
        counts = found.setdefault(len(moves), Counter())
        counts.update(known[moves])
        counts[TWINS] += line["twins"] is not None
        assert (STAR_FREE in known[moves]) == (line["period"] is None)
    return {states: dict(sorted(counts.items())) for states, counts in sorted(found.items())}


def classes_of(moves: Moves, accepting: Iterable[int]) -> list[str]:
    """The classes of every language whose minimal automaton has these moves; they do not depend on the accepting states."""
    monoid = monoid_of(Automaton(tuple(LETTERS[: len(moves[0])]), moves, frozenset(accepting)))
    holds = {
        LANGUAGES: True,
        R_TRIVIAL: r_trivial(moves),
        STAR_FREE: monoid.aperiodic,
        QUASI_APERIODIC: monoid.quasi_aperiodic,
        DEFINITE: definite(monoid),
        PERMUTATION_RESET: permutation_reset(moves),
    }
    return [name for name, inside in holds.items() if inside]
