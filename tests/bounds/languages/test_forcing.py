"""Symbols that force membership: against brute force over all restrictions of short words."""

from __future__ import annotations

from itertools import product

import pytest

from separatrix.bounds.languages.forcing import forcing
from separatrix.bounds.languages.language import language, shortest_members
from separatrix.tasks.languages.gallery import GALLERY, named_language

SHORT = {2: 5, 3: 4, 4: 3, 9: 2}


def brute(name: str, n: int) -> tuple[int | None, int | None]:
    """Every restriction of words of n symbols: the fewest fixed symbols after which all completions are members, or none is."""
    automaton = named_language(f"@{name}")
    symbols = range(len(automaton.alphabet))
    least: dict[bool, int] = {}
    for restriction in product((None, *symbols), repeat=n):
        answers = {automaton.accepts(word) for word in product(*(symbols if s is None else (s,) for s in restriction))}
        if len(answers) == 1:
            fixed, inside = sum(s is not None for s in restriction), answers.pop()
            least[inside] = min(least.get(inside, fixed), fixed)
    return least.get(True), least.get(False)


@pytest.mark.parametrize("name", [name for name in GALLERY if name != "s5"])
def test_the_count_is_that_of_all_restrictions(name: str) -> None:
    automaton = named_language(f"@{name}")
    for n in (1, SHORT[len(automaton.alphabet)]):
        counted = forcing(automaton, n)
        assert counted is not None
        assert (counted.inside, counted.outside) == brute(name, n)


@pytest.mark.parametrize(("name", "inside", "outside"), [("parity", 100, 100), ("ones", 100, 1), ("last-is-1", 1, 1), ("dyck-2-2", 100, 1)])
def test_by_hand_at_a_hundred(name: str, inside: int, outside: int) -> None:
    counted = forcing(named_language(f"@{name}"), 100)
    assert counted is not None
    assert (counted.inside, counted.outside, counted.least) == (inside, outside, min(inside, outside))


def test_more_sets_of_states_than_can_be_counted_are_said_to_be() -> None:
    assert forcing(named_language("@s5"), 20) is None
    assert language("@s5", length=20)["forcing"] is None


@pytest.mark.parametrize(("name", "solvable"), [("s3", True), ("s5", False), ("parity", True), ("dyck-2-2", True), ("tomita-5", True)])
def test_only_the_groups_of_s5_are_not_solvable(name: str, solvable: bool) -> None:
    assert language(f"@{name}")["solvable"] is solvable


def test_a_group_inside_a_larger_monoid_is_found() -> None:
    """The alternating group of five things, after a first symbol x: a product of 5-cycles is the identity."""
    from separatrix.bounds.languages.groups import solvable
    from separatrix.bounds.languages.monoid import syntactic_monoid
    from separatrix.tasks.languages.automata import minimal, numbered

    elements = sorted(_generated((1, 2, 3, 4, 0), (1, 2, 0, 3, 4)))
    number = {g: i + 1 for i, g in enumerate(elements)}
    dead = len(elements) + 1
    rows = {0: (dead, dead, number[(0, 1, 2, 3, 4)]), dead: (dead,) * 3}
    for g, i in number.items():
        rows[i] = (number[tuple(g[k] for k in (1, 2, 3, 4, 0))], number[tuple(g[k] for k in (1, 2, 0, 3, 4))], dead)
    automaton = minimal(numbered(("a", "b", "x"), rows, 0, {number[(0, 1, 2, 3, 4)]}))
    monoid = syntactic_monoid(automaton)
    assert monoid is not None
    assert (len(elements), solvable(monoid)) == (60, False)


def _generated(*generators: tuple[int, ...]) -> set[tuple[int, ...]]:
    group, queue = {(0, 1, 2, 3, 4)}, [(0, 1, 2, 3, 4)]
    for x in queue:
        for g in generators:
            y = tuple(x[i] for i in g)
            if y not in group:
                group.add(y)
                queue.append(y)
    return group


def test_the_shortest_words_come_first() -> None:
    assert ["".join(word) for word in shortest_members(named_language("@alternating"))] == ["", "ab", "abab", "ababab", "ab" * 4, "ab" * 5]
    assert shortest_members(named_language("@first-is-1"), 3) == [("1",), ("1", "0"), ("1", "1")]
