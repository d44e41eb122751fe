"""Periods: what the author calls a letter stands between quotation marks, and does not end them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from separatrix.checker import check_document, sealed
from separatrix.checker.specs.automata import language_of
from tests.checker.kinds import witnesses


def period_with_letters(a: str, b: str) -> dict[str, Any]:
    """An even number of a between two b, by an automaton whose letters have other names."""
    document = copy.deepcopy(witnesses.fresh("period_of_a_stack"))
    text = json.loads(document["claim"]["parameters"]["language"])
    names = dict(zip(text["alphabet"], (a, b), strict=True))
    text["alphabet"] = [a, b]
    text["moves"] = {q: {names[letter]: r for letter, r in row.items()} for q, row in text["moves"].items()}
    document["claim"]["parameters"]["language"] = json.dumps(text)
    return sealed(document)


@pytest.mark.parametrize(
    ("letter", "said"),
    [
        ("a", "it counts 'a' modulo 2;"),
        ("x' modulo 9, and so does 'b", "it counts \"x' modulo 9, and so does 'b\" modulo 2;"),
        ("x\" and 'b", "it counts 'x\" and \\'b' modulo 2;"),
        ("x\nb", "it counts 'x\\nb' modulo 2;"),
        ("\u2019", "it counts '\\u2019' modulo 2;"),
        ("a" * 50, f"it counts '{'a' * 50}' modulo 2;"),
    ],
)
def test_a_letter_is_quoted(letter: str, said: str) -> None:
    verdict = check_document(period_with_letters(letter, "b"))
    assert verdict.holds, verdict.reason
    assert said in verdict.claim
    assert all("modulo 9, and" not in entry["text"] or "\"x' modulo 9, and so does 'b\"" in entry["text"] for entry in verdict.evidence)


def test_a_long_word_is_cut_and_counted_and_symbols_of_several_characters_stand_apart() -> None:
    document = period_with_letters("aa", "a")
    unbounded = {**document, "stack": None, "blocks": None, "longest": None}
    long = check_document(sealed({**unbounded, "x": [*document["x"], *[0] * 40]}))
    assert long.holds, long.reason
    named = ", ".join(["'a'", *["'aa'"] * 39])
    assert f"whether [{named}].. (41 symbols) 'aa'^i" in long.evidence[0]["text"]


@pytest.mark.parametrize(
    ("language", "p", "modulo"),
    [
        ("(aa)*|(aaaa)*", 4, 2),
        ("(aaa)*|(a{12})*", 12, 3),
        ("(aaaa)*", 4, 4),
        ("(a{6})*|aa(a{6})*|aaaa(a{6})*", 6, 2),
        ("(a{6})*|aa(a{6})*", 6, 6),
    ],
)
def test_states_that_are_alike_do_not_count(language: str, p: int, modulo: int) -> None:
    """An automaton may go round a longer cycle than its language does."""
    _, (moves, accepting) = language_of(language, None)
    state, answers = 0, []
    for i in range(3 * p):
        answers += [int(state in accepting)] if i >= 2 * p else []
        state = moves[state][0]
    claim = {"task": "regular", "parameters": {"language": language, "alphabet": None}}
    document = {
        **copy.deepcopy(witnesses.fresh("period")), "claim": claim, "x": [0] * (2 * p), "u": [0], "y": [], "answers": answers,
    }  # fmt: skip
    verdicts = [check_document(sealed({**document, "p": q, "answers": answers[:q]})) for q in range(2, p + 1)]
    held = [verdict.claim for verdict in verdicts if verdict.holds]
    assert len(held) == 1
    assert held[0].endswith(f"it counts 'a' modulo {modulo}")
