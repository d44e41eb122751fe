from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from separatrix.bounds.languages.enumeration import automata
from separatrix.tasks.languages.automata import Automaton, minimal, numbered
from separatrix.tasks.languages.cascades import Cascade, keep_or_reset, permutation_or_reset, seen_by, serial, with_end
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.periods import period
from separatrix.tasks.languages.regular_expression import automaton


def follows(cascade: Cascade, seed: int, length: int = 200) -> bool:
    """Coordinate by coordinate along a random word, beside the automaton: a second way to run a cascade."""
    draw, language = random.Random(seed), cascade.automaton
    values, q = list(cascade.initial), 0
    for _ in range(length):
        letter = draw.randrange(len(language.alphabet))
        before, place = tuple(values), 0
        for layer in cascade.layers:
            lower = place
            for coordinate in layer:
                values[place] = coordinate.changes[before[:lower], letter][before[place]]
                place += 1
        q = language.moves[q][letter]
        if cascade.state_of[tuple(values)] != q:
            return False
    return True


def changes_of(cascade: Cascade) -> set[str]:
    kinds = set()
    for layer in cascade.layers:
        for c in layer:
            for seen, change in c.changes.items():
                reset = c.resets(seen)
                kinds.add("keep" if change == tuple(range(c.values)) else "reset" if reset is not None else "permute")
                assert reset is None or {*change} == {reset}
                assert reset is not None or len({*change}) == c.values
    return kinds


def test_star_free_languages_of_at_most_three_states_have_one_coordinate_a_layer_and_one_layer_less_than_states() -> None:
    for states in (1, 2, 3):
        met = 0
        for language in automata(states):
            if period(language) is None:
                cascade = keep_or_reset(language)
                assert cascade.covers()
                assert [len(layer) for layer in cascade.layers] == [1] * (states - 1)
                assert changes_of(cascade) <= {"keep", "reset"}
                met += 1
        assert met == {1: 2, 2: 10, 3: 162}[states]


def test_star_free_languages_with_more_letters_and_states() -> None:
    draw, met = random.Random(3), Counter[int]()
    for _ in range(1000):
        states, letters = draw.choice((4, 5)), draw.choice((2, 3))
        images = [[draw.randrange(states) for _ in range(states)] for _ in range(letters)]
        if draw.random() < 0.5:
            images = [sorted(image) for image in images]  # maps that keep an order have no cycles
        rows = dict(enumerate(zip(*images, strict=True)))
        language = minimal(numbered(tuple("abc"[:letters]), rows, 0, {q for q in range(states) if draw.random() < 0.5}))
        if language.states == states and period(language) is None:
            cascade = keep_or_reset(language)
            assert cascade.covers()
            assert follows(cascade, met[states])
            assert len(cascade.layers) <= states - 1
            met[states] += 1
    assert met[4] > 30
    assert met[5] > 20


@pytest.mark.parametrize(
    "name", ["alternating", "golden-mean", "tomita-4", "tomita-7", "dyck-1-2", "dyck-2-2", "third-last-is-1", "flip-flop"]
)
def test_star_free_languages_of_the_gallery(name: str) -> None:
    cascade = keep_or_reset(named_language(name))
    assert cascade.covers()
    assert follows(cascade, 1)
    assert len(cascade.layers) <= named_language(name).states - 1


def test_every_language_has_a_cascade_that_permutes_or_resets() -> None:
    kinds = set()
    for language in [*automata(2), *list(automata(3))[::5], *map(named_language, ("parity", "s3", "mod-5", "tomita-5", "dyck-2-2"))]:
        cascade = permutation_or_reset(language)
        assert cascade.covers()
        assert follows(cascade, 2)
        assert len(cascade.layers) <= language.states - 1
        kinds |= changes_of(cascade)
    assert kinds == {"keep", "reset", "permute"}


def test_a_cascade_with_one_wrong_reset_covers_nothing() -> None:
    cascade = keep_or_reset(automaton("(ab)*"))
    for number, seen in ((k, seen) for k in range(len(cascade.layers)) for seen in seen_by(cascade, k)):
        coordinate = cascade.layers[number][0]
        for value in range(coordinate.values):
            wrong = replace(coordinate, changes={**coordinate.changes, seen: (value,) * coordinate.values})
            layers = tuple((wrong,) if i == number else layer for i, layer in enumerate(cascade.layers))
            same = wrong.changes[seen] == coordinate.changes[seen]
            try:
                covers = replace(cascade, layers=layers).covers()
            except KeyError:  # values that were not reachable
                covers = False
            assert covers == same or coordinate.changes[seen] == tuple(range(coordinate.values))


def test_coordinates_beside_each_other_may_stand_one_above_the_other() -> None:
    cascade = keep_or_reset(with_end(named_language("dyck-2-2"), "$"), attempts=1)
    assert max(len(layer) for layer in cascade.layers) > 1
    longer = serial(cascade)
    assert all(len(layer) == 1 for layer in longer.layers)
    assert longer.covers()
    assert longer.initial == cascade.initial


def test_one_state_needs_no_layer() -> None:
    assert keep_or_reset(Automaton(("a",), ((0,),), frozenset({0}))).layers == ()


@pytest.mark.slow
def test_all_4_098_star_free_languages_of_at_most_four_states_are_covered_at_all_lengths() -> None:
    layers, known = Counter[int](), dict[object, int]()
    for states in range(1, 5):
        for language in automata(states):
            if language.moves not in known:
                known[language.moves] = -1
                if period(language) is None:
                    cascade = keep_or_reset(language)
                    assert cascade.covers()
                    assert all(len(layer) == 1 for layer in cascade.layers)
                    known[language.moves] = len(cascade.layers)
            layers[known[language.moves]] += 1
    assert layers == {-1: 52_970, 0: 2, 1: 10, 2: 162, 3: 3_924}
