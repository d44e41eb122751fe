"""`separatrix frontier` end to end, with real training that takes a second."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.cli import main
from tests.cli.calling import refusal

TINY = ["frontier", "index-lookup", "--models", "tf-1", "--lengths", "2", "--widths", "8,16", "--set", "symbols=2", "--rates", "0.01",
        "--steps", "60", "--target", "0.7", "--workers", "2"]  # fmt: skip


def test_a_second_search_reads_what_the_first_has_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = [*TINY, "--store", str(tmp_path / "store.sqlite"), "--json"]
    assert main(command) == 0
    first = capsys.readouterr()
    (row,) = json.loads(first.out)["rows"]
    assert row["model"] == "tf-1"
    assert row["width"] is not None
    assert max(entry["accuracy"] for entry in row["tried"] if entry["width"] == row["width"]) >= 0.7
    assert 0 < row["needed_bits"] <= 2  # two for zero error
    assert ", 1 running" in first.err
    assert main(command) == 0
    again = capsys.readouterr()
    assert json.loads(again.out) == json.loads(first.out)
    assert ", 1 running" not in again.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--target", "1.5"], "accuracy in (0, 1]"),
        (["--models", "lstm"], "a name and a number of layers"),
        (["--lengths", "2,x"], "expected whole numbers"),
        (["--set", "length=4"], "--lengths lists the lengths"),
        (["--engine", "cloud"], "unknown engine 'cloud'"),
        (["--models", "nothing-1"], "nothing"),
        (["--set", "colour=red"], "colour"),
    ],
)
def test_bad_input_is_one_line(words: list[str], why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    assert why in refusal(capsys, *TINY, "--store", str(store), *words)
    assert not store.exists()
