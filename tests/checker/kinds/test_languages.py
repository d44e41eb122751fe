"""Recognisers of several languages: the empty word counts, and another model than a recurrence is refused in words."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from separatrix.checker import SCHEMA, VERSION, check_document, sealed
from tests.checker.forgeries.recognisers import told_apart_from_nothing
from tests.checker.kinds import witnesses
from tests.fuzz.aimed.subjects import subject_of
from tests.fuzz.aimed.unseen import idle
from tests.fuzz.aimed.witnesses import recogniser


def recogniser_with(kind: str) -> dict[str, Any]:
    """The honest one with a layer of another kind before it or behind it, all of whose weights are 0."""
    honest = copy.deepcopy(witnesses.fresh("languages"))
    subject = idle(subject_of("", honest), random.Random(1), (), (kind,))
    (at,) = [i for i, layer in enumerate(subject.model["layers"]) if layer["mixer"]["kind"] == kind]
    tensors = {name: 0 * tensor if name.startswith(f"layers.{at}.") else tensor for name, tensor in subject.tensors.items()}
    return sealed(recogniser(honest, subject.model, tensors))


@pytest.mark.parametrize("kind", ["attention", "retnet"])
def test_a_layer_that_reads_other_tokens_is_refused_in_words(kind: str) -> None:
    verdict = check_document(recogniser_with(kind))
    assert (verdict.holds, verdict.readable) == (False, True)
    assert verdict.reason == "proof: the model: a layer reads other tokens than by a recurrence"


def test_the_same_with_one_more_recurrence_is_proven() -> None:
    verdict = check_document(recogniser_with("linear-rnn"))
    assert verdict.strength == "proven", verdict.reason


@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
@pytest.mark.parametrize(("turned", "holds"), [(0.0, True), (0.25, True), (-3.0, True), (0.75, False), (100.0, False)])
def test_a_recogniser_is_right_on_the_empty_word_too(turned: float, holds: bool, arithmetic: str) -> None:
    verdict = check_document(told_apart_from_nothing(turned, arithmetic))
    assert verdict.holds is holds, verdict.reason
    if holds:
        assert f"right on every word of every length, by at least {'0.49999' if turned == 0.25 else '0.99999'}" in verdict.claim
    else:
        assert "language 1: the right answer may trail by" in verdict.reason


def test_a_margin_is_rounded_down() -> None:
    """A lead of 1/2 - 2^-60, which float64 rounds to 1/2."""
    model = {
        "arithmetic": "fixed:64,61", "length": 2, "width": 1, "readout": {"targets": 2, "norm": "none", "bias": True},
        "embedding": {"reads": "tokens", "plain": 2, "numbers": 0, "number_address": None, "places": [], "gated": False},
        "layers": [{"mixer": {"kind": "linear-rnn", "state": 1}, "feedforward": None, "residual": False, "norm": "none"}],
    }  # fmt: skip
    zero = {
        "embedding.table": (2, 1),
        "readout.weight": (2, 1),
        **{f"layers.0.mixer.{name}": (1, 1) for name in ("transition", "drive", "out")},
    }
    tensors = {name: np.zeros(shape) for name, shape in zero.items()} | {"readout.bias": np.array([2.0**-60, 0.5])}
    raw = save(tensors)
    weights = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}
    proof = {"rule": "simulation", "lengths": "every", "moves": [[1], [1, 2], []], "low": [[0]] * 3, "high": None}
    automaton = {"alphabet": ["a"], "start": "p", "accepting": [], "moves": {"p": {"a": "p"}}}
    verdict = check_document(sealed({
        "schema": SCHEMA, "version": VERSION, "kind": "languages", "automaton": json.dumps(automaton), "languages": [[0]],
        "construction": "",
        "program": {"model": model, "decoder": {"kind": "position"}}, "weights": weights, "proof": proof, "strength": "proven",
    }))  # fmt: skip
    assert verdict.holds, verdict.reason
    assert "by at least 0.499999;" in verdict.claim
    assert verdict.evidence[0]["margin"] < 0.5
