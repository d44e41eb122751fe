"""Documents as a careful liar writes them: weights and a claim of their own, and every derived field as the checker will derive it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from separatrix.certificates.proofs import PROVERS, find
from separatrix.certificates.proofs.simulation import found
from separatrix.checker import SCHEMA, VERSION, Refused, sealed
from separatrix.checker.budget import Budget
from separatrix.checker.kinds.predicting import automaton_of, unlisted
from separatrix.checker.models.model import Model
from separatrix.checker.models.reading import Outline, load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.plan import plan, seed_of
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.sources import source
from separatrix.checker.specs import Spec, spec_of
from separatrix.checker.weights import parse_safetensors

Document = dict[str, Any]
Tensors = Mapping[str, npt.NDArray[Any]]
POSITION = {"kind": "position"}


def program_document(claim: Document, model: Document, tensors: Tensors, strength: str, decoder: Document | None = None) -> Document:
    """The claim that these weights compute a task; decisions are those of the right answers, margins are 0."""
    raw = _file(tensors)
    document = {
        **_head("program", model, raw, decoder or POSITION),
        "claim": claim,
        "construction": "",
        "cites": "",
        "tests": [],
        "lemmas": [],
        "proof": None,
        "strength": strength,
    }
    draft, task = outline(document["program"]), spec_of(claim["task"], claim["parameters"])
    if strength == "proven":
        return sealed({**document, "proof": _proof(draft, raw, task)})
    readers = 1 if draft.decoder.kind == "position" else task.tokens
    seed = seed_of(claim, document["program"], document["weights"]["sha256"])
    cases = plan(task, draft.work(task.tokens, readers), seed)
    for family in cases.families:
        right, inputs, count = hashlib.sha256(), set(), 0
        for tokens, wanted in cases.cases(task, family):
            right.update(np.array(list(wanted.values()), dtype="<i8").tobytes())
            inputs.add(tokens.tobytes())
            count += 1
        entry = {"family": family.name, "count": count, "distinct": len(inputs), "margin": 0.0, "decisions": right.hexdigest()}
        document["tests"].append(entry)
    return sealed(document)


def predictor_document(claim: Document, model: Document, tensors: Tensors, bound: str, excess: float) -> Document:
    """The claim that these weights predict a source so well, or so badly."""
    head = _head("cross-entropy", model, _file(tensors), {"kind": "positions"})
    document = {**head, "claim": claim, "bound": bound, "excess": excess, "proof": None, "strength": "proven"}
    if bound == "at-most":
        law, draft = source(claim), outline(head["program"])
        with suppress(Unfit, Unproven, Refused), np.errstate(all="ignore"):
            loaded = load(draft, head["weights"], None, Budget(1000)).model
            document["proof"] = None if unlisted(law) else next(found(loaded, automaton_of(law)))
    return sealed(json.loads(json.dumps(document)))


def _proof(draft: Outline, raw: bytes, task: Spec) -> Document:
    """The proof that a prover offers, whether or not the checker accepts it; of the likeliest rule where none does."""
    model = Model(draft.description, parse_safetensors(raw), draft.ops)
    with np.errstate(all="ignore"):
        proof, _ = find(model, task, Budget(100))
        if proof is not None:
            return proof
        for candidates in PROVERS.values():
            with suppress(Unfit, Unproven, Refused, StopIteration):
                return next(candidates(model, task))
    return {"rule": "lookup"}


def _head(kind: str, model: Document, raw: bytes, decoder: Document) -> Document:
    weights = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}
    program = {"model": model, "decoder": decoder}
    loaded = load(outline(program), weights, None, Budget(1000))
    return {"schema": SCHEMA, "version": VERSION, "kind": kind, "program": program, "weights": weights, "sizes": sizes(loaded.model)}


def _file(tensors: Tensors) -> bytes:
    return save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()})
