"""Honest certificates about programs, and what it takes to forge them."""

from __future__ import annotations

import base64
import copy
import hashlib
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save

from examples.previous_occurrence import previous_occurrence
from separatrix.bounds.protocols.collision import certify_transcript_collision, fooling_inputs, transcript_collision
from separatrix.bounds.question import question_of_task
from separatrix.certificates.predictions import predictor_certificate
from separatrix.certificates.verify import verify
from separatrix.checker import sealed
from separatrix.checker.budget import Budget
from separatrix.checker.kinds.program import shown_margin
from separatrix.checker.kinds.running import run
from separatrix.checker.models.reading import load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.plan import plan, seed_of
from separatrix.checker.specs import spec_of
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions import build
from separatrix.constructions.other import predictors
from separatrix.models.model import Model
from separatrix.refuters.floors import cross_entropy_floor, floor_certificate
from separatrix.refuters.poison import certified
from separatrix.refuters.poison import poison as poisoned
from separatrix.refuters.restrictions import certificates, refuted
from separatrix.tasks import make_task
from separatrix.tasks.next_symbol import NextSymbol
from tests.bounds.small_models import random_model
from tests.refuters.hard_models import hard_model
from tests.refuters.soft_models import soft_model

Document = dict[str, Any]
Tensors = dict[str, np.ndarray]


def lookup() -> Document:
    """Index lookup of one of three bits: all 24 inputs, a lemma, and a theorem that it is an instance of."""
    return with_tests(verify(build("index-lookup", length=3, symbols=2)).document)


def exact() -> Document:
    """Equality of two bits and two, in fixed point: all 16 inputs."""
    return with_tests(verify(build("equality", length=4, arithmetic="fixed:14,6")).document)


def registers() -> Document:
    """Index lookup of one of three bits with three registers."""
    return with_tests(verify(build("index-lookup/recurrent", length=3, symbols=2)).document)


def everywhere() -> Document:
    """Recall asked at several positions: too many inputs to run, so families of cases."""
    return with_tests(verify(build("mqar", length=8)).document)


def cases() -> Document:
    """A user's construction for a user's task: the answers are the author's."""
    return verify(previous_occurrence(4, symbols=2), tabulated=False).document


def counterexample() -> Document:
    """A lookup whose read-out has its sign turned."""
    built = build("index-lookup", length=3, symbols=2)
    with torch.no_grad():
        built.model.readout.weight *= -1
    return verify(built).document


def collision() -> Document:
    """Four inputs of equality on which a random one-layer model sends the same bits."""
    question = question_of_task(make_task("equality", length=6))
    model = random_model(np.random.default_rng(1), 4, 1, 1.0, targets_two=True, layer={"attention": "softmax"}, embedding={"plain": 2})
    result = transcript_collision(model, question, range(3), fooling_inputs([(x, x) for x in product((0, 1), repeat=3)], range(3)))
    assert result is not None
    return certify_transcript_collision(question, model, range(3), result.x, result.y)


def restriction() -> Document:
    """Parity of eight bits: a random model of hard attention says the same whatever seven of them are."""
    return _confused()[0]


def pair() -> Document:
    """Two words of that model's, which it says the same of."""
    return _confused()[1]


def _confused() -> tuple[Document, Document]:
    model, task = hard_model(24, 9, 1, 1, 3, width=3, arithmetic="fixed:12,4"), make_task("parity", length=8)
    found = refuted(model, task)
    assert found is not None
    return certificates(model, task, found)


def poison() -> Document:
    """The reversed sum of four bits by blocks of two: two of them are not seen by the chain."""
    built = build("reverse-sum/sparse", length=4, symbols=2, block=2, arithmetic="float32")
    tokens = (1, 0, 1, 1, 2)
    return certified(built, tokens, poisoned(built, tokens))


def predictor() -> Document:
    """The built predictor of PARITY: within a hair of the optimum after every prefix of 9 bits."""
    program = predictors.predictor(predictors.parity_source(0.5), 9)
    return predictor_certificate(program, {"task": "parity-next", "parameters": {"length": 9, "p": 0.5}}, "at-most", 1e-9)


def floor() -> Document:
    """A softmax model with small weights, which cannot tell even from odd: at least so many nats above the optimum."""
    model, task = small_soft_model(), make_task("parity-next", length=9)
    assert isinstance(task, NextSymbol)
    return floor_certificate(model, task, cross_entropy_floor(model, task))


def small_soft_model() -> Model:
    """One head over two bits and places, with weights of a hundredth."""
    return soft_model(0, 9, 1, 1, 0.01, vocabulary=2, targets=3, extent=9)


HONEST = {
    make.__name__: make
    for make in (lookup, exact, registers, everywhere, cases, counterexample, collision, restriction, pair, predictor, floor, poison)
}


@cache
def _made(name: str) -> Document:
    return HONEST[name]()


def honest(name: str) -> Document:
    """A copy of an honest certificate."""
    return copy.deepcopy(_made(name))


def tensors_of(document: Document) -> Tensors:
    """The weights of a document."""
    return {name: tensor.copy() for name, tensor in parse_safetensors(base64.b64decode(document["weights"]["base64"])).items()}


def with_weights(document: Document, tensors: Tensors) -> Document:
    """The document with other weights; nothing else changes."""
    raw = save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()})
    return {**document, "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}}


def forged(document: Document, change: Callable[[Tensors], None]) -> Document:
    """The document with its weights changed and everything that a careful liar can derive again put right, sealed.

    Sizes, families and counts are those of the new weights; decisions and margins stay those of the right answers.
    """
    tensors = tensors_of(document)
    change(tensors)
    return consistent(with_weights(document, tensors))


def consistent(document: Document) -> Document:
    """A document of kind program whose sizes and tests are those that the checker will derive, if its program is right."""
    draft = outline(document["program"])
    program = load(draft, document["weights"], None, Budget(1000))
    document = {**document, "sizes": sizes(program.model)}
    if document["kind"] != "program":
        return sealed(document)
    tests, exhaustive = tests_of(document)
    return sealed({**document, "tests": tests, "proof": None, "strength": "exhaustive" if exhaustive else "tested"})


def with_tests(document: Document) -> Document:
    """A proven document with the tests that it may have beside its proof, and the margins of the checker's own pass."""
    if document["strength"] != "proven":
        return document
    task = spec_of(document["claim"]["task"], document["claim"]["parameters"])
    draft = outline(document["program"])
    program = load(draft, document["weights"], None, Budget(1000))
    readers = 1 if draft.decoder.kind == "position" else task.tokens
    seed = seed_of(document["claim"], document["program"], document["weights"]["sha256"])
    planned = plan(task, draft.work(task.tokens, readers), seed)
    margins = [shown_margin(run(program, task, planned.cases(task, family), family.name).margin) for family in planned.families]
    return sealed({**document, "tests": [{**test, "margin": m} for test, m in zip(tests_of(document)[0], margins, strict=True)]})


def tests_of(document: Document) -> tuple[list[Document], bool]:
    """The tests that the checker will derive, if the program is right, with margins of 0; and whether all inputs are run."""
    draft, task = outline(document["program"]), spec_of(document["claim"]["task"], document["claim"]["parameters"])
    readers = 1 if draft.decoder.kind == "position" else task.tokens
    seed = seed_of(document["claim"], document["program"], document["weights"]["sha256"])
    cases_of = plan(task, draft.work(task.tokens, readers), seed)
    tests = []
    for family in cases_of.families:
        right, inputs, count = hashlib.sha256(), set(), 0
        for tokens, wanted in cases_of.cases(task, family):
            right.update(np.array(list(wanted.values()), dtype="<i8").tobytes())
            inputs.add(tokens.tobytes())
            count += 1
        tests.append({"family": family.name, "count": count, "distinct": len(inputs), "margin": 0.0, "decisions": right.hexdigest()})
    return tests, cases_of.exhaustive
