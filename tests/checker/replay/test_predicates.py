"""Boolean functions as a rule holds them: ORs of local predicates, their contraries, and when two of them are the same."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.replay.predicates import (
    ALWAYS,
    NEVER,
    OPPOSITE,
    SAME,
    Predicate,
    TooMany,
    chosen,
    local,
    reduced,
    same_some,
    shape_of,
)
from separatrix.checker.specs.forms.local import Part

BITS = (range(2),) * 6
ONE, BOTH = np.array([False, True]), np.array([[False, False], [False, True]])


def test_a_predicate_loses_the_places_that_it_does_not_hang_on() -> None:
    part = reduced(Part((0, 3), np.array([[False, True], [False, True]])))
    assert part.places == (3,)
    assert part.holds.tolist() == [False, True]
    assert local((0, 3), np.ones((2, 2), dtype=bool)).constant
    assert local((0, 3), np.ones((2, 2), dtype=bool)).negated


def test_the_same_some_is_shown_part_by_part() -> None:
    wanted = [Part((0, 1), BOTH), Part((2, 3), BOTH)]
    assert same_some(wanted[::-1], wanted, BITS)
    assert not same_some(wanted[:1], wanted, BITS)  # one is missing
    assert not same_some([*wanted, Part((4,), ONE)], wanted, BITS)  # one is too many
    assert not same_some([*wanted, Part((0, 2), BOTH)], wanted, BITS)
    assert not same_some([*wanted, Part((0,), ONE)], wanted, BITS)  # among the places of one, and wider
    assert same_some([Part((0, 1), BOTH), *wanted], wanted, BITS)


def test_a_contrary_is_held_as_it_is_and_turned_where_it_is_local() -> None:
    some = Predicate(False, (Part((0,), ONE), Part((1,), ONE)))
    assert some.opposite().negated
    assert some.turned(negated=True) is None  # an AND of contraries is not an OR
    alone = Predicate(False, (Part((0,), ONE),)).turned(negated=True)
    assert alone is not None
    assert alone.parts[0].holds.tolist() == [True, False]
    assert alone.table((0,), BITS).tolist() == [False, True]


@pytest.mark.parametrize(
    ("what", "negated", "parts"),
    [
        ([SAME, SAME], True, 1),  # an AND, with nothing to it
        ([SAME, ALWAYS], False, 2),
        ([OPPOSITE, OPPOSITE], True, 1),
    ],
)
def test_what_a_token_decides_about_a_register_that_is_not_looked_into(what: list[int], negated: bool, parts: int) -> None:
    found = chosen(Predicate(False, (Part((0,), ONE),)), (1,), np.array(what))
    assert found is not None
    assert (found.negated, len(found.parts)) == (negated, parts)


def test_an_or_cannot_take_an_and_nor_two_ways_at_once() -> None:
    some = Predicate(False, (Part((0,), ONE), Part((1,), ONE)))
    assert chosen(some, (2,), np.array([SAME, NEVER])) is None
    assert chosen(some, (2,), np.array([ALWAYS, NEVER])) is None
    assert chosen(some, (2,), np.array([SAME, OPPOSITE])) is None
    assert chosen(some, (2,), np.array([SAME, ALWAYS])) is not None


def test_a_predicate_of_too_many_combinations_is_not_held() -> None:
    with pytest.raises(TooMany, match="more than 4096"):
        shape_of(tuple(range(17)), (range(2),) * 17)
