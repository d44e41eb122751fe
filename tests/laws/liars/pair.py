"""Lies about pairs: inputs that need one answer, programs that tell them apart."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, Lie, at, changed, made

PAIR = partial(named, "pair")


def all_alike(document: Document) -> Document:
    """Weights that say nothing: the first target is taken for want of another."""
    nothing = {name: np.zeros_like(tensor) for name, tensor in tensors_of(document).items()}
    return {**with_weights(document, nothing), "said": 0}


def told_apart(document: Document) -> Document:
    """A read-out that counts what the last token read, and nothing else of the model."""
    tensors = tensors_of(document)
    tensors["readout.weight"], tensors["readout.bias"] = -tensors["readout.weight"], -tensors["readout.bias"]
    return with_weights(document, tensors)


def with_itself(document: Document) -> Document:
    """One input twice."""
    x = document["inputs"][0]
    return {**document, "inputs": [x, x], "expected": document["expected"][:1] * 2}


def two_bits(document: Document) -> Document:
    """An input with two bits changed needs the old answer."""
    x, y = document["inputs"]
    place = next(p for p in range(8) if x[p] == y[p])
    return edited(document, ("inputs", 0, place), 1 - x[place])


def without_end(document: Document) -> Document:
    """The end symbol is a bit."""
    return edited(document, ("inputs", 1, 8), 1)


LIES = (
    made(PAIR, "a tie is an answer", "said: not above the error of the arithmetic", all_alike),
    made(PAIR, "other weights say the same", "said: the certificate says", told_apart),
    made(PAIR, "an input is confused with itself", "expected: one answer is right for both inputs", with_itself),
    made(PAIR, "any two inputs need two answers", "expected[0]: the certificate says", two_bits),
    made(PAIR, "a word needs no end", "inputs: token 1 is not one of 2..2", without_end),
    changed(PAIR, "one input is a pair", "inputs: expected two of them, found 1", inputs=named("pair")["inputs"][:1]),
    changed(PAIR, "shorter words are words", "inputs: expected 9 tokens", inputs=[[0, 2], [1, 2]]),
    changed(PAIR, "it says nothing", "said: the certificate says 7", said=7),
    changed(PAIR, "three answers are due", "expected: expected 2 items, found 3", expected=[0, 1, 0]),
    changed(PAIR, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    changed(PAIR, "a margin of my own", "unknown field 'margin'", margin=9.0),
    at(PAIR, "it is about longer words", "inputs: expected 13 tokens", "claim", "parameters", "length", value=12),
    at(PAIR, "fewer answers than the task has", "model: it has 1 targets", "program", "model", "readout", "targets", value=1),
    at(PAIR, "the model has other numbers", "is not a number of fixed:3,1", "program", "model", "arithmetic", value="fixed:3,1"),
    Lie(
        "the order matters",
        lambda: {**PAIR(), "inputs": PAIR()["inputs"][::-1], "expected": PAIR()["expected"][::-1]},
        PAIR,
        shows=f"parity, N = 8: this model says {named('pair')['said']} on two inputs that need two answers, so it is wrong on one of them; "
        "one layer, one head, width 3, fixed:12,4",
    ),
)
