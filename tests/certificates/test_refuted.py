"""Weights that are wrong: what a user reads is that they are refuted, never how strongly that is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.certificates.noise import perturbed
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.cli import main
from separatrix.constructions import build

WRONG = ["verify", "equality", "--length", "4", "--noise", "2"]


def test_a_certificate_of_a_counterexample_has_no_strength_for_the_claim() -> None:
    refuted = verify(perturbed(build("equality", length=4), 2.0, 0))
    assert not refuted.holds
    assert refuted.strength == ""
    assert refuted.counterexample is not None
    assert refuted.document["strength"] == "proven"  # that it is wrong
    verdict = check_document(refuted.document)
    assert verdict.holds
    assert "equality, N = 4, 2 symbols: wrong on an input of 4 tokens" in verdict.claim
    assert verify(build("equality", length=4)).strength == "proven"


@pytest.mark.parametrize("more", [[], ["--prove"]])
def test_verify_exits_with_1_and_prints_the_counterexample(more: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([*WRONG, *more, "--out", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    (written,) = (tmp_path / "certificates").glob("*.json")
    document = json.loads(written.read_text())
    first, wrong, tokens, last, _ = shown.splitlines()
    assert first == "equality: REFUTED"
    assert wrong == f"  at position 4 it says {document['said']}, the answer is {document['expected']}"
    assert tokens == f"  input: {document['tokens']}"
    assert last == f"REFUTED  {document['digest']}"
    assert "proven" not in shown
    right = document["tokens"][:2] == document["tokens"][2:]
    assert (document["expected"], document["said"]) == (int(right), int(not right))


def test_verify_as_json_exits_with_1_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WRONG, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["kind"] == "counterexample"
