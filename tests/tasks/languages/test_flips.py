"""Cascades of bits that keep, reset or flip: for every small language whose groups are 2-groups, and for no other."""

from __future__ import annotations

import pytest

from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.errors import BadInput
from separatrix.tasks.languages.flips import flip_or_reset
from separatrix.tasks.languages.given import given_language


def test_languages_of_three_states_have_one_if_and_only_if_their_groups_are_2_groups() -> None:
    met = {True: 0, False: 0}
    for language in [language for states in (1, 2, 3) for language in automata(states)][::3]:
        monoid = syntactic_monoid(language)
        assert monoid is not None
        met[monoid.two_groups] += 1
        if monoid.two_groups:
            found = flip_or_reset(language)
            assert found.covers()
            changes = {change for layer in found.layers for c in layer for change in c.changes.values()}
            assert changes <= {(0, 1), (1, 0), (0, 0), (1, 1)}
        else:
            with pytest.raises(BadInput, match="no cascade of flips and resets was found"):
                flip_or_reset(language)
    assert met[True] > 200 < met[False] + 150


@pytest.mark.parametrize(("group", "bits"), [("c2", 1), ("v4", 2), ("c8", 3), ("q8", 3), ("z2_4", 4), ("q16", 4)])
def test_a_2_group_of_2_to_the_k_elements_in_its_regular_action_takes_k_bits(group: str, bits: int) -> None:
    found = flip_or_reset(given_language(f"group:{group}").automaton)
    assert (len(found.layers), len(found.reachable)) == (bits, 2**bits)
    assert all((0, 0) not in c.changes.values() for layer in found.layers for c in layer)  # nothing is reset


def test_a_group_of_odd_order_is_refused() -> None:
    for group in ("c3", "s3", "a4"):
        with pytest.raises(BadInput, match="2-groups"):
            flip_or_reset(given_language(f"group:{group}").automaton)
