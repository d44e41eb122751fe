from __future__ import annotations

from itertools import product

import pytest

from separatrix.bounds.languages.enumeration import automata, move_tables
from separatrix.tasks.languages.automata import Automaton, minimal, numbered


@pytest.mark.parametrize(("states", "count"), [(1, 2), (2, 24), (3, 1028)])
def test_so_many_languages_over_two_letters_have_so_many_states(states: int, count: int) -> None:
    assert sum(1 for _ in automata(states)) == count


def test_there_are_56_014_languages_with_four_states() -> None:
    assert sum(1 for _ in automata(4)) == 56_014


def test_every_language_is_listed_once_and_in_its_canonical_form() -> None:
    """Against all tables of moves and accepting sets, made minimal by the automaton's own algorithm."""
    for states in (1, 2, 3):
        every = set()
        for row in product(range(states), repeat=2 * states):
            moves = {q: row[2 * q : 2 * q + 2] for q in range(states)}
            for chosen in range(1 << states):
                found = minimal(numbered(("a", "b"), moves, 0, {q for q in range(states) if chosen >> q & 1}))
                if found.states == states:
                    every.add(found)
        listed = list(automata(states))
        assert len(listed) == len(set(listed))
        assert set(listed) == every


def test_one_letter_gives_a_tail_and_a_loop() -> None:
    assert list(move_tables(2, 1)) == [((1,), (0,)), ((1,), (1,))]
    assert sum(1 for _ in automata(2, 1)) == 4
    assert all(isinstance(a, Automaton) for a in automata(2, 3))
