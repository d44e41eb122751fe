"""Certificates that carry their cases: for tasks that only their author knows, and for no others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_document, sealed
from separatrix.constructions import build
from tests.checker.kinds.forgery import edited

ROOT = Path(__file__).parents[3]
NAME = f"{ROOT / 'examples' / 'previous_occurrence.py'}:previous_occurrence"
Document = dict[str, Any]


@cache
def fresh(arithmetic: str = "float64") -> Document:
    return verify(build(NAME, length=10, arithmetic=arithmetic), cases=30).document


@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:24,6", "nearest:47"])
def test_a_fresh_certificate_is_accepted_on_its_authors_word(arithmetic: str) -> None:
    document = fresh(arithmetic)
    assert (document["kind"], document["strength"], len(document["cases"])) == ("cases", "author", 30)
    verdict = check_document(document)
    assert verdict.holds, verdict.reason
    assert verdict.strength == "author"
    assert verdict.claim.startswith("these weights give the author's answers on 30 inputs of the author's; ")


def test_the_cases_are_those_of_the_task() -> None:
    built = build(NAME, length=10)
    for case in fresh()["cases"]:
        assert case["at"] == [11]
        assert case["expected"] == [built.task.answer(case["tokens"])]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("cases", 0, "expected"), [11], "cases.expected: expected integers 0..9"),
        (("cases", 0, "expected"), [1, 2], "an answer for each"),
        (("cases", 0, "at"), [], "positions in rising order"),
        (("cases", 0, "at"), [12], "cases.at: expected integers 1..11"),
        (("cases", 0, "at"), [0], "cases.at: expected integers 1..11"),
        (("cases", 0, "at"), [3], "the decoder reads the last position"),
        (("cases", 0, "tokens"), [4, 0, 99], "cases.at|vocabulary"),
        (("cases", 0, "tokens"), [4, 0, 1, 2, 3, 0, 1, 2, 3, 0, 7], "outside the model's vocabulary"),
        (("cases", 0, "tokens"), [True] * 11, "cases.tokens"),
        (("cases", 0, "tokens"), [], "cases.at"),
        (("cases", 0, "note"), 1, "unknown field 'note'"),
        (("cases",), [], "number of cases: expected 2"),
        (("cases",), [{"tokens": [0], "at": [1], "expected": [0]}], "number of cases: expected 2"),
        (("margin",), 5.0, "margin"),
        (("decisions",), "0" * 64, "decisions"),
        (("sizes", "width"), 3, "sizes.width"),
        (("lemmas",), [{"lemma": "position-weight", "layer": 1, "head": 1, "weight": 1.0}], "lemmas: position-weight"),
        (("strength",), "tested", "strength: the certificate says 'tested', recomputation gives 'author'"),
        (("task",), "equality", "the checker has an oracle for 'equality': expected a certificate of kind 'program'"),
        (("kind",), "program", "unknown field 'cases'"),
        (("program", "decoder"), {"kind": "greedy", "stop": 0, "limit": 3}, "chain"),
    ],
)
def test_a_resealed_false_claim_is_refused_with_its_reason(path: tuple[Any, ...], value: Any, reason: str) -> None:
    verdict = check_document(sealed(edited(fresh(), path, value)))
    assert not verdict.holds
    assert any(words in verdict.reason for words in reason.split("|")), verdict.reason


def test_an_answer_that_the_program_does_not_give_is_noticed() -> None:
    wrong = (fresh()["cases"][0]["expected"][0] + 1) % 10
    reason = check_document(sealed(edited(fresh(), ("cases", 0, "expected"), [wrong]))).reason
    assert reason.startswith("case 1 of the author's: the program says")


def test_a_model_that_fails_its_cases_says_so() -> None:
    built = build(NAME, length=10)
    with torch.no_grad():
        built.model.readout.weight *= -1
    certificate = verify(built, cases=20)
    assert not certificate.holds
    assert certificate.counterexample is not None
    assert certificate.counterexample["expected"] == [built.task.answer(certificate.counterexample["tokens"])]
    assert not check_document(certificate.document).holds


def test_a_certificate_carries_no_more_cases_than_there_is_room_for_and_each_once() -> None:
    certificate = verify(build(NAME, length=100), cases=5000)
    cases = certificate.document["cases"]
    assert sum(len(case["tokens"]) for case in cases) <= 1 << 17
    assert len(cases) == (1 << 17) // 101
    assert len({tuple(case["tokens"]) for case in cases}) == len(cases)
