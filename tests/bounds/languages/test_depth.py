from __future__ import annotations

from collections import Counter

import pytest

from separatrix.bounds.languages.depth import least_depth, universal_stack
from separatrix.bounds.languages.enumeration import automata
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.periods import period
from separatrix.tasks.languages.regular_expression import automaton


def test_the_largest_layer_lists_letters_by_their_last_occurrence() -> None:
    assert len(universal_stack(2, 1) or ()) == 5  # nothing yet, a, b, ab, ba
    assert len(universal_stack(3, 1) or ()) == 16  # 1 + 3 + 6 + 6


def test_depths_of_known_languages() -> None:
    assert least_depth(automaton(".*a", "ab")) == 0
    assert least_depth(automaton(".*a.*", "ab")) == 1
    assert least_depth(automaton("(ab)*")) == 2
    assert least_depth(named_language("flip-flop")) == 1
    assert least_depth(named_language("parity")) is None


def test_eight_languages_need_no_layer_and_no_language_needs_more_than_its_cascade_has() -> None:
    depths = Counter[int | None]()
    for states in (1, 2, 3):
        for language in automata(states):
            depth = least_depth(language, 2)
            assert (depth is not None) == (period(language) is None)
            assert depth is None or depth <= states - 1
            depths[depth] += 1
    assert depths[0] == 8


@pytest.mark.slow
def test_least_depths_of_the_star_free_languages_of_at_most_four_states() -> None:
    depths, star_free = Counter[int | None](), dict[object, bool]()
    for states in range(1, 5):
        for language in automata(states):
            if language.moves not in star_free:
                star_free = {language.moves: period(language) is None}
            if star_free[language.moves]:
                depths[least_depth(language, 2)] += 1
    assert depths == {0: 8, 1: 20, 2: 1_424, None: 2_646}
