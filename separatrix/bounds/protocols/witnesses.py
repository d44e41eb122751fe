"""Collisions of one-layer models as sealed documents that `separatrix check` judges on its own."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable

from separatrix.bounds.communication.matrix import positions_of
from separatrix.bounds.protocols.protocol import OneLayerModel, run_protocol
from separatrix.bounds.witnesses import Document, Question, Tokens, crossed_inputs, sealed_witness
from separatrix.checker.weights import EMBEDDED
from separatrix.errors import BadInput


def certify_transcript_collision(
    question: Question, model: OneLayerModel, alice: Iterable[int], x: Tokens, y: Tokens, cites: str = "bhattamishra2024 Theorem 4"
) -> Document:
    """Two inputs on which a one-layer model sends the same bits although they and their crossed inputs need two answers.

    [bhattamishra2024 Theorem 4]
    """
    if len(model.weights) > EMBEDDED:
        raise BadInput(f"a witness embeds its weights: expected at most {EMBEDDED} bytes, found {len(model.weights)}")
    positions = positions_of(alice, len(question.alphabets))
    crossed = crossed_inputs(x, y, positions)
    transcript = run_protocol(model, x, positions).transcript
    return sealed_witness(
        "transcript-collision",
        question,
        {
            "cites": cites,
            "program": {"model": json.loads(json.dumps(model.model)), "decoder": {"kind": "position"}},  # tuples as lists
            "weights": {"base64": base64.b64encode(model.weights).decode(), "sha256": hashlib.sha256(model.weights).hexdigest()},
            "alice": list(positions),
            "x": list(x),
            "y": list(y),
            "crossed": [list(tokens) for tokens in crossed],
            "transcript": [message.bits for message in transcript.messages],
            "bits": transcript.bits,
            "said": transcript.answer,
            "expected": [question.answer(tokens) for tokens in (x, y, *crossed)],
        },
    )
