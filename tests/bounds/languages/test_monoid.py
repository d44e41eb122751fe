from __future__ import annotations

import random

import pytest

from separatrix.bounds.languages.monoid import Monoid, syntactic_monoid
from separatrix.tasks.languages.automata import from_document
from separatrix.tasks.languages.regular_expression import automaton

DYCK_2_2 = r"(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*"


def monoid_of(text: str, alphabet: str | None = None) -> Monoid:
    monoid = syntactic_monoid(automaton(text, alphabet))
    assert monoid is not None
    return monoid


# (ab)* : 1, a, b, ab, ba and 0 by hand; Dyck-(2, 2) has 60 elements.
@pytest.mark.parametrize(("text", "elements"), [("(ab)*", 6), (DYCK_2_2, 60), ("(aa)*", 2), ("(a|b)*", 1), ("(a|b)*a(a|b)*b(a|b)*", 5)])
def test_the_number_of_elements(text: str, elements: int) -> None:
    assert len(monoid_of(text)) == elements


def test_elements_act_as_their_words() -> None:
    language = automaton("(a|bab)*")
    monoid = monoid_of("(a|bab)*")
    assert len({monoid.word(x) for x in range(len(monoid))}) == len(monoid)
    for x in range(len(monoid)):
        word = [language.alphabet.index(symbol) for symbol in monoid.word(x)]
        assert [language.run(word, q) for q in range(language.states)] == monoid.maps[x].tolist()


def by_definition(monoid: Monoid) -> tuple[bool, bool, bool, bool]:
    """Aperiodic, in DA, commutative, quasi-aperiodic, each from its equation over all elements."""
    everything = range(len(monoid))
    number = {tuple(row): x for x, row in enumerate(monoid.maps.tolist())}
    times = [[number[tuple(monoid.maps[y][monoid.maps[x]].tolist())] for y in everything] for x in everything]

    def power(x: int) -> int:  # the idempotent among the powers of x
        y = x
        while times[y][y] != y:
            y = times[y][x]
        return y

    omega = [power(x) for x in everything]
    aperiodic = all(times[omega[x]][x] == omega[x] for x in everything)
    triples = ((x, y, times[times[x][y]][z]) for x in everything for y in everything for z in everything)
    in_da = all(times[times[omega[xyz]][y]][omega[xyz]] == omega[xyz] for _, y, xyz in triples)  # (xyz)^w y (xyz)^w = (xyz)^w
    commutative = all(times[x][y] == times[y][x] for x in everything for y in everything)
    letters = {int(x) for x in monoid.times[0]}
    of_length, quasi = letters, True
    for _ in range(2 * len(monoid) + 20):
        for g in of_length:
            group, x = {omega[g]}, times[omega[g]][g]
            while x not in group:
                group.add(x)
                x = times[x][g]
            quasi = quasi and not (len(group) > 1 and group <= of_length)
        of_length = {times[x][a] for x in of_length for a in letters}
    return aperiodic, in_da, commutative, quasi


def random_expression(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return draw.choice("ab")
    one, other = (random_expression(draw, depth - 1) for _ in range(2))
    return draw.choice([one + other, f"({one}|{other})", f"({one})*", f"({one})*", f"({one}{other})*"])


def test_properties_agree_with_their_definitions_on_random_languages() -> None:
    draw, met = random.Random(3), set()
    checked = 0
    while checked < 60:
        monoid = monoid_of(random_expression(draw, 3), "ab")
        if len(monoid) > 22:
            continue
        checked += 1
        result = (monoid.aperiodic, monoid.in_da, monoid.commutative, monoid.quasi_aperiodic)
        assert result == by_definition(monoid)
        met.add(result)
    assert len(met) >= 5


# PARITY is a group of two; (aa)* is one too, but only lengths tell; Dyck-(2, 2) is star-free and not in DA [bhattamishra2024 Lemma 1].
@pytest.mark.parametrize(
    ("text", "aperiodic", "in_da", "commutative", "quasi_aperiodic"),
    [
        (DYCK_2_2, True, False, False, True),
        ("0*(10*10*)*", False, False, True, False),
        ("(aa)*", False, False, True, True),
        ("(0|10*10*1)*", False, False, True, False),
        ("(ab)*", True, False, False, True),
        ("(a|b)*a(a|b)*b(a|b)*", True, True, False, True),
    ],
)
def test_properties_of_known_languages(text: str, aperiodic: bool, in_da: bool, commutative: bool, quasi_aperiodic: bool) -> None:
    monoid = monoid_of(text)
    assert (monoid.aperiodic, monoid.in_da, monoid.commutative, monoid.quasi_aperiodic) == (aperiodic, in_da, commutative, quasi_aperiodic)
    assert by_definition(monoid) == (aperiodic, in_da, commutative, quasi_aperiodic)


def test_periods_are_those_of_the_powers() -> None:
    monoid = monoid_of("(aaaaaa|b)*")
    letters = {monoid.word(x): int(period) for x, period in enumerate(monoid.periods)}
    assert letters["a",] == 6
    assert letters["a", "a"] == 3
    assert letters["b",] == 1


def test_a_monoid_that_is_too_large_is_not_listed() -> None:
    """A cycle and a merger of 8 states generate 8^8 - 8! + 8 maps or so, far above the limit."""
    states = range(8)
    swap = {0: 1, 1: 0}
    merge = {0: 1}
    moves = {str(q): {"c": str((q + 1) % 8), "s": str(swap.get(q, q)), "m": str(merge.get(q, q))} for q in states}
    full = from_document({"alphabet": ["c", "s", "m"], "start": "0", "accepting": ["0"], "moves": moves}, "full")
    assert full.states == 8
    assert syntactic_monoid(full) is None
