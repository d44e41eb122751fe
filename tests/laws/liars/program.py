"""Lies about programs: weights that do not compute the task, and documents that say more than their weights show."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from separatrix.certificates.verify import verify
from separatrix.constructions import build
from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import Tensors, consistent, forged, tensors_of, with_tests, with_weights
from tests.checker.kinds.programs import honest as named
from tests.laws.liars.lie import Document, Lie, at, changed, made

LOOKUP, EXACT, REGISTERS, EVERYWHERE = (partial(named, name) for name in ("lookup", "exact", "registers", "everywhere"))
MIXER = ("program", "model", "layers", 0, "mixer")


@cache
def _long() -> Document:
    return with_tests(verify(build("index-lookup", length=64, symbols=2)).document)


@cache
def _fixed() -> Document:
    return verify(build("index-lookup", length=3, symbols=2, arithmetic="fixed:9,3")).document


@cache
def _some_cases() -> Document:
    """It claims no proof, and has too many inputs to run them all."""
    return consistent(named("everywhere"))


@cache
def _unproven() -> Document:
    """No rule follows registers that hold permuted tables."""
    return verify(build("associative-recall/recurrent", length=2)).document


def noise(w: Tensors) -> None:
    """Weights that compute nothing."""
    rng = np.random.default_rng(0)
    for name, tensor in w.items():
        if tensor.dtype.kind == "f":
            w[name] = rng.normal(0, 1, tensor.shape)


def nothing(w: Tensors) -> None:
    """All weights are 0."""
    for name, tensor in w.items():
        w[name] = np.zeros_like(tensor)


def own_key(w: Tensors) -> None:
    """The index token draws all the weight to itself."""
    w["embedding.table"][-1, 3:5] = -50.0


def asleep_at_one_place(document: Document) -> Document:
    """The first symbol is forgotten when it is 1: one input in twelve is wrong."""

    def forget(w: Tensors) -> None:
        w["layers.0.mixer.gates"][0, :, 1] = w["layers.0.mixer.gates"][0, :, 0]

    return forged(document, forget)


def few_registers(document: Document) -> Document:
    """One bit of state for a task that needs three."""
    tensors = tensors_of(document)
    for name in ("write", "read", "number_read"):
        tensors[f"layers.0.mixer.{name}"][:] = 0
    return consistent(with_weights(edited(document, (*MIXER, "registers"), 1), tensors))


def cancelling(document: Document) -> Document:
    """A decision that depends on the order in which a sum is taken."""
    tensors = tensors_of(document)
    tensors["layers.0.feedforward.outer_bias"][-3:] += [1.0, 1e16, -1e16]
    tensors["readout.weight"][1, -3:] = 1.0
    return consistent(with_weights({**document, "lemmas": []}, tensors))


def between_numbers(document: Document) -> Document:
    """A weight with more digits than the format counts bits for."""
    tensors = tensors_of(document)
    tensors["readout.bias"][0] = 0.1
    return with_weights(document, tensors)


def idle_weight(document: Document) -> Document:
    """Another seed, got by a weight that does not matter, under the tests of the old one."""
    tensors = tensors_of(document)
    tensors["embedding.table"][0, -1] += 2.0**-40
    return with_weights({**document, "lemmas": []}, tensors)


def another_task(document: Document) -> Document:
    """Equality as intersection: inputs and answers have the same form."""
    return consistent({**document, "cites": "", "claim": {"task": "intersects", "parameters": {"length": 4}}})


def one_answer(document: Document) -> Document:
    """A threshold that no input reaches, and weights that always say no."""
    claim = {"task": "sparse-threshold", "parameters": {**_threshold()["claim"]["parameters"], "threshold": 10}}
    return {**document, "claim": claim}


@cache
def _threshold() -> Document:
    return verify(build("sparse-threshold", length=10)).document


LIES = (
    made(LOOKUP, "weights without any test", "tests: expected the families all, found []", lambda d: {**consistent(d), "tests": []}),
    changed(LOOKUP, "a proof is not needed", "proof.rule: expected simulation, lookup", tests=[], proof=None),
    made(LOOKUP, "noise computes the task", "the program says", lambda d: forged({**d, "lemmas": []}, noise)),
    made(_fixed, "a tie is an answer", "two logits are equal, so nothing is decided", lambda d: forged(d, nothing)),
    made(REGISTERS, "right, but for one place", "the program says [0], the answer is [1]", asleep_at_one_place),
    made(REGISTERS, "one bit of state is enough", "1 bits of state cannot solve the task, which needs 3", few_registers),
    made(LOOKUP, "a head looks at p", "lemmas: index-weight of layer 1, head 1.weight", lambda d: forged(d, own_key)),
    made(LOOKUP, "one order of a sum is every order", "the margin is not above the error of the arithmetic", cancelling),
    made(EXACT, "weights need not fit their format", "which is not a number of fixed:14,6", between_numbers),
    made(_long, "the cases of another seed were run", "tests.random.decisions", idle_weight),
    made(EXACT, "these weights do another task", "the program says", another_task),
    made(
        lambda: consistent(_threshold()),
        "a constant is worth a claim",
        "every case has the same answer, so the claim shows nothing",
        one_answer,
    ),
    changed(LOOKUP, "it is the model of a lower bound", "is a lower bound, which no program shows", cites="bhattamishra2024 Theorem 3"),
    changed(EXACT, "it has the shape of another theorem", "Theorem 1 is about index-lookup", cites="bhattamishra2024 Theorem 1"),
    changed(_some_cases, "all inputs were run", "strength: the certificate says 'exhaustive'", strength="exhaustive"),
    changed(_unproven, "it is proven", "proof.rule: expected simulation, lookup", strength="proven"),
    changed(EVERYWHERE, "one family is enough", "tests: expected the families", tests=named("everywhere")["tests"][:1]),
    at(LOOKUP, "more cases were run", "tests.all.count: the certificate says 2400", "tests", 0, "count", value=2400),
    at(
        EVERYWHERE,
        "every case was another",
        "tests.extremes.distinct",
        "tests",
        1,
        "distinct",
        value=named("everywhere")["tests"][1]["count"],
    ),
    at(LOOKUP, "it decides by a wider margin", "tests.all.margin: the certificate says at least 64", "tests", 0, "margin", value=64),
    at(LOOKUP, "it has fewer bits", "sizes.parameter_bits", "sizes", "parameter_bits", value=1),
    at(LOOKUP, "three positions show a thousand", "model.length: the certificate says 1001", "program", "model", "length", value=1001),
    at(LOOKUP, "half floats are one function", "expected float:5,10", "program", "model", "arithmetic", value="float16"),
    at(LOOKUP, "the weights are those of the hash", "weights: the hash does not match the bytes", "weights", "sha256", value="0" * 64),
    at(LOOKUP, "any task will do", "no spec for the task 'index\u2010lookup'", "claim", "task", value="index\u2010lookup"),
    Lie(
        "its name says what it shows",
        lambda: {**EXACT(), "construction": "one-layer equality, proof checked in Lean", "cites": ""},
        EXACT,
        shows="equality, N = 4, 2 symbols: right on every input, by at least 1; two layers, two heads, width 7, fixed:14,6",
        without=("Lean", "one-layer", "statement"),
    ),
)
