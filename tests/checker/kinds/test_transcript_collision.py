"""Transcript collisions: four inputs, one transcript, two answers needed."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker import check_document, sealed
from tests.checker.kinds.forgery import edited, reason
from tests.checker.kinds.programs import honest

Document = dict[str, Any]


def test_what_a_collision_says() -> None:
    document = honest("collision")
    verdict = check_document(document)
    assert verdict.strength == "proven"
    assert verdict.claim.startswith(
        f"equality, N = 6, 2 symbols: this model sends the same {document['bits']} bits on four inputs that need two answers"
    )
    assert len({*document["expected"]}) == 2


def test_an_input_beside_itself_is_no_collision() -> None:
    document = honest("collision")
    x = document["x"]
    same = {"y": x, "crossed": [x, x], "expected": document["expected"][:1] * 4}
    assert reason({**document, **same}) == "expected: one answer is right for all four inputs"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("bits",), 1, "bits"),
        (("said",), 1, "said"),
        (("alice",), [0, 1], "crossed|transcript"),
        (("alice",), [2, 1, 0], "alice"),
        (("alice",), [0, 0, 1], "alice"),
        (("alice",), [0, 1, 2, 3, 4, 5], "alice"),
        (("alice",), [], "alice"),
        (("crossed", 0), [0, 0, 0, 0, 0, 0], "crossed"),
        (("expected", 0), 0, "expected"),
        (("expected",), [1, 1, 1, 1], "expected"),
        (("transcript", 0), "01", "transcript"),
        (("transcript",), [], "transcript"),
        (("x", 0), 7, "x"),
        (("x",), [0, 1], "x: expected 6 tokens"),
        (("cites",), "bhattamishra2024 Theorem 2", "cites"),
        (("cites",), "bhattamishra2024 Theorem 1", "cites"),
        (("claim", "task"), "mqar", "claim|parameters"),
        (("claim", "parameters", "length"), 8, "x: expected 8 tokens|alice"),
        (("program", "model", "arithmetic"), "float64", "expected one layer of attention in fixed point"),
        (("program", "model", "layers", 0, "mixer", "mask"), {"kind": "window", "size": 2}, "expected attention to all tokens"),
        (("strength",), "tested", "strength"),
    ],
)  # fmt: skip
def test_a_resealed_false_claim_is_refused_with_its_reason(path: tuple[Any, ...], value: Any, words: str) -> None:
    why = reason(edited(honest("collision"), path, value))
    assert any(why.startswith(word) or word in why for word in words.split("|")), why


def test_two_layers_are_no_protocol() -> None:
    document = honest("collision")
    layers = document["program"]["model"]["layers"]
    assert "expected one layer of attention in fixed point" in reason(edited(document, ("program", "model", "layers"), layers * 2))


def test_a_collision_may_cite_its_theorem_or_none() -> None:
    document = honest("collision")
    assert document["cites"] == "bhattamishra2024 Theorem 4"
    assert check_document(sealed({**document, "cites": ""})).holds
