"""Lies about state collisions: two inputs that do not collide, or that one answer serves."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Document, Lie, at, changed, made

COLLISION = partial(fresh, "collision")


def remembers(document: Document) -> Document:
    """A first token that is not forgotten: the prefixes lead to two states."""
    transitions = document["automaton"]["transitions"]
    tables = [transitions[0], *[[[s] * len(table[0]) for s in range(len(table))] for table in transitions[1:3]], transitions[3]]
    return edited(document, ("automaton", "transitions"), tables)


def a_table_less(document: Document) -> Document:
    """The index is not read."""
    return edited(document, ("automaton", "transitions"), document["automaton"]["transitions"][:-1])


LIES = (
    made(COLLISION, "a model that remembers forgets", "state", remembers),
    made(COLLISION, "a token need not be read", "automaton.transitions: expected 4 tables, found 3", a_table_less),
    changed(COLLISION, "other prefixes collide", "state: the certificate says 0", prefixes=[[0, 0, 0], [1, 1, 0]]),
    changed(COLLISION, "an input collides with itself", "one answer is right for both", prefixes=[[0, 0, 0]] * 2, expected=[0, 0]),
    changed(COLLISION, "any suffix tells them apart", "one answer is right for both", suffix=[3], expected=[0, 0]),
    changed(COLLISION, "the answers are others", "expected: the certificate says [1, 0]", expected=[1, 0]),
    changed(COLLISION, "it says the right thing", "said: the certificate says 1", said=1),
    changed(COLLISION, "it is in another state", "state: the certificate says 3", state=3),
    changed(COLLISION, "a larger model is wrong", "state_bits: the certificate says 12, recomputation gives 2", state_bits=12),
    changed(COLLISION, "prefixes of two lengths", "prefixes: expected two of them", prefixes=[[0, 0, 0], [1, 0]]),
    changed(COLLISION, "three are better than two", "prefixes: expected two of them", prefixes=[[0, 0, 0], [1, 0, 0], [1, 0, 0]]),
    changed(COLLISION, "a symbol may be an index", "prefixes: token 4 is not one of 0..1", prefixes=[[0, 0, 0], [1, 0, 4]]),
    changed(COLLISION, "it is a bound on every model", "Theorem 3 is shown by a state-profile", cites="bhattamishra2024 Theorem 3"),
    changed(COLLISION, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    at(COLLISION, "it is about longer inputs", "expected 6 tables, found 4", "claim", "parameters", "length", value=5),
    at(COLLISION, "an arrow may lead nowhere", "expected states 0..", "automaton", "transitions", 1, 0, 0, value=-1),
    Lie(
        "it replays no theorem",
        lambda: {**COLLISION(), "cites": ""},
        COLLISION,
        shows="index lookup, N = 3, 2 symbols: a recurrent model with 2 bits of state is wrong on one of two inputs",
        without=("replays",),
    ),
)
