"""What is called proven is recomputed from the weights, and parameters that the weights belie are refused."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import certify, verify
from separatrix.checker import check_document, sealed
from separatrix.checker.evidence import least_largest
from separatrix.constructions import build

Document = dict[str, Any]


@cache
def fresh(address: str = "binary", residual: bool = False) -> Document:
    return verify(build("equality", length=16, address=address, residual=residual), cases=3).document


def edited(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    result = copy.deepcopy(document)
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return sealed(result)


@pytest.mark.parametrize(
    ("address", "path", "value", "reason"),
    [
        ("binary", ("parameters", "address"), "code", "does not fit 'code'"),
        ("code", ("parameters", "address"), "binary", "does not fit 'binary'"),
        ("binary", ("parameters", "address"), "quadratic", "parameters.address"),
        ("quadratic", ("parameters", "address"), "one-hot", "parameters.address"),
        ("binary", ("parameters", "address"), "nonsense", "parameters.address"),
        ("binary", ("parameters", "residual"), True, "parameters.residual"),
        ("binary", ("parameters", "gamma"), 1, "unknown field 'gamma'"),
        ("binary", ("evidence", 0, "value"), 0.9, "evidence"),
        ("binary", ("evidence", 0, "what"), "the same, over every string", "evidence"),
        ("binary", ("model", "config", "length"), 0, "config.length"),
        ("binary", ("model", "config", "length"), 15, "a case has 16 tokens, the model is made for 15|sizes"),
        ("binary", ("task_parameters", "length"), 18, "a case has 18 tokens|result"),
    ],
)
def test_a_false_claim_about_the_weights_is_refused(address: str, path: tuple[Any, ...], value: Any, reason: str) -> None:
    verdict = check_document(edited(fresh(address), path, value))
    assert not verdict.holds
    assert any(words in verdict.reason for words in reason.split("|")), verdict.reason


def test_a_head_that_asks_by_position_is_proven_at_every_position() -> None:
    heads = [entry for entry in fresh("quadratic")["evidence"] if entry["tag"] == "proven"]
    # the quadratic address with eta = 3: 1 / (1 + 2 (e^-3 + e^-12 + ..)) = 0.90943 away from the ends
    assert [entry["value"] for entry in heads] == [0.9094, 0.9094]
    assert heads[0]["what"] == "layer 1, head 1: least weight on the place that is read, over every position"


def test_a_weaker_head_is_proven_to_be_weaker() -> None:
    built = build("equality", length=16, address="quadratic")
    with torch.no_grad():
        built.model.stack()[0].attention.query *= 0.5  # eta = 3/2: 1 / (1 + 2 (e^-1.5 + e^-6 + ..)) = 0.68908
    document = certify(built, fresh("quadratic")["cases"]).document
    assert document["evidence"][0]["value"] == 0.6890


def test_a_head_that_reads_by_content_is_not_called_positional() -> None:
    built = build("equality", length=16, residual=True)
    with torch.no_grad():
        built.model.stack()[0].attention.query[0, 0] = 0.25  # the symbol enters the query
    tags = [entry["tag"] for entry in certify(built, [{"kind": "equal", "seed": 0, "count": 1}]).document["evidence"]]
    assert tags == ["tested"]


def test_exact_formats_speak_through_their_cases_alone() -> None:
    document = verify(build("equality", length=16, arithmetic="fixed:14,5"), cases=3).document
    assert {entry["tag"] for entry in document["evidence"]} == {"tested"}


def test_a_masked_head_is_judged_by_what_it_sees() -> None:
    logits = np.array([[0.0, 0.0], [9.0, 0.0]])
    assert least_largest(logits, causal=False) == 0.4999  # the first position cannot decide; rounded down
    assert least_largest(logits, causal=True) == 0.9998  # alone it reads itself, and the second has e^9 / (e^9 + 1)
