"""Classes of small languages, counted twice: by the package and by definitions spelt out on sets of maps."""

from __future__ import annotations

from collections import Counter

from separatrix.bounds.languages.class_counts import NESTED, QUASI_APERIODIC, STAR_FREE, class_counts, classes_of
from separatrix.bounds.languages.decided_table import decided

Map = tuple[int, ...]


def after(first: Map, second: Map) -> Map:
    return tuple(second[q] for q in first)


def cycles_inside(maps: frozenset[Map]) -> bool:
    """Whether some map returns to itself after other powers of it, all of which are among the maps."""
    for g in maps:
        powers = [g]
        while (power := after(powers[-1], g)) not in powers:
            powers.append(power)
        if len(powers) > 1 and power == g and maps.issuperset(powers):
            return True
    return False


def by_lengths(letters: list[Map]) -> list[frozenset[Map]]:
    """What the words of each length do, until the sets come again."""
    found = [frozenset(letters)]
    while (longer := frozenset(after(x, a) for x in found[-1] for a in letters)) not in found:
        found.append(longer)
    return found


def test_star_free_and_quasi_aperiodic_are_what_their_definitions_say() -> None:
    expected: Counter[tuple[int, str]] = Counter()
    lines = list(decided(3))
    for line in lines:
        letters: list[Map] = list(zip(*line["moves"], strict=True))
        each = by_lengths(letters)
        expected[len(line["moves"]), STAR_FREE] += not cycles_inside(frozenset().union(*each))
        expected[len(line["moves"]), QUASI_APERIODIC] += not any(cycles_inside(maps) for maps in each)
    found = class_counts(lines)
    assert {(states, name): found[states].get(name, 0) for states, name in expected} == expected


def test_a_class_lies_inside_the_next() -> None:
    for moves, accepting in {line["moves"]: line["accepting"] for line in decided(3)}.items():
        inside = [name in classes_of(moves, accepting) for name in NESTED]
        assert inside == sorted(inside)
