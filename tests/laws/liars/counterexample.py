"""Lies about counterexamples: a program that is right, an input that is not the task's, an answer that is not due."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, Lie, at, changed, made

WRONG = partial(named, "counterexample")


def right_weights(document: Document) -> Document:
    """Weights that are right on this input."""
    return with_weights(document, tensors_of(named("lookup")))


def all_alike(document: Document) -> Document:
    """Weights that say nothing: the first target is taken for want of another."""
    nothing = {name: np.zeros_like(tensor) for name, tensor in tensors_of(document).items()}
    return {**with_weights(document, nothing), "tokens": [0, 1, 0, 3], "said": 0, "expected": 1, "margin": 0.0}


def as_large(document: Document) -> Document:
    """A third answer is as large as the one that it is said to give."""
    tensors, said = tensors_of(document), document["said"]
    more = {name: np.concatenate([tensors[name], tensors[name][said : said + 1]]) for name in ("readout.weight", "readout.bias")}
    three = edited(document, ("program", "model", "readout", "targets"), len(more["readout.bias"]))
    return with_weights(three, {**tensors, **more})


def turned_round(document: Document) -> Document:
    """What is right is called wrong."""
    return {**document, "said": document["expected"], "expected": document["said"]}


def larger_task(document: Document) -> Document:
    """The input is one of a longer task, which the model was not made for."""
    longer = edited(document, ("claim", "parameters", "length"), 9)
    return {**longer, "tokens": [0] * 8 + [1, 10], "position": 10}


LIES = (
    made(WRONG, "it is wrong, though it is right", "said: the program is right on this input", right_weights),
    made(WRONG, "a tie is a wrong answer", "margin: not above the error of the arithmetic", all_alike),
    made(WRONG, "it says this, and not what is as large", "margin: not above the error of the arithmetic", as_large),
    made(WRONG, "the right answer is another", "expected: the certificate says", turned_round),
    made(WRONG, "it fails at another task", "model: its vocabulary has 5 tokens, the task 11", larger_task),
    changed(WRONG, "it says something else", "said: the certificate says 2", said=2),
    changed(WRONG, "it is wrong by far", "margin: the certificate says at least 1000000.0", margin=1e6),
    changed(WRONG, "it is asked elsewhere", "position: the task is not scored at 2", position=2),
    changed(WRONG, "it is asked beyond the end", "position: expected 1..4, found 9", position=9),
    changed(WRONG, "no index is asked for", "tokens: not an input of the task, or outside its promise", tokens=[0, 1, 0, 1]),
    changed(WRONG, "a shorter input is one of the task", "tokens: not an input of the task", tokens=[0, 1, 3]),
    changed(WRONG, "nothing is an input", "tokens: expected 1..1048576 integers", tokens=[]),
    changed(WRONG, "it was tried on many", "strength: the certificate says 'exhaustive'", strength="exhaustive"),
    changed(WRONG, "it refutes a theorem", "unknown field 'cites'", cites="bhattamishra2024 Theorem 1"),
    at(WRONG, "fewer answers than the task has", "model: it has 1 targets", "program", "model", "readout", "targets", value=1),
    at(WRONG, "the model has other numbers", "which is not a number of fixed:2,1", "program", "model", "arithmetic", value="fixed:2,1"),
    Lie(
        "the margin is what counts",
        lambda: {**WRONG(), "margin": 0.0},
        WRONG,
        shows="index lookup, N = 3, 2 symbols: wrong on an input of 4 tokens, says {said} for {expected}; "
        "one layer, one head, width 5, float64".format(**WRONG()),
    ),
)
