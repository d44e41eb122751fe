"""Lies about recognisers: other languages, other moves, pairs of states that do not hold, weights that were changed."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Document, Lie, at, changed, made

LANGUAGES = partial(fresh, "languages")


def moved(**moves: Any) -> str:
    """The automaton with other moves."""
    automaton = json.loads(LANGUAGES()["automaton"])
    return json.dumps({**automaton, "moves": {**automaton["moves"], **moves}})


def beside(document: Document) -> Document:
    """A third state, which no word leads to, and so each language twice."""
    automaton = json.loads(document["automaton"])
    (first, row), *_ = automaton["moves"].items()
    more = json.dumps({**automaton, "moves": {**automaton["moves"], "never met": dict.fromkeys(row, first)}})
    tensors = tensors_of(document)
    doubled = {name: np.concatenate([tensors[name]] * 2) for name in ("readout.weight", "readout.bias")}
    targets = len(doubled["readout.bias"])
    twice = with_weights(edited(document, ("program", "model", "readout", "targets"), targets), {**tensors, **doubled})
    return {**twice, "automaton": more, "languages": [*document["languages"], *([*some, 2] for some in document["languages"])]}


def turned(document: Document) -> Document:
    """The two rows of the first language the other way round."""
    tensors = tensors_of(document)
    return with_weights(document, {**tensors, "readout.weight": tensors["readout.weight"][[1, 0, 2, 3]]})


def faded(document: Document) -> Document:
    """A gain at which a register that is kept fades."""
    tensors = tensors_of(document)
    return with_weights(document, {**tensors, "layers.0.mixer.rate_bias": np.zeros_like(tensors["layers.0.mixer.rate_bias"])})


LIES = (
    made(LANGUAGES, "there are twice as many languages", "automaton: expected 3 states that words lead to, found 2", beside),
    changed(LANGUAGES, "the languages are the other way round", "language 1: the right answer may trail", languages=[[0], [1]]),
    changed(LANGUAGES, "one read-out is enough", "the model's targets: the certificate says 4", languages=[[1]]),
    changed(LANGUAGES, "one language twice", "languages: expected at least one set of accepting states, and no set twice",
            languages=[[1], [1]]),
    changed(LANGUAGES, "a state that there is not", "languages: expected lists of states 0..1", languages=[[1], [2]]),
    changed(LANGUAGES, "another automaton", "proof: pair", automaton=moved(**{"1": {"a": "0", "b": "0"}})),
    changed(LANGUAGES, "a move is missing", "automaton: expected a move for every state and symbol", automaton=moved(**{"1": {"a": "1"}})),
    changed(LANGUAGES, "an expression has numbers for its states", "automaton", automaton="(a|b)*a"),
    changed(LANGUAGES, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    at(LANGUAGES, "one length is every length", "proof.lengths: expected every", "proof", "lengths", value="stated"),
    at(LANGUAGES, "there is a pair less", "proof", "proof", "moves", value=[[1, 1]]),
    at(LANGUAGES, "the first state is another", "proof", "proof", "low", 0, 0, value=1.0),
    at(LANGUAGES, "it reads three letters", "the model's vocabulary", "automaton",
       value=json.dumps({"alphabet": ["a", "b", "c"], "start": "0", "accepting": [],
                         "moves": {"0": {"a": "1", "b": "0", "c": "0"}, "1": {"a": "1", "b": "0", "c": "0"}}})),
    made(LANGUAGES, "the rows of the read-out do not matter", "language 1: the right answer may trail", turned),
    made(LANGUAGES, "a register that fades keeps", "proof: pair", faded),
    Lie(
        "the construction does not matter",
        lambda: {**LANGUAGES(), "construction": "mine"},
        LANGUAGES,
        shows="two languages of one automaton with two states: right on every word of every length, by at least 0.999999; one layer, "
        "width 10, float64",
    ),
)  # fmt: skip
