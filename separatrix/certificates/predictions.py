"""Certificates about the cross-entropy of a predictor: at most, or at least, so many nats above the optimum."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import numpy as np

from separatrix.certificates.built import sizes
from separatrix.certificates.program import Program
from separatrix.certificates.proofs.simulation import found
from separatrix.checker import SCHEMA, VERSION, Refused, sealed
from separatrix.checker.kinds.predicting import automaton_of, unlisted
from separatrix.checker.models.model import Model
from separatrix.checker.models.reading import outline
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.sources import source
from separatrix.checker.weights import EMBEDDED, parse_safetensors
from separatrix.errors import BadInput

Document = dict[str, Any]


def predictor_certificate(program: Program, claim: Document, bound: str, excess: float) -> Document:
    """The sealed document; `bound` is `at-most` or `at-least`."""
    raw = program.weights()
    if len(raw) > EMBEDDED:
        raise BadInput(f"the weights have {len(raw):,} bytes; a certificate of a predictor holds at most {EMBEDDED:,}")
    described = program.document()
    described["model"]["length"] = (
        described["model"]["length"] or claim["parameters"]["length"]
    )  # a trained model may have no longest input
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "kind": "cross-entropy",
        "claim": claim,
        "program": described,
        "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()},
        "sizes": sizes(program.model),
        "bound": bound,
        "excess": excess,
        "proof": None,
        "strength": "proven",
    }
    document = json.loads(json.dumps(document))
    if bound == "at-most":
        document["proof"] = _pairs(document, raw)
    return sealed(document)


def _pairs(document: Document, raw: bytes) -> Document | None:
    """The pairs of states that the source and the model reach together; None for stacks of any depth, which are bounded otherwise."""
    law, draft = source(document["claim"]), outline(document["program"])
    if unlisted(law):
        return None
    model = Model(draft.description, parse_safetensors(raw), draft.ops)
    try:
        with np.errstate(all="ignore"):
            return next(found(model, automaton_of(law)), None)
    except (Unfit, Unproven, Refused) as error:
        raise BadInput(f"not shown: {error}") from error
