"""`separatrix facts`: the fields of the contract, filters, and bad input."""

from __future__ import annotations

import pytest

from separatrix.cli import main
from tests.cli.calling import answer, refusal

FIELDS = (
    "task",
    "parameters",
    "architecture",
    "mode",
    "arithmetic",
    "lengths",
    "what",
    "quantity",
    "value",
    "strength",
    "evidence",
    "from",
)


def test_facts_have_the_fields_of_the_contract_and_begin_with_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    facts = answer(capsys, "facts", "parity")["facts"]
    assert {fact["what"].split()[0] for fact in facts} == {"impossible", "built", "learned"}
    assert all(tuple(fact)[: len(FIELDS)] == FIELDS for fact in facts)
    assert {fact["task"] for fact in facts} == {"parity"}
    assert all(fact["evidence"]["key"] for fact in facts)


def test_facts_are_filtered_by_architecture_and_mode(capsys: pytest.CaptureFixture[str]) -> None:
    hard = answer(capsys, "facts", "parity", "--architecture", "hard-attention")["facts"]
    assert {fact["evidence"]["key"] for fact in hard} == {"hahn2020 Corollary 2"}
    assert {(fact["what"], fact["strength"]) for fact in hard} == {("impossible", "cited"), ("impossible below a size", "proven")}
    modes = {fact["mode"] for fact in answer(capsys, "facts", "is-tree", "--mode", "retrieval", "--architecture", "Mamba")["facts"]}
    assert modes == {"retrieval"}
    assert main(["facts", "parity", "--architecture", "dss", "--mode", "retrieval"]) == 0
    assert capsys.readouterr().out == "no facts\n"


def test_an_unknown_name_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no architecture 'mambo'; did you mean 'mamba'?" in refusal(capsys, "facts", "--architecture", "mambo")
    assert "no mode 'magic': expected one of alone, chain of thought, retrieval" in refusal(capsys, "facts", "parity", "--mode", "magic")
    assert "unknown task 'party'" in refusal(capsys, "facts", "party")
