"""Certificates about the cross-entropy of a predictor: at most, or at least, so many nats above the optimum."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from separatrix.certificates.built import sizes
from separatrix.certificates.program import Program
from separatrix.checker import SCHEMA, VERSION, sealed
from separatrix.checker.weights import EMBEDDED
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
        "strength": "proven",
    }
    return sealed(json.loads(json.dumps(document)))
