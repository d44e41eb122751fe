"""Every kind of certificate against a zoo of liars, and every quick build through the producer and the checker."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import separatrix.certificates
import separatrix.checker.kinds.lemmas as checked_lemmas
import separatrix.checker.kinds.program as checked_program
from separatrix.certificates.built import Built
from separatrix.certificates.certificate import Certificate
from separatrix.certificates.lemmas import lemmas_of
from separatrix.certificates.verify import verify
from separatrix.checker import KINDS, STRENGTHS, Verdict, check_document, check_file, sealed
from separatrix.checker.models.model import Model
from separatrix.constructions import build, quick_builds
from separatrix.ledger.certified import certified
from tests.laws.liars import lies
from tests.laws.liars.lie import Lie

QUICK = quick_builds()
LEAST = 10  # lies of different classes for each kind
APART = 0.1  # by which the least weight that a construction derives may lie below the one that its weights have
ZOO = [(kind, lie) for kind in KINDS for lie in lies(kind)]


def test_there_are_ten_lies_of_different_classes_for_every_kind() -> None:
    met = {kind: lies(kind) for kind in KINDS}
    for kind, lies_of_kind in met.items():
        assert len(lies_of_kind) >= LEAST, kind
        assert len({lie.says for lie in lies_of_kind}) == len(lies_of_kind), kind
        assert len({lie.refused for lie in lies_of_kind if lie.refused}) >= LEAST, f"{kind}: so few reasons are one class of lie"
        assert all(lie.honest()["kind"] == kind for lie in lies_of_kind), kind
        assert all(bool(lie.refused) != bool(lie.shows) for lie in lies_of_kind), kind
    assert len(met) == len(KINDS) == 17


@pytest.mark.parametrize(("kind", "lie"), ZOO, ids=[f"{kind}: {lie.says}" for kind, lie in ZOO])
def test_a_lie_is_refused_with_its_reason_or_shows_less(kind: str, lie: Lie) -> None:
    document, honest = sealed(lie.told()), lie.honest()
    assert document != honest
    truth, verdict = check_document(honest), check_document(document)
    assert truth.holds, f"{kind}: {truth.reason}"
    if lie.refused:
        assert not verdict.holds, verdict.claim
        assert lie.refused in verdict.reason, verdict.reason
        assert (verdict.claim, verdict.strength, verdict.evidence) == ("", "", ())
        assert verdict.readable, "a budget is no judgement"
        assert "malformed content" not in verdict.reason
        return
    assert verdict.holds, verdict.reason
    assert verdict.claim == lie.shows
    assert STRENGTHS.index(verdict.strength) <= STRENGTHS.index(truth.strength)
    assert not [word for word in lie.without if word in json.dumps([verdict.claim, verdict.evidence])]


LONG = {  # all but the first build of each construction; `make run` verifies and checks them too
    index
    for index, (name, settings) in enumerate(QUICK)
    if settings["length"] > 10_000 or name in ("eq-one", "eq-ncp", "eq-random") or name in {other for other, _ in QUICK[:index]}
}


@pytest.mark.parametrize(
    "index",
    [pytest.param(index, marks=pytest.mark.slow) if index in LONG else index for index in range(len(QUICK))],
    ids=[f"{index}-{name}" for index, (name, _) in enumerate(QUICK)],
)
def test_what_the_producer_writes_is_what_the_checker_derives(index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every quick build, within the budget that a stranger's file has."""
    name, settings = QUICK[index]
    built = build(name, **settings)
    certificate = verify(built)
    assert certificate.holds
    certificate.write(tmp_path / "c.json")
    derived: list[float] = []
    for lemma in ("index_weight", "position_weight"):
        monkeypatch.setattr(checked_lemmas, lemma, recorded(getattr(checked_lemmas, lemma), derived))
    verdict = check_file(tmp_path / "c.json")
    assert verdict.holds, verdict.reason
    compare(built, certificate, verdict, derived)


def recorded(compute: Callable[[Any], float], results: list[float]) -> Callable[[Any], float]:
    """The function, which also writes down what it gives."""

    def compute_and_record(head: Any) -> float:
        results.append(compute(head))
        return results[-1]

    return compute_and_record


def compare(built: Built, certificate: Certificate, verdict: Verdict, derived: list[float]) -> None:
    document = certificate.document
    assert verdict.strength == document["strength"] == certificate.strength
    tests = [entry for entry in verdict.evidence if entry["kind"] == "cases"]
    assert len(tests) == len(document["tests"])
    assert bool(tests) == (verdict.strength != "proven")  # a proof needs no cases
    for written, result in zip(document["tests"], tests, strict=True):
        assert (written["family"], written["count"], written["distinct"]) == (result["family"], result["count"], result["distinct"])
        assert 0 < written["margin"] <= result["margin"]
        if built.model.numbers.format.exact and built.model.numbers.format.bits <= 52:
            assert written["margin"] == result["margin"]
        else:  # a half or a quarter of what was measured, in units of 1/1024; the rest is for the checker's bound on the error
            parts = 2 if built.model.numbers.format.bits == 64 else 4
            assert result["margin"] <= parts * (written["margin"] + 2.0**-10) + 2.0**-20
    assert document["lemmas"] == lemmas_of(built)
    assert len(derived) == len(document["lemmas"])
    for lemma, weight in zip(document["lemmas"], derived, strict=True):
        assert weight - APART <= lemma["weight"] <= weight, lemma
    stated = [entry["cites"] for entry in verdict.evidence if entry["kind"] == "statement"]
    assert stated == ([document["cites"]] if document["cites"] else [])
    assert document["sizes"] == built.sizes()
    again = "the shipped index says something else: python -m separatrix.ledger.certified build/certificates writes it anew"
    assert (document["construction"], without_margin(verdict.claim), verdict.strength) in indexed(), again


def without_margin(claim: str) -> str:
    """A sentence without its margin, whose last digits depend on the order in which a machine adds."""
    return re.sub(r", by at least [0-9.e-]+", "", claim)


@cache
def indexed() -> frozenset[tuple[str, str, str]]:
    """What the ledger says of certificates: construction, sentence, strength."""
    return frozenset((one.construction, without_margin(one.claim), one.strength) for one in certified())


def test_lemmas_are_met_by_more_than_one_kind_of_head() -> None:
    """The comparison above is not empty."""
    met = [lemma["lemma"] for name, settings in QUICK if settings["length"] <= 1000 for lemma in lemmas_of(build(name, **settings))]
    assert met.count("index-weight") >= 5
    assert met.count("position-weight") >= 20


SHARED = {  # what the producer takes from the checker: the form of a document, the plan of its tests, and what a document may cite
    *("SCHEMA", "VERSION", "EMBEDDED", "Refused", "canonical", "sealed", "outline"),
    *("names", "spec_of", "Case", "Spec", "plan", "seed_of"),
    *("shape_of", "why_not"),
    *(
        "Model",
        "Outline",
        "Budget",
        "SECONDS",
        "parse_safetensors",
        "numbers",
    ),  # whether it claims a proof, which the checker replays
    *("source", "automaton_of", "unlisted", "Unfit", "Unproven"),  # of a predictor
    *("PLACES", "POSITIONS"),  # up to which the checker derives a lemma
    "walk",  # which pairs of states a proof about several languages lists
}


def test_the_producer_takes_nothing_from_the_checker_but_the_form_and_the_plan() -> None:
    imported: set[str] = set()
    for file in sorted(Path(*separatrix.certificates.__path__).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("separatrix.checker"):
                imported |= {alias.name for alias in node.names}
            assert not (isinstance(node, ast.Import) and any(alias.name.startswith("separatrix.checker") for alias in node.names)), file
    assert imported == SHARED


@pytest.mark.parametrize("name", ["index-lookup", "equality"])
def test_the_producer_derives_its_evidence_without_the_checkers_forward_pass_sizes_or_lemmas(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build(name, length=4, **({"symbols": 2} if name == "index-lookup" else {}))
    before = verify(built).document
    assert before["lemmas"]

    def refuse(*_: Any) -> Any:
        raise AssertionError("the producer asks the checker")

    monkeypatch.setattr(Model, "logits", refuse)
    for module, function in ((checked_lemmas, "index_weight"), (checked_lemmas, "position_weight"), (checked_program, "sizes")):
        monkeypatch.setattr(module, function, refuse)
    assert verify(built).document == before
    assert "the producer asks the checker" in check_document(before).reason


def test_the_producer_expects_the_answers_of_its_own_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that answers otherwise than the checker's oracle does is refuted by the producer, also where all inputs are run."""
    built = build("equality", length=4)
    monkeypatch.setattr(type(built.task), "answer", lambda _, tokens: int(tokens[0] == tokens[2]))
    certificate = verify(built)
    assert certificate.document["kind"] == "counterexample"
    assert check_document(certificate.document).reason.startswith("expected: the certificate says")
