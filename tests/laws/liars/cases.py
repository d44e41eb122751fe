"""Lies about an author's cases: answers that the weights do not give, and a word that is not the author's to give."""

from __future__ import annotations

import hashlib
from functools import partial

import numpy as np

from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, Lie, at, changed, made

CASES = partial(named, "cases")


def other_answer(document: Document) -> Document:
    """One answer that the program does not give."""
    first, *rest = document["cases"]
    wrong = (first["expected"][0] + 1) % document["program"]["model"]["readout"]["targets"]
    return {**document, "cases": [{**first, "expected": [wrong]}, *rest]}


def only_one_answer(document: Document) -> Document:
    """The cases of one answer, as a constant would have them."""
    answer = document["cases"][0]["expected"]
    alike = [case for case in document["cases"] if case["expected"] == answer]
    return {**document, "cases": alike, "decisions": hashlib.sha256(np.array(answer * len(alike), dtype="<i8").tobytes()).hexdigest()}


def other_weights(document: Document) -> Document:
    """The same answers from weights whose read-out is turned round."""
    tensors = tensors_of(document)
    tensors["readout.weight"] = -tensors["readout.weight"]
    return with_weights(document, tensors)


def repeated(document: Document) -> Document:
    """One input a thousand times."""
    return {**document, "cases": document["cases"] + document["cases"][:1] * 999}


def of_the_house(document: Document) -> Document:
    """A document of the checker's own kind, with the author's cases for a plan."""
    return {**document, "kind": "program"}


SENTENCE = "these weights give the author's answers on {} inputs of the author's; two layers, one head, width {}, float64"
LIES = (
    made(CASES, "the program gives another answer", "case 1 of the author's: the program says", other_answer),
    made(CASES, "a constant is worth a claim", "cases: every case has the same answer, so they show nothing", only_one_answer),
    made(CASES, "other weights do the same", " of the author's: the program says", other_weights),
    made(CASES, "one input counts often", "cases: 999 inputs are repeated", repeated),
    made(CASES, "the checker drew the cases", "certificate: unknown field 'cases'", of_the_house),
    changed(CASES, "no case is needed", "number of cases: expected 2..1000000, found 0", cases=[]),
    changed(CASES, "the task is one of ours", "expected a certificate of kind 'program'", task="Index_Lookup"),
    changed(CASES, "the task looks like one of ours", "task: expected at most 200 printable ASCII characters", task="index\u2010lookup"),
    changed(CASES, "a theorem says so", "unknown field 'cites'", cites="bhattamishra2024 Theorem 1"),
    changed(
        CASES, "the checker vouches for it", "strength: the certificate says 'tested', recomputation gives 'author'", strength="tested"
    ),
    changed(CASES, "it decides by a wider margin", "margin: the certificate says at least 1000000.0", margin=1e6),
    changed(CASES, "it said something else", "decisions: the certificate says", decisions="0" * 64),
    at(CASES, "it is narrower", "sizes.width: the certificate says 1", "sizes", "width", value=1),
    at(CASES, "answers stand in the middle", "cases: the decoder reads the last position", "cases", 0, "at", value=[1]),
    changed(
        CASES,
        "a head looks at one place",
        "lemmas: position-weight of layer 1, head 2",
        lemmas=[{"lemma": "position-weight", "layer": 1, "head": 2, "weight": 1.0}],
    ),
    Lie(
        "the name of its task is what it shows",
        lambda: {**CASES(), "task": "P = NP"},
        CASES,
        shows=SENTENCE.format(len(CASES()["cases"]), CASES()["sizes"]["width"]),
        without=("NP",),
    ),
)
