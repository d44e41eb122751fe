"""Certificates that carry their cases: for tasks that only their author knows, and for no others."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from separatrix.certificates.verify import certify, verify
from separatrix.checker import check_document, sealed
from separatrix.constructions import build

ROOT = Path(__file__).parents[2]
NAME = f"{ROOT / 'examples' / 'previous_occurrence.py'}:previous_occurrence"
Document = dict[str, Any]


@cache
def fresh(arithmetic: str = "float64") -> Document:
    return verify(build(NAME, length=10, arithmetic=arithmetic), cases=30).document


def edited(path: tuple[Any, ...], value: Any) -> Document:
    result = copy.deepcopy(fresh())
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return sealed(result)


@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:24,6", "nearest:47"])
def test_a_fresh_certificate_is_accepted(arithmetic: str) -> None:
    document = fresh(arithmetic)
    assert document["kind"] == "tested-cases"
    assert document["result"]["errors"] == 0
    assert [entry for entry in document["evidence"] if entry["tag"] == "tested"] == [{"tag": "tested", "what": "tested-cases", "count": 30}]
    verdict = check_document(document)
    assert verdict.holds, verdict.reason


def test_the_cases_are_those_of_the_task() -> None:
    built = build(NAME, length=10)
    for case in fresh()["cases"]:
        assert case["at"] == [10]
        assert case["expected"] == [built.task.answer(case["tokens"])]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("cases", 0, "expected"), [11], "case.expected: expected integers 0..9"),
        (("cases", 0, "expected"), [1, 2], "an answer for each"),
        (("cases", 0, "at"), [], "positions in rising order"),
        (("cases", 0, "at"), [11], "case.at: expected integers 0..10"),
        (("cases", 0, "tokens"), [4, 0, 99], "case.at|vocabulary"),
        (("cases", 0, "tokens"), [4, 0, 1, 2, 3, 0, 1, 2, 3, 0, 7], "outside the model's vocabulary"),
        (("cases", 0, "tokens"), [True] * 11, "case.tokens"),
        (("cases", 0, "note"), 1, "unknown field 'note'"),
        (("cases",), [], "cases: expected 1"),
        (("result", "cases"), 31, "result.cases"),
        (("result", "errors"), 1, "result.errors"),
        (("result", "margin"), 5.0, "result.margin"),
        (("sizes", "width"), 3, "sizes.width"),
        (("evidence", 0, "value"), 1.0, "evidence"),
        (("holds",), False, "holds"),
        (("arithmetic",), "float32", "arithmetic"),
        (("statement", "task"), "equality", "the checker has an oracle for 'equality'"),
        (("statement", "construction"), "index-lookup", "expected a certificate of kind 'construction'"),
        (("kind",), "construction", "unknown construction"),
    ],
)
def test_a_resealed_false_claim_is_refused_with_its_reason(path: tuple[Any, ...], value: Any, reason: str) -> None:
    verdict = check_document(edited(path, value))
    assert not verdict.holds
    assert any(words in verdict.reason for words in reason.split("|")), verdict.reason


def test_an_answer_that_the_model_does_not_give_is_noticed() -> None:
    wrong = (fresh()["cases"][0]["expected"][0] + 1) % 10
    assert "result" in check_document(edited(("cases", 0, "expected"), [wrong])).reason


def test_a_model_that_fails_its_cases_says_so() -> None:
    built = build(NAME, length=10)
    with torch.no_grad():
        built.model.unembedding *= -1
    certificate = certify(built, [{"kind": "random", "seed": 0, "count": 20}])
    assert not certificate.holds
    assert certificate.counterexample is not None
    assert certificate.counterexample["expected"] == [built.task.answer(certificate.counterexample["tokens"])]
    assert "records a failure" in check_document(certificate.document).reason


def test_a_certificate_carries_no_more_cases_than_there_is_room_for() -> None:
    certificate = verify(build(NAME, length=100), cases=5000)
    assert sum(len(case["tokens"]) for case in certificate.document["cases"]) <= 1 << 17
    assert certificate.document["result"]["cases"] == (1 << 17) // 101
