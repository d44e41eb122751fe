"""Lines about all languages of so many states: witnesses that are found, and where there are none."""

from __future__ import annotations

from collections import Counter

from separatrix.bounds.languages.classes import twin_images
from separatrix.bounds.languages.decided_table import convolved_twins, decided, monoid_of
from separatrix.tasks.languages import regular_expression


def test_the_languages_of_at_most_two_states() -> None:
    lines = list(decided(2))
    assert Counter(line["period"] is not None for line in lines) == {True: 14, False: 12}
    assert all(line["twins"] is line["convolved"] is None for line in lines)
    assert max(len(one) for line in lines for one in line["factors"]) == 1


def test_a_convolution_sees_the_first_letter_and_nothing_far_back() -> None:
    """`a` first: a key that is nonzero at the first token only. The first of a and b after c: no window of letters tells."""
    first, after = (regular_expression.automaton(text, letters) for text, letters in (("a(a|b)*", "ab"), ("c*a(a|b|c)*", "abc")))
    assert twin_images(monoid_of(first)) is not None
    assert convolved_twins(monoid_of(first)) is None
    twins = convolved_twins(monoid_of(after))
    assert twins is not None
    assert twins[0][-3:] == twins[1][-3:]
