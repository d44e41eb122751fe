"""Who holds which places: in rising order, each once, some but not all."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.kinds.partition import places, together, worded
from separatrix.checker.seal import Refused
from tests.checker.kinds.forgery import reason
from tests.checker.kinds.witnesses import fresh


def test_the_other_party_holds_the_rest() -> None:
    assert places([0, 2], 4) == ((0, 2), (1, 3))
    assert together((7, 8), (5, 6), (0, 2), (1, 3)) == (7, 5, 8, 6)


@pytest.mark.parametrize(
    ("alice", "why"),
    [
        ([2, 1, 0], "places in rising order, each once"),
        ([0, 2, 1], "places in rising order, each once"),
        ([0, 0, 1], "places in rising order, each once"),
        ([0, 1, 1], "places in rising order, each once"),
        ([], "some, not all, of the places 0..5"),
        ([0, 1, 2, 3, 4, 5], "some, not all, of the places 0..5"),
        ([-1, 0, 1], "some, not all, of the places 0..5"),
        ([0, 1, 6], "some, not all, of the places 0..5"),
        ([0, True, 2], "alice: expected a whole number, found bool"),
        ([0, 1.0, 2], "alice: expected a whole number, found float"),
        ([0, "1"], "alice: expected a whole number, found str"),
    ],
)
def test_other_lists_are_refused(alice: list[Any], why: str) -> None:
    with pytest.raises(Refused, match=why.replace("..", r"\.\.")):
        places(alice, 6)
    assert why in reason(fresh("fooling_set"), alice=alice)


def test_what_is_no_list_is_refused() -> None:
    with pytest.raises(Refused, match="alice: expected a list of places"):
        places("012", 6)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((0,), "token 1"),
        ((0, 1, 2), "tokens 1 to 3"),
        ((0, 1, 5), "tokens 1 to 2, 6"),
        ((0, 3, 4, 5), "tokens 1, 4 to 6"),
        (tuple(range(0, 12, 2)), "tokens 1, 3, 5, 7, 9, 11"),
        (tuple(range(0, 20, 2)), "tokens 1, 3, 5, 7, 9, 11 and 4 more"),
    ],
)
def test_places_are_counted_from_one_in_a_sentence(places: tuple[int, ...], words: str) -> None:
    assert worded(places) == words
