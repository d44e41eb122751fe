"""Titles of tasks that a text states: two texts have two titles, and an alphabet that changes a language is named."""

from __future__ import annotations

import hashlib
import json
from itertools import count
from typing import Any

import pytest

from separatrix.checker.seal import Refused
from separatrix.checker.specs import spec_of

LOOP = """
start = "q"
accept = "y"
reject = "n"
blank = "_"
input = "ab"
[moves.q]
a = ["q", "a", "R"]
b = ["y", "b", "S"]
_ = ["n", "_", "S"]
"""
OTHER = LOOP.replace('b = ["y", "b", "S"]', 'b = ["n", "b", "S"]')


def beginning_alike(one: str, other: str) -> tuple[str, str]:
    """Two texts with comments, whose SHA-256 begin with the same 32 bits."""
    met: list[dict[str, str]] = [{}, {}]
    for number in count():
        for side, text in enumerate((one, other)):
            commented = f"{text}# {number}\n"
            short = hashlib.sha256(commented.encode()).hexdigest()[:8]
            met[side][short] = commented
            if short in met[1 - side]:
                return (commented, met[1][short]) if side == 0 else (met[0][short], commented)
    raise AssertionError


@pytest.mark.parametrize(
    ("task", "key", "one", "other", "rest"),
    [
        ("turing-machine", "machine", LOOP, OTHER, {"length": 3, "padding": 0, "margin": 1, "steps": 9, "thought": "none"}),
        ("circuit", "circuit", 'gates = ["x1", "x2", "and 1 2"]\n', 'gates = ["x1", "x2", "or 1 2"]\n', {"length": 2, "thought": "none"}),
    ],
)
def test_texts_whose_hashes_begin_alike_have_different_titles(task: str, key: str, one: str, other: str, rest: dict[str, Any]) -> None:
    """Found in a second; what is tried 2^40 times must not lead to the sentence of another task."""
    specs = [spec_of(task, {**rest, key: text}) for text in beginning_alike(one, other)]
    inputs = [[*specs[0].inputs()], [*specs[1].inputs()]]
    assert inputs[0] == inputs[1]
    assert [specs[0].truth(tokens) for tokens in inputs[0]] != [specs[1].truth(tokens) for tokens in inputs[0]]
    assert specs[0].title != specs[1].title


def test_a_language_is_named_with_the_alphabet_that_it_is_over() -> None:
    rest = {"length": 2, "language": "[^b]*", "negatives": "uniform"}
    narrow, wide = (spec_of("regular", {**rest, "alphabet": alphabet}) for alphabet in ("ab", "abc"))
    assert narrow.title == "the language of the regular expression '[^b]*' over 'ab', N = 2"
    assert wide.title == "the language of the regular expression '[^b]*' over 'abc', N = 2"
    assert spec_of("regular", {**rest, "language": "ab*", "alphabet": None}).title == "the language of the regular expression 'ab*', N = 2"


def test_an_automaton_has_each_key_once_and_short_symbols() -> None:
    """Of a repeated key one reader takes the first value, and another the last."""
    rest = {"length": 2, "alphabet": None, "negatives": "uniform"}
    text = json.dumps({"alphabet": ["a"], "start": "p", "accepting": ["p"], "moves": {"p": {"a": "q"}, "q": {"a": "p"}}})
    assert spec_of("regular", {**rest, "language": text}).truth((0, 0, 1)) == 1
    for wrong, said in (
        (text.replace('"accepting"', '"accepting": ["q"], "accepting"'), "the key 'accepting' is repeated"),
        (text.replace('{"a": "q"}', '{"a": "p", "a": "q"}'), "the key 'a' is repeated"),
        (text.replace('"a"', json.dumps("a" * 65)), "distinct symbols of at most 64 characters"),
        (text.replace('["a"]', "[[]]"), "distinct symbols"),
        (text.replace('["p"]', "9" * 5000), "not the JSON of an automaton"),
    ):
        with pytest.raises(Refused, match=said):
            spec_of("regular", {**rest, "language": wrong})
