"""Exports: every row once, with its configuration, in a form that others read."""

from __future__ import annotations

import csv
import json
import sqlite3
import sys
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.runs.exports import as_csv, export, flat, one_type
from separatrix.runs.store import read_store
from tests.runs.kinds_for_tests import rows_of
from tests.runs.optional import PYARROW
from tests.runs.storing import filled, number_trials

TRIALS = number_trials(3)
EXPECTED = [(trial.key, number, row) for trial in TRIALS for number, row in enumerate(rows_of(trial.configuration))]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    filled(tmp_path / "store", TRIALS)
    return tmp_path / "store"


def test_json_lines_hold_trial_and_row_as_they_are(store: Path, tmp_path: Path) -> None:
    with read_store(store) as opened:
        assert export(opened, tmp_path / "rows.jsonl") == len(EXPECTED) == 2 + 3 + 4
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [(line["trial"], line["number"], line["row"]) for line in lines] == EXPECTED
    assert {json.dumps(line["configuration"], sort_keys=True) for line in lines} == {
        json.dumps(trial.configuration, sort_keys=True) for trial in TRIALS
    }


def test_csv_has_a_column_for_every_field(store: Path, tmp_path: Path) -> None:
    with read_store(store) as opened:
        export(opened, tmp_path / "table", "csv")
    with (tmp_path / "table").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["trial"], int(line["number"]), int(line["row.square"])) for line in lines] == [
        (key, number, row["square"]) for key, number, row in EXPECTED
    ]
    assert [int(line["configuration.rows"]) for line in lines] == [2] * 2 + [3] * 3 + [4] * 4


def test_rows_of_different_shapes_make_one_table() -> None:
    lines = [{"row": {"loss": 0.5}}, {"row": {"asked": [[1, 2]], "text": 'a,"b"\nc'}}, {"row": {"loss": None}}]
    assert flat(lines[1]) == {"row.asked": "[[1, 2]]", "row.text": 'a,"b"\nc'}
    assert list(csv.reader(as_csv(lines).decode().splitlines(keepends=True))) == [
        ["row.loss", "row.asked", "row.text"], ["0.5", "", ""], ["", "[[1, 2]]", 'a,"b"\nc'], ["", "", ""],
    ]  # fmt: skip
    assert one_type([1, None, 0.5]) == [1.0, None, 0.5]
    assert one_type([1, "one", None]) == ["1", '"one"', None]
    assert one_type([True, 1]) == ["true", "1"]
    assert one_type([2**70, None]) == [str(2**70), None]


@PYARROW.required
def test_parquet_holds_the_same_table_with_types(store: Path, tmp_path: Path) -> None:
    import pyarrow.parquet  # type: ignore[import-not-found,unused-ignore]

    with read_store(store) as opened:
        export(opened, tmp_path / "rows.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    assert list(zip(table["trial"].to_pylist(), table["number"].to_pylist(), table["row.square"].to_pylist(), strict=True)) == [
        (key, number, row["square"]) for key, number, row in EXPECTED
    ]
    assert str(table.schema.field("row.square").type) == "int64"


def test_without_pyarrow_one_line_says_what_to_install(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    says = r"export to Parquet needs the package 'pyarrow': pip install 'separatrix\[parquet\]'"
    with read_store(store) as opened, pytest.raises(BadInput, match=says):
        export(opened, tmp_path / "rows.parquet")
    assert not (tmp_path / "rows.parquet").exists()


def test_unknown_forms_and_damaged_stores_are_refused(store: Path, tmp_path: Path) -> None:
    with (
        read_store(store) as opened,
        pytest.raises(BadInput, match=r"unknown format 'xls' of 'rows.xls': expected one of parquet, csv, jsonl"),
    ):
        export(opened, tmp_path / "rows.xls")
    with sqlite3.connect(store) as database:
        database.execute("UPDATE rows SET document = '{}'")
    database.close()
    with read_store(store) as opened, pytest.raises(BadInput, match=r"is damaged: .* does not match its checksum .and 8 more"):
        export(opened, tmp_path / "rows.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
