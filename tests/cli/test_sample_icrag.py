"""`sample --format icrag`: lines, fields, and a folder of arrays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.cli import main
from separatrix.tasks.icrag import Icrag
from separatrix.tasks.is_tree import IsTree
from tests.cli.calling import answer, refusal


def test_examples_have_the_fields_of_the_public_data(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sample", "is-tree", "--length", "6", "--set", "thought=tour", "--format", "icrag", "--count", "2"]
    examples = answer(capsys, *command)["examples"]
    public, batch = Icrag(IsTree(6, thought="tour")), IsTree(6, thought="tour").sample(0, 2)
    for r, example in enumerate(examples):
        assert example["line"].split() == public.words(batch.row(r))
        assert example["input_ids"] == public.ids(public.words(batch.row(r)))
        assert len(example["labels"]) == len(example["input_ids"])
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == [example["line"] for example in examples]


def test_a_folder_is_written_and_read_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert main(["sample", "is-tree", "--length", "5", "--format", "icrag", "--count", "3", "--seed", "2", "--out", str(folder)]) == 0
    capsys.readouterr()
    assert json.loads((folder / "metadata.json").read_text())["size"] == 3
    batch = IsTree(5).sample(2, 3)
    assert Icrag(IsTree(5)).load(folder) == [batch.row(r) for r in range(3)]


def test_other_tasks_and_formats_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "the public data have is-tree, found parity" in refusal(capsys, "sample", "parity", "--length", "4", "--format", "icrag")
    assert "--out writes the arrays of --format icrag" in refusal(
        capsys, "sample", "is-tree", "--length", "4", "--out", str(tmp_path / "x")
    )
