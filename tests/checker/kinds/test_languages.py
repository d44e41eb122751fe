"""Recognisers of several languages: the empty word counts, and another model than a recurrence is refused in words."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from separatrix.checker import check_document, sealed
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
