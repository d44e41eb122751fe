"""Every regular language whose minimal complete automaton has so many states, each once.

    over two letters: 2, 24, 1,028 and 56,014 languages with exactly 1, 2, 3 and 4 states

An automaton is numbered as a breadth-first walk from the start meets its states, so each table of moves is listed in one numbering only;
which states accept is then free, as long as any two states can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton, Moves

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = 5  # states: with two letters 4.1 million languages, and beyond that it takes too long


def automata(states: int, letters: int = 2) -> Iterator[Automaton]:
    """Every minimal automaton with exactly so many states: moves in lexicographic order, then accepting states as binary numbers."""
    alphabet = tuple(LETTERS[:letters])
    for moves in move_tables(states, letters):
        for chosen in range(1 << states):
            if _minimal(moves, chosen):
                yield Automaton(alphabet, moves, frozenset(q for q in range(states) if chosen >> q & 1))


def move_tables(states: int, letters: int = 2) -> Iterator[Moves]:
    """The moves of every automaton whose states are all reachable and numbered breadth first."""
    if not 1 <= states <= MOST or not 1 <= letters <= len(LETTERS):
        raise BadInput(f"expected 1 to {MOST} states and 1 to {len(LETTERS)} letters, found {states} and {letters}")

    def extended(row: tuple[int, ...], met: int) -> Iterator[tuple[int, ...]]:
        if len(row) == states * letters:
            if met == states:
                yield row
            return
        if len(row) // letters >= met:  # the next state to write was not met yet, so none will lead to it
            return
        for target in range(min(met + 1, states)):
            yield from extended((*row, target), max(met, target + 1))

    for row in extended((), 1):
        yield tuple(row[q * letters : (q + 1) * letters] for q in range(states))


def _minimal(moves: Moves, accepting: int) -> bool:
    """Whether some word tells any two states apart."""
    block = [accepting >> q & 1 for q in range(len(moves))]
    kinds = len(set(block))
    while kinds < len(moves):
        names: dict[tuple[int, ...], int] = {}
        block = [names.setdefault((block[q], *(block[r] for r in row)), len(names)) for q, row in enumerate(moves)]
        if len(names) == kinds:
            return False
        kinds = len(names)
    return True
