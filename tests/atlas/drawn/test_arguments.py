"""A restriction and a collision as pictures: what they show is what the record holds."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from separatrix.atlas.drawn.collision import collision_picture
from separatrix.atlas.drawn.restriction import FREE, restriction_picture

RESTRICTION: dict[str, Any] = {
    "words": ["a", "b", "$"],
    "first": [None, None, None, None, 2],
    "layers": [
        {"restriction": [None, 1, None, None, 2], "supports": [[0], [], [2, 3], [3], [0, 2]]},
        {"restriction": [0, 1, 1, None, 2], "supports": [[]]},
    ],
    "said": "1",
    "completions": [[0, 1, 1, 0, 2], [0, 1, 1, 1, 2]],
    "expected": ["0", "1"],
}


def rows(picture: object) -> list[list[tuple[str, str]]]:
    """The boxes of each step: text and class, from left to right."""
    found = []
    for group in ElementTree.fromstring(str(picture)).iter("g"):
        if group.get("data-step"):
            found.append(
                [(text.text or "", box.get("class", "")) for box in group.iter("g") if box is not group for text in box.iter("text")]
            )
    return found


def test_each_layer_is_a_row_with_what_it_fixes_framed_and_what_is_free_dashed() -> None:
    drawn = restriction_picture(RESTRICTION)
    free, fixed, framed = (FREE, "box open"), "box", "box mark"
    assert rows(drawn.picture)[:3] == [
        [free, free, free, free, ("$", fixed)],
        [free, ("b", framed), free, free, ("$", fixed)],
        [("a", framed), ("b", fixed), ("b", framed), free, ("$", fixed)],
    ]
    assert str(drawn.picture).count('class="arc mark"') == 2  # the last vector depends on two places after the first layer
    assert drawn.steps[1] == (
        "Layer 1: place 2 to b fixed; no vector depends on more than 2 free places, and the last one depends on places 1 and 3."
    )
    assert drawn.steps[2] == "Layer 2: place 1 to a, place 3 to b fixed; the last one depends on nothing."


def test_the_two_completions_stand_below_with_what_is_said_and_what_is_right() -> None:
    drawn = restriction_picture(RESTRICTION)
    last = rows(drawn.picture)[3]
    assert [text for text, _ in last] == ["a", "b", "b", "a", "$", "1", "a", "b", "b", "b", "$", "1"]
    assert [text for text, tone in last if tone == "box bad"] == ["a", "1", "b"]  # where they differ, and the wrong answer
    assert "wrong: it is 0" in drawn.picture
    assert drawn.why.endswith("differ at place 4 need the answers 0 and 1, so it is wrong on one of them.")
    assert len(drawn.steps) == 4


def test_both_prefixes_lead_into_one_state() -> None:
    record = {"prefixes": [["0", "1"], ["1", "0"]], "suffix": ["0", "1"], "state": 3, "said": "1", "expected": ["1", "0"]}
    drawn = collision_picture(record)
    boxes = [text.text for g in ElementTree.fromstring(str(drawn.picture)).iter("g") for text in g.iter("text")]
    assert boxes == ["0", "1", "1", "0", "state 3", "0", "1", "1"]
    assert str(drawn.picture).count('class="arc mark"') == 2
    notes = {text.get("class"): text.text for text in ElementTree.fromstring(str(drawn.picture)).iter("text") if text.get("class")}
    assert notes == {"note good": "after the first prefix right", "note bad": "after the second prefix wrong: it is 0"}
