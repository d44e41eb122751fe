"""Certificates of counterexamples: a model, an input, and the answer that is not the right one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from separatrix.checker.construction import rounded_down
from separatrix.checker.fields import exactly, same
from separatrix.checker.forward import Forward
from separatrix.checker.functions import Function, function, string
from separatrix.checker.numbers import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import load_weights

CITES = ""  # a counterexample refutes a model, and no statement of a paper is needed for it


def check_counterexample(document: dict[str, Any], beside: Path | None) -> None:
    """Refuse the certificate unless its model is wrong on its input, read at the last token."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, arithmetic=str, model=dict,
        weights=dict, tokens=list, said=int, expected=int, margin=float, holds=bool, digest=str,
    )  # fmt: skip
    asked = function(document["statement"], document["task_parameters"], CITES)
    tokens = string(document["tokens"], asked.alphabets, "tokens")
    expected = asked.answer(tokens)
    if expected is None:
        raise Refused("tokens: the input lies outside the promise")
    same(document["expected"], expected, "expected")
    forward = model_of(document, beside, asked)
    if not 0 <= expected < forward.config["targets"]:
        raise Refused(f"expected: the model has {forward.config['targets']} targets, the answer is {expected}")
    logits = forward.logits(np.array(tokens, dtype=np.int64), [len(tokens) - 1])[0]
    said = int(logits.argmax())
    same(document["said"], said, "said")
    if said == expected:
        raise Refused("said: the model is right on this input")
    scale = forward.numbers.scale
    gap = logits[said] - logits[expected]
    margin = rounded_down(float(gap), forward.numbers.bits) if scale is None else int(gap) / scale
    same(document["margin"], margin, "margin")
    if scale is None and margin <= 0:
        raise Refused("margin: too small for two floating-point programs to agree on the answer")
    same(document["holds"], True, "holds")


def model_of(document: dict[str, Any], beside: Path | None, asked: Function) -> Forward:
    """The model of a certificate, in the certificate's arithmetic; it knows every token of the function."""
    model = exactly(document["model"], "model", config=dict, **{"class": str})
    if model["class"] != "transformer":
        raise Refused(f"unknown model class {model['class']!r}")
    if model["config"].get("arithmetic") != document["arithmetic"]:
        raise Refused("the model's arithmetic is not the certificate's")
    tensors, _ = load_weights(document["weights"], beside)
    forward = Forward(model["config"], tensors, numbers(document["arithmetic"]))
    known, needed = forward.embedding["plain"] + forward.embedding["numbers"], max(alphabet.stop for alphabet in asked.alphabets)
    if known < needed:
        raise Refused(f"model: its vocabulary has {known} tokens, the function {needed}")
    return forward
