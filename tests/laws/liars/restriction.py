"""Lies about restrictions: tokens that are not fixed, completions that are not any, models that attend otherwise."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, Lie, at, changed, made

CONSTANT = partial(named, "restriction")
LAYER = ("program", "model", "layers", 0)


def loosened(document: Document) -> Document:
    """Nothing is fixed but the end symbol."""
    return {**document, "restriction": [*[None] * 8, 2], "free": 8}


def tightened(document: Document) -> Document:
    """One more token is fixed, to that of both completions."""
    x, y = document["completions"]
    place = next(p for p, token in enumerate(document["restriction"]) if token is None and x[p] == y[p])
    return {**edited(document, ("restriction", place), x[place]), "free": document["free"] - 1}


def outside(document: Document) -> Document:
    """A completion that has another token where one is fixed."""
    place = next(p for p, token in enumerate(document["restriction"]) if token in (0, 1))
    return edited(document, ("completions", 0, place), 1 - document["restriction"][place])


def all_alike(document: Document) -> Document:
    """Weights that say nothing."""
    return with_weights(document, {name: np.zeros_like(tensor) for name, tensor in tensors_of(document).items()})


def other_weights(document: Document) -> Document:
    """The read-out turned round."""
    tensors = tensors_of(document)
    tensors["readout.weight"], tensors["readout.bias"] = -tensors["readout.weight"], -tensors["readout.bias"]
    return with_weights(document, tensors)


def with_itself(document: Document) -> Document:
    """One completion twice."""
    x = document["completions"][0]
    return {**document, "completions": [x, x], "expected": document["expected"][:1] * 2}


def recurrent(document: Document) -> Document:
    """A linear recurrence instead of attention."""
    return edited(document, (*LAYER, "mixer"), {"kind": "linear-rnn", "state": 1})


LIES = (
    made(CONSTANT, "nothing has to be fixed", "restriction: what the model says depends on the places", loosened),
    made(CONSTANT, "a fixed token may change", "is not that of the restriction", outside),
    made(CONSTANT, "a tie is an answer", "restriction: on some completion two logits are equal", all_alike),
    made(CONSTANT, "other weights are as constant", "said: the certificate says", other_weights),
    made(CONSTANT, "a completion is confused with itself", "expected: one answer is right for both inputs", with_itself),
    made(CONSTANT, "a recurrence is hard attention", "weights: layers.0.mixer.transition is missing", recurrent),
    at(CONSTANT, "softmax is hard attention", "model: expected hard attention in layer 1", *LAYER, "mixer", "scores", value="softmax"),
    changed(CONSTANT, "more is free", "free: the certificate says 8", free=8),
    changed(
        CONSTANT,
        "the answers are the other way round",
        "expected[0]: the certificate says",
        expected=named("restriction")["expected"][::-1],
    ),
    changed(CONSTANT, "a few places are all", "restriction: expected 9 entries, found 2", restriction=[None, 2]),
    changed(CONSTANT, "a token of my own", "restriction[0]: expected null or a token of 0..1", restriction=[7, *[None] * 7, 2]),
    changed(CONSTANT, "three completions", "completions: expected two of them, found 3", completions=[named("pair")["inputs"][0]] * 3),
    changed(CONSTANT, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    changed(CONSTANT, "it proves a theorem", "unknown field 'cites'", cites="hahn2020 Theorem 1"),
    at(CONSTANT, "it is about longer words", "restriction: expected 13 entries, found 9", "claim", "parameters", "length", value=12),
    at(CONSTANT, "the model has other numbers", "is not a number of fixed:3,1", "program", "model", "arithmetic", value="fixed:3,1"),
    Lie(
        "one more token is needed",
        lambda: tightened(CONSTANT()),
        CONSTANT,
        shows=f"parity, N = 8: with 3 of 9 tokens fixed, this model says {named('restriction')['said']} whatever the other 6 are, and is "
        "wrong on some; one layer, one head, width 3, fixed:12,4",
    ),
)
