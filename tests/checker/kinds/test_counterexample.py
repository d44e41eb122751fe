"""Counterexamples: wrong beyond doubt on an input of the task, in exact numbers and in floats."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import build
from tests.checker.kinds.forgery import edited, reason
from tests.checker.kinds.programs import honest, tensors_of, with_weights

Document = dict[str, Any]


def test_what_a_counterexample_says() -> None:
    document = honest("counterexample")
    verdict = check_document(document)
    assert verdict.strength == "proven"
    assert verdict.claim == (
        f"index lookup, N = 3, 2 symbols: wrong on an input of 4 tokens, says {document['said']} for {document['expected']}; "
        "one layer, one head, width 5, float64"
    )
    assert document["said"] != document["expected"]


@pytest.mark.parametrize("arithmetic", ["float32", "fixed:9,3", "float:8,7"])
def test_a_wrong_model_is_refuted_in_every_arithmetic(arithmetic: str) -> None:
    built = build("index-lookup", length=3, symbols=2, arithmetic=arithmetic)
    with torch.no_grad():
        built.model.readout.weight *= -1
    certificate = verify(built)
    assert not certificate.holds
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason
    assert verdict.claim.endswith(arithmetic)


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:60,24"])
def test_a_program_that_rounds_is_refuted_by_a_wrong_vector(arithmetic: str) -> None:
    built = build("reverse-sum/standard", length=3, symbols=3, arithmetic=arithmetic)
    with torch.no_grad():
        built.model.readout.weight[-2] *= 2  # the value of a state
    certificate = verify(built)
    assert not certificate.holds
    document = certificate.document
    verdict = check_document(document)
    assert verdict.holds, verdict.reason
    assert document["said"][-2] == 2 * document["expected"][-2]
    assert "said: the certificate says" in reason({**document, "said": document["expected"]})
    assert "margin" in reason({**document, "margin": 100.0})
    assert "not an input of the task" in reason({**document, "tokens": [0, 0, 3, 3]})


def test_a_program_that_is_read_at_many_positions_is_refuted_at_one() -> None:
    built = build("mqar", length=8)
    with torch.no_grad():
        built.model.readout.weight *= -1
    certificate = verify(built)
    assert not certificate.holds
    assert check_document(certificate.document).holds
    document = certificate.document
    assert f"the task is not scored at {document['position'] - 1}" in reason({**document, "position": document["position"] - 1})


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("said",), 2, "said: the certificate says 2"),
        (("margin",), 100.0, "margin: the certificate says at least 100.0"),
        (("margin",), -1.0, "margin"),
        (("position",), 3, "position: the task is not scored at 3"),
        (("position",), 5, "position: expected 1..4, found 5"),
        (("tokens",), [0, 0, 0, 0], "tokens: not an input of the task, or outside its promise"),
        (("tokens",), [0, 0, 2], "tokens: not an input of the task, or outside its promise"),
        (("tokens",), [0, 0, 0, 9], "tokens: not an input of the task"),
        (("tokens",), [], "tokens: expected 1..1048576 integers"),
        (("tokens",), [0, 0, False, 2], "tokens: expected 1..1048576 integers"),
        (("strength",), "tested", "strength"),
        (("claim", "parameters", "length"), 4, "tokens"),
        (("claim", "parameters", "symbols"), 4, "tokens"),
        (("cites",), "bhattamishra2024 Theorem 1", "unknown field 'cites'"),
        (("program", "model", "readout", "targets"), 1, "model: it has 1 targets, the task 2"),
        (("program", "model", "embedding", "numbers"), 2, "model: its vocabulary has 4 tokens, the task 5"),
        (("program", "decoder"), {"kind": "greedy", "stop": 0, "limit": 2}, "no token sees a later one|decoder"),
    ],
)
def test_a_resealed_false_claim_is_refused_with_its_reason(path: tuple[Any, ...], value: Any, words: str) -> None:
    assert any(word in reason(edited(honest("counterexample"), path, value)) for word in words.split("|"))


def test_an_input_on_which_the_program_is_right_is_no_counterexample() -> None:
    document = honest("counterexample")
    right = with_weights(document, tensors_of(honest("lookup")))
    reasons = {
        reason({**right, "tokens": [*symbols, 2 + p], "said": answer, "expected": answer, "margin": 0.0})
        for symbols in product((0, 1), repeat=3)
        for p in range(3)
        for answer in (0, 1)
    }
    assert "said: the program is right on this input" in reasons
    assert all(words.startswith(("said: the program is right", "expected")) for words in reasons)


def test_the_expected_answer_is_the_oracles() -> None:
    document = honest("counterexample")
    assert "expected: the certificate says" in reason({**document, "expected": document["said"], "said": document["expected"]})


def test_a_tie_is_no_counterexample() -> None:
    """All logits are 0, so the first target is said, but another program might say another."""
    document = honest("counterexample")
    nothing = with_weights(document, {name: np.zeros_like(tensor) for name, tensor in tensors_of(document).items()})
    asked_for_one = {**nothing, "tokens": [0, 1, 0, 3], "said": 0, "expected": 1, "margin": 0.0}
    assert reason(asked_for_one) == "margin: not above the error of the arithmetic, so another program may answer otherwise"


def test_a_program_writes_the_chain_of_its_task_or_none() -> None:
    """Vectors are compared with vectors: words, or searches, say nothing about them."""
    vectors = honest("poison")
    other = verify(build("index/retrieval", length=4)).document
    assert reason(vectors, program=other["program"], weights=other["weights"]) == "decoder: expected 'rounding', found 'retrieval'"
    alone = {"kind": "greedy", "stop": other["program"]["decoder"]["stop"], "limit": 8}
    assert reason(vectors, program={**other["program"], "decoder": alone}, weights=other["weights"]) == (
        "decoder: expected 'rounding', found 'greedy'"
    )
