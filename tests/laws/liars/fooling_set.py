"""Lies about fooling sets: pairs that do not fool, bits that do not follow, covers that leave room."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Document, Lie, at, changed, made

EQUAL, LARGEST, PROMISE = (partial(fresh, name) for name in ("fooling_set", "largest_fooling_set", "promise_fooling_set"))


def twice(document: Document) -> Document:
    """The same pairs once more, and the bits for so many."""
    return {**document, "pairs": document["pairs"] * 2, "rectangles": 17, "bits": 5}


def unequal(document: Document) -> Document:
    """A pair whose input has another answer."""
    return edited(document, ("pairs", 0, 1), document["pairs"][1][1])


def not_fooling(document: Document) -> Document:
    """Two unequal inputs that no crossing tells apart: 000, 111 and 001, 110."""
    return {**document, "value": 0, "pairs": [[[0, 0, 0], [1, 1, 1]], [[0, 0, 1], [1, 1, 0]]], "rectangles": 3, "bits": 2}


def outside_the_promise(document: Document) -> Document:
    """Crossed inputs without an answer are counted as another one: Bob asks for a key that is not there."""
    return {**document, "pairs": [[[0, 3, 1, 4], [0]], [[2, 3, 1, 4], [2]]]}


def all_strings_in_one(document: Document) -> Document:
    """One rectangle over everything."""
    strings = [[a, b] for a in (0, 1) for b in (0, 1)]
    return edited(document, ("cover", "rectangles"), [{"alice": strings, "bob": strings, "weight": document["cover"]["denominator"]}])


def a_rectangle_less(document: Document) -> Document:
    """One input of the value is left out."""
    return edited(document, ("cover", "rectangles"), document["cover"]["rectangles"][1:])


def a_pair_less(document: Document) -> Document:
    """A smaller set, with the cover of the largest."""
    size = len(document["pairs"]) - 1
    return {**document, "pairs": document["pairs"][:-1], "rectangles": size + 1, "bits": 2}


LIES = (
    made(EQUAL, "a pair counts twice", "do not fool: no crossed input has another answer", twice),
    made(EQUAL, "a pair need not have the value", "pairs: [[0, 0, 0], [0, 0, 1]] does not have the answer 1", unequal),
    made(EQUAL, "unequal inputs fool as well", "do not fool: no crossed input has another answer", not_fooling),
    made(PROMISE, "no answer is another answer", "do not fool: no crossed input has another answer", outside_the_promise),
    made(LARGEST, "one rectangle covers all", "cover: a rectangle holds an input with another answer than 1", all_strings_in_one),
    made(LARGEST, "a cover may leave out an input", "covered by less than the denominator", a_rectangle_less),
    made(LARGEST, "no set is larger than this one", "cover: it leaves room for 4 pairs, the fooling set has 3", a_pair_less),
    changed(EQUAL, "one pair fools", "pairs: expected 2..4096, found 1", pairs=fresh("fooling_set")["pairs"][:1]),
    changed(EQUAL, "more bits follow", "bits: the certificate says 5, recomputation gives 4", bits=5),
    changed(EQUAL, "there are more rectangles", "rectangles: the certificate says 10, recomputation gives 9", rectangles=10),
    changed(EQUAL, "one party holds all", "alice: expected some, not all", alice=[0, 1, 2, 3, 4, 5]),
    changed(EQUAL, "a place is held twice", "alice: expected places in rising order, each once", alice=[0, 0, 1]),
    changed(EQUAL, "another partition will do", "pairs: [[0, 0, 1], [0, 0, 1]] does not have the answer 1", alice=[0, 1, 3]),
    changed(EQUAL, "it is the bound of another task", "Fact 1 is about intersects, found equality", cites="bhattamishra2024 Fact 1"),
    changed(EQUAL, "it is an upper bound", "is an upper bound, which no witness shows", cites="bhattamishra2024 Theorem 1"),
    changed(EQUAL, "a solver says that it is largest", "certificate: unknown field 'largest'", largest=True),
    changed(EQUAL, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    at(EQUAL, "it is about longer inputs", "pairs: expected", "claim", "parameters", "length", value=8),
    at(LARGEST, "a cover may weigh nothing", "cover.weight: expected 1..", "cover", "rectangles", 0, "weight", value=0),
    Lie(
        "without its cover it is still the largest",
        lambda: {**LARGEST(), "cover": None},
        LARGEST,
        shows="a function of 4 tokens, given as a table: where one party holds tokens 1, 3 of 4, the other the rest, every deterministic "
        "protocol exchanges at least 3 bits",
        without=("no fooling set", "cover"),
    ),
)
