"""With `--json` every command prints exactly one JSON document on stdout, whatever it says on stderr besides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from separatrix.atlas.write import Written
from separatrix.checker import VERSION, sealed
from separatrix.cli import COMMANDS, main
from separatrix.refuters.probe import SUITE
from separatrix.runs.store import open_store
from separatrix.training.budget import Budget

HERE = "HERE"  # a folder of the test's own
ARGUMENTS = {  # every command, with arguments that it answers quickly
    "papers": [],
    "tasks": [],
    "models": [],
    "constructions": [],
    "studies": [],
    "sample": ["equality", "--length", "6"],
    "audit": ["equality", "--length", "6", "--count", "20"],
    "build": ["equality", "--length", "6", "--out", "HERE/built"],
    "verify": ["equality", "--length", "6", "--out", "HERE"],
    "check": ["HERE/refused.json"],
    "explain": ["equality", "--length", "6"],
    "profile": ["equality", "--length", "6", "--out", "HERE/profile.json"],
    "bounds": ["equality", "--length", "6", "--out", "HERE/bounds"],
    "ceiling": ["equality", "--length", "6", "--state-bits", "2"],
    "communication": ["equality", "--length", "6", "--out", "HERE/fooling.json"],
    "collide": ["HERE/registers", "equality", "--length", "6"],
    "protocol": ["equality/one-layer", "--length", "6"],
    "language": ["(ab)*"],
    "published": ["mamba2", "mistral"],
    "facts": ["equality"],
    "decide": ["(aa)*", "--out", "HERE/decided"],
    "predict": ["built", "parity-next", "--length", "9"],
    "vectors": ["--length", "16"],
    "state": ["lstm-1-8", "--length", "10"],
    "attack": ["HERE/registers", "equality", "--length", "6", "--evaluations", "600"],
    "capacity": ["HERE/registers", "equality", "--length", "6"],
    "plan": ["copy", "--length", "6"],
    "probe": ["elman-1-8"],
    "train": ["equality", "--length", "6", "--model", "gru-1-4", "--steps", "2", "--batch", "4", "--set", "budget.test=5"],
    "evaluate": ["HERE/run", "--examples", "5", "--length", "6", "--length", "8"],
    "runs": ["--store", "HERE/store.sqlite"],
    "sweep": ["recall-learned", "--list"],
    "frontier": [
        "parity",
        "--models",
        "elman-1",
        "--lengths",
        "2",
        "--widths",
        "8",
        "--rates",
        "0.01",
        "--steps",
        "4",
        "--target",
        "0.01",
        "--store",
        "HERE/frontier.sqlite",
    ],
    "study": ["representation"],
    "records": ["--out", "HERE/records"],
    "atlas": ["--out", "HERE/atlas"],
}


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What some commands read; and the two slowest replaced by something as talkative."""

    def atlas(out: Path, certificates: Path, records: Path, report: Callable[[str], None], verdicts: Path | None) -> Written:
        report(f"working on {certificates}, {records}, {verdicts}")
        return Written(out / "index.html", 1, 2, 3, 4)

    def write_records(_: Path, report: Callable[[str], None]) -> tuple[int, int]:
        report("working")
        return 0, 0

    monkeypatch.setattr("separatrix.atlas.write_atlas", atlas)
    monkeypatch.setattr("separatrix.records.write.write_records", write_records)
    monkeypatch.setattr("separatrix.refuters.probe.SUITE", SUITE[5:6])
    monkeypatch.setattr("separatrix.refuters.probe.BUDGETS", {"quick": Budget(steps=2, batch=4, validation=4, test=4)})
    (tmp_path / "refused.json").write_text(json.dumps(sealed({"schema": "separatrix/certificate", "version": VERSION, "kind": "nothing"})))
    with open_store(tmp_path / "store.sqlite"):
        pass
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_is_one_document(command: str, prepared: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if command in ("collide", "attack", "capacity"):
        assert main(["build", "equality/recurrent", "--length", "6", "--out", str(prepared / "registers")]) == 0
        capfd.readouterr()
    if command == "evaluate":
        trained = [*ARGUMENTS["train"], "--out", str(prepared / "run")]
        assert main(["train", *trained]) == 0
        capfd.readouterr()
    code = main([command, *(argument.replace(HERE, str(prepared)) for argument in ARGUMENTS[command]), "--json"])
    printed = capfd.readouterr()
    assert isinstance(json.loads(printed.out), dict), printed.err
    assert printed.out.count("\n") == 1
    assert code == (1 if command == "check" else 0), printed.err
