"""Lies about poison: places that are seen, places that do not matter, and models that carry more."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, Lie, at, changed, made

POISON = partial(named, "poison")


def deaf(document: Document) -> Document:
    """Weights that say nothing are not changed by anything."""
    return with_weights(document, {name: np.zeros_like(tensor) for name, tensor in tensors_of(document).items()})


def unmasked(document: Document) -> Document:
    """The same weights, where every token sees all before it."""
    for layer in document["program"]["model"]["layers"]:
        if layer["mixer"] is not None:
            layer["mixer"]["mask"] = {"kind": "causal"}
    return document


def short_and_unmasked(document: Document) -> Document:
    """That no token behind the input is within the model's length does not mean that none sees it."""
    document["program"]["model"]["length"] = 4
    return unmasked(document)


LIES = (
    changed(POISON, "more is hidden than is", "hidden: a token of the chain, or the one before it, sees place 2", hidden=[1, 2, 3]),
    changed(POISON, "nothing is hidden", "hidden: expected at least one place", hidden=[]),
    changed(POISON, "a place is hidden twice", "hidden: expected different integers in rising order", hidden=[1, 1, 2]),
    changed(POISON, "a place beyond the input is hidden", "hidden: expected 1..4, found 9", hidden=[1, 9]),
    changed(POISON, "what is hidden matters", "seen: expected a place 1..4 that is not hidden", seen=1),
    changed(POISON, "the end of the input matters", "seen: expected a place 1..4 that is not hidden", seen=5),
    changed(POISON, "less is left", "bits: the certificate says 1", bits=1),
    changed(POISON, "another input is one", "tokens: not an input of the task", tokens=[1, 0, 1, 1, 0]),
    changed(POISON, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    made(POISON, "whatever is overwritten, it is right", "hidden: with these places overwritten the chain is wrong", deaf),
    made(POISON, "a mask hides nothing", "sees place 1 in layer", unmasked),
    at(POISON, "it is about longer inputs", "tokens: not an input of the task", "claim", "parameters", "length", value=5),
    at(POISON, "nobody is left to see", "model.length: the model reads 1 tokens", "program", "model", "length", value=1),
    made(POISON, "a short model under no mask hides it all", "model.length: the model reads 4 tokens", short_and_unmasked),
    at(POISON, "the model says one token", "decoder: integers are read by rounding", "program", "decoder", value={"kind": "position"}),
    Lie(
        "fewer places are hidden",
        lambda: {**POISON(), "hidden": [1], "bits": POISON()["bits"] // 2 * 3},
        POISON,
        shows="sums of the last 1..4 of 4 numbers below 2: the chain that this model writes does not depend on what it holds of 1 of the 4 "
        "tokens of an input; at most 966 bits of the others are left; 12 layers, two heads, width 46, float32",
    ),
)
