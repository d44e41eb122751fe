"""Lies about machines: tables that are wrong somewhere, or do not fit, and fewer bits than are passed."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Document, Lie, at, changed, made

MACHINE, PROMISE = partial(fresh, "machine"), partial(fresh, "promise_machine")


def outputs_turned(document: Document) -> Document:
    """Yes for no."""
    return edited(document, ("automaton", "outputs"), document["automaton"]["outputs"][::-1])


def one_arrow_wrong(document: Document) -> Document:
    """The last token is read as if it were the other, in one state."""
    last = document["automaton"]["transitions"][-1]
    return edited(document, ("automaton", "transitions", len(document["automaton"]["transitions"]) - 1, 0), last[0][::-1])


def merged(document: Document) -> Document:
    """Two states are taken for one, and the bits are counted for what is left."""
    first = document["automaton"]["transitions"][0]
    return {**edited(document, ("automaton", "transitions", 0), [[0] * len(first[0])]), "state_bits": 1}


def a_table_less(document: Document) -> Document:
    """The last token is not read."""
    return edited(document, ("automaton", "transitions"), document["automaton"]["transitions"][:-1])


def padded(document: Document) -> Document:
    """States that nothing passes, to look larger."""
    second = document["automaton"]["transitions"][1]
    return {**edited(document, ("automaton", "transitions", 1), [*second, *([second[0]] * 30)]), "state_bits": 5}


def constant(document: Document) -> Document:
    """A function with one answer, which needs no machine."""
    claim = {"task": "table", "parameters": {"sizes": [2, 2], "answers": [1, 1, 1, 1]}}
    automaton = {"transitions": [[[0, 0]], [[0, 0]]], "outputs": [1]}
    return {**document, "claim": claim, "automaton": automaton, "strings": 4, "state_bits": 0}


def empty(document: Document) -> Document:
    """A promise that nothing keeps."""
    claim = {"task": "table", "parameters": {"sizes": [2, 2], "answers": [None] * 4}}
    automaton = {"transitions": [[[0, 0]], [[0, 0]]], "outputs": [1]}
    return {**document, "claim": claim, "automaton": automaton, "strings": 0, "state_bits": 0}


LIES = (
    made(MACHINE, "yes is no", "automaton: [0, 0, 0, 0] is answered with", outputs_turned),
    made(MACHINE, "one arrow does not matter", "is answered with", one_arrow_wrong),
    made(MACHINE, "two states are one", "is answered with", merged),
    made(MACHINE, "a token need not be read", "automaton.transitions: expected 4 tables, found 3", a_table_less),
    made(MACHINE, "states that nothing passes count", "state_bits: the certificate says 5, recomputation gives 2", padded),
    made(MACHINE, "a constant is worth a machine", "claim: every input has the same answer", constant),
    made(MACHINE, "an empty promise is a promise", "answers: nothing is inside the promise", empty),
    changed(MACHINE, "fewer bits suffice", "state_bits: the certificate says 1, recomputation gives 2", state_bits=1),
    changed(MACHINE, "it is right on more inputs", "strings: the certificate says 17, recomputation gives 16", strings=17),
    changed(PROMISE, "it is right outside the promise", "strings: the certificate says 128", strings=128),
    changed(MACHINE, "it replays a lower bound", "unknown field 'cites'", cites="bhattamishra2024 Theorem 2"),
    changed(MACHINE, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    changed(MACHINE, "it does another task", "is answered with", claim={"task": "intersects", "parameters": {"length": 4}}),
    at(MACHINE, "an arrow may lead nowhere", "automaton.transitions: expected states", "automaton", "transitions", 0, 0, 1, value=99),
    at(MACHINE, "it may begin in any state", "one state before the first token", "automaton", "transitions", 0, value=[[0, 1], [0, 1]]),
    at(MACHINE, "true is a state", "automaton.transitions: expected a whole number", "automaton", "transitions", 0, 0, 1, value=True),
    Lie(
        "a state that nothing passes makes it larger",
        lambda: edited(MACHINE(), ("automaton", "outputs"), [*MACHINE()["automaton"]["outputs"], 7]),
        MACHINE,
        shows="equality, N = 4, 2 symbols: a recurrent model with 2 bits of state is right on all 16 inputs",
    ),
)
