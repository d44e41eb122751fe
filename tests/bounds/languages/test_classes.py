from __future__ import annotations

from collections import Counter

import pytest

from separatrix.bounds.languages.classes import definite, of_words, permutation_reset, r_trivial, twin_images
from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.groups import times
from separatrix.bounds.languages.monoid import Monoid, syntactic_monoid
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.factors import factors_per_token
from separatrix.tasks.languages.gallery import named_language


def monoid_of(language: Automaton) -> Monoid:
    monoid = syntactic_monoid(language)
    assert monoid is not None
    return monoid


# words that end with 1 are definite, words that begin with 1 are not; neither is (ab)*, and a*b*c* only sorts
@pytest.mark.parametrize(
    ("name", "is_definite", "is_r_trivial", "is_permutation_reset", "has_twins"),
    [
        ("last-is-1", True, False, True, False),
        ("third-last-is-1", True, False, False, False),
        ("first-is-1", False, True, False, True),
        ("sorted", False, True, False, False),
        ("subsequence", False, True, False, False),
        ("alternating", False, False, False, False),
        ("parity", False, False, True, False),
        ("flip-flop", False, False, True, False),
        ("s3", False, False, True, False),
    ],
)
def test_classes_of_known_languages(name: str, is_definite: bool, is_r_trivial: bool, is_permutation_reset: bool, has_twins: bool) -> None:
    language = named_language(name)
    monoid = monoid_of(language)
    assert definite(monoid) == is_definite
    assert r_trivial(language.moves) == is_r_trivial
    assert permutation_reset(language.moves) == is_permutation_reset
    assert (twin_images(monoid) is not None) == has_twins


def by_definition(monoid: Monoid) -> tuple[bool, bool, bool]:
    """Definite, R-trivial and with twins, each from its equation over all elements: s e = e; (s t)^w s = (s t)^w; e f = e and f e = f."""
    elements = [tuple(row) for row in monoid.maps.tolist()]
    words = [x for x, kept in zip(elements, of_words(monoid), strict=True) if kept]

    def omega(x: tuple[int, ...]) -> tuple[int, ...]:
        while times(x, x) != x:
            x = next(y for y in powers(x) if times(y, y) == y)
        return x

    def powers(x: tuple[int, ...]) -> list[tuple[int, ...]]:
        listed = [x]
        while times(listed[-1], x) not in listed:
            listed.append(times(listed[-1], x))
        return listed

    idempotents = [x for x in words if times(x, x) == x]
    is_definite = all(times(s, e) == e for s in words for e in idempotents)
    is_r_trivial = all(times(omega(times(s, t)), s) == omega(times(s, t)) for s in elements for t in elements)
    twins = any(e != f and times(e, f) == e and times(f, e) == f for e in idempotents for f in idempotents)
    return is_definite, is_r_trivial, twins


def test_classes_agree_with_their_equations_for_all_languages_of_two_states_and_some_of_three() -> None:
    met = Counter()
    for states, every in ((2, 1), (3, 7)):
        for language in list(automata(states))[::every]:
            monoid = monoid_of(language)
            found = (definite(monoid), r_trivial(language.moves), twin_images(monoid) is not None)
            assert found == by_definition(monoid), language
            met[found] += 1
    assert len(met) >= 5


def test_twins_are_idempotents_with_one_image_that_act_differently() -> None:
    for language in automata(3):
        found = twin_images(monoid_of(language))
        if found is None:
            continue
        e, f = (tuple(language.run(word, q) for q in range(language.states)) for word in (found.e, found.f))
        assert e != f
        assert times(e, f) == e
        assert times(f, e) == f
        assert found.document(language.alphabet)["e"] == [language.alphabet[a] for a in found.e]


def test_permutation_reset_automata_have_no_twins() -> None:
    assert all(twin_images(monoid_of(a)) is None for a in automata(3) if permutation_reset(a.moves))


@pytest.mark.slow
def test_the_57_068_languages_of_at_most_four_states_by_class() -> None:
    count: Counter[object] = Counter()
    known: dict[object, tuple[object, ...]] = {}
    for states in range(1, 5):
        for language in automata(states):
            if language.moves not in known:
                monoid = monoid_of(language)
                known = {language.moves: (
                    monoid.aperiodic, monoid.quasi_aperiodic, r_trivial(language.moves), permutation_reset(language.moves),
                    twin_images(monoid) is not None, factors_per_token(language),
                )}  # fmt: skip
            aperiodic, quasi, trivial, reset, twins, most = known[language.moves]
            count.update({"star-free": aperiodic, "quasi-aperiodic": quasi, "R-trivial": trivial, "permutation-reset": reset})
            count.update({"twins": twins, "star-free twins": aperiodic and twins, ("factors", most): 1})
    assert count == {
        "star-free": 4_098, "quasi-aperiodic": 19_744, "R-trivial": 932, "permutation-reset": 1_252, "twins": 39_044,
        "star-free twins": 1_308, ("factors", 0): 2, ("factors", 1): 86, ("factors", 2): 7_362, ("factors", 3): 49_618,
    }  # fmt: skip
