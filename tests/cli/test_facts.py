"""`separatrix facts`: the fields of the contract, filters, and bad input."""

from __future__ import annotations

import pytest

from separatrix.cli import main
from separatrix.ledger.cells import grid
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


def test_the_cells_of_the_map_are_counted_by_kind_and_each_open_one_asks_something(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "facts", "--cells")
    met = [cell for row in grid().values() for cell in row.values()]
    assert document["cells"] == len(met) == sum(document["kinds"].values())
    assert (
        document["kinds"]["open"] == len(document["open"]) == sum(not (c.built() or c.bounds or c.impossible or c.learned()) for c in met)
    )
    assert sum(count for kind, count in document["kinds"].items() if kind.startswith("built, ")) == sum(c.kind == "built" for c in met)
    assert all(one["question"].endswith("what excludes them?") for one in document["open"])
    (parity,) = [one for one in answer(capsys, "facts", "parity", "--cells")["open"] if one["architecture"] == "deltanet"]
    assert "do it: are there weights of deltanet" in parity["question"]
    assert "--cells counts what is done without a chain" in refusal(capsys, "facts", "--cells", "--mode", "retrieval")


def test_facts_stand_by_kind_and_what_follows_from_others_is_counted_or_shown(capsys: pytest.CaptureFixture[str]) -> None:
    every = answer(capsys, "facts", "parity")["facts"]
    follows = sum(bool(fact["from"]) for fact in every)
    assert follows
    assert main(["facts", "parity"]) == 0
    short = capsys.readouterr().out
    assert [line for line in short.splitlines() if line in ("impossible:", "built:", "learned:", "cited:")] == [
        "impossible:",
        "built:",
        "learned:",
    ]
    assert f"{follows} facts more follow from these" in short
    assert main(["facts", "parity", "--all"]) == 0
    whole = capsys.readouterr().out
    assert "more follow" not in whole
    assert len(whole.splitlines()) == len(short.splitlines()) - 1 + follows
