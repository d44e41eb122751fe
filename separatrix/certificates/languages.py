"""Certificates of kind `languages`: one set of weights for all languages that differ in their accepting states, proven at every length."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.certificates.program import Program
from separatrix.certificates.proofs.simulation import found
from separatrix.checker import SCHEMA, VERSION, sealed
from separatrix.checker.kinds.languages import walk
from separatrix.checker.models.model import Model as CheckedModel
from separatrix.checker.models.reading import outline
from separatrix.checker.weights import parse_safetensors
from separatrix.models.decoders.position import Position
from separatrix.models.model import Model
from separatrix.models.saved import tensors_file
from separatrix.tasks.languages.automata import Automaton


def languages_certificate(model: Model, automaton: Automaton, languages: Sequence[frozenset[int]], construction: str) -> dict[str, Any]:
    """The sealed document about a recurrent model with two targets for each set of accepting states."""
    raw = tensors_file(model.state_dict())
    program = json.loads(json.dumps(Program(model, Position()).document()))
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "kind": "languages",
        "automaton": json.dumps(automaton.document(), separators=(",", ":")),
        "languages": [sorted(accepting) for accepting in languages],
        "construction": construction,
        "program": program,
        "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()},
        "proof": _pairs(program, raw, automaton),
        "strength": "proven",
    }
    return sealed(document)


def _pairs(program: dict[str, Any], raw: bytes, automaton: Automaton) -> dict[str, Any]:
    """The pairs of states that a simulation lists."""
    draft = outline(program)
    with np.errstate(all="ignore"):
        return next(found(CheckedModel(draft.description, parse_safetensors(raw), draft.ops), walk(automaton.moves)))
