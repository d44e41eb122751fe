"""Stored records: computed once, replaced when what was asked for changes, and refused when they are something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.records import record
from separatrix.records.record import LARGEST, read_record, stored_or_computed


def test_a_record_is_computed_once(tmp_path: Path) -> None:
    calls: list[int] = []

    def compute() -> dict[str, int]:
        calls.append(1)
        return {"calls": len(calls)}

    path = tmp_path / "one.json"
    assert stored_or_computed(path, "kind", {"n": (1, 2)}, compute) == ({"calls": 1}, True)
    assert stored_or_computed(path, "kind", {"n": (1, 2)}, compute) == ({"calls": 1}, False)
    assert stored_or_computed(path, "kind", {"n": (1, 3)}, compute) == ({"calls": 2}, True)
    assert read_record(path, "kind")["content"] == {"calls": 2}


def test_other_code_makes_a_record_out_of_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.json"
    stored_or_computed(path, "kind", {}, lambda: 1)
    monkeypatch.setattr(record, "code_digest", lambda: "another")
    assert stored_or_computed(path, "kind", {}, lambda: 2) == (2, True)


def test_a_damaged_record_is_replaced_when_it_is_written_and_refused_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text('{"schema": "separatrix/rec')
    with pytest.raises(BadInput, match="was not written here, or was edited since"):
        read_record(path, "kind")
    assert stored_or_computed(path, "kind", {}, lambda: 7) == (7, True)


@pytest.mark.parametrize("document", [[], {}, {"schema": "separatrix/record", "version": 2, "kind": "kind"}])
def test_anything_but_a_record_of_the_kind_is_refused(tmp_path: Path, document: object) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match="was not written here"):
        read_record(path, "kind")
    stored_or_computed(path, "another", {}, lambda: 1)
    with pytest.raises(BadInput, match="is not a record of kind 'kind'"):
        read_record(path, "kind")


def test_an_invented_record_is_neither_reused_nor_shown(tmp_path: Path) -> None:
    """Whatever it says of the code and the parameters: no key, somebody else's key, or the key of another content."""
    path = tmp_path / "known" / "parity.json"
    stored_or_computed(path, "known", {"name": "parity"}, lambda: {"bound": 1})
    honest = json.loads(path.read_text())
    invented = {**honest, "content": {"bound": 10**9}}
    for forged in (invented, {key: value for key, value in invented.items() if key != "key"}, {**invented, "key": "0" * 64}):
        path.write_text(json.dumps(forged))
        with pytest.raises(BadInput, match="was not written here, or was edited since"):
            read_record(path, "known")
        assert stored_or_computed(path, "known", {"name": "parity"}, lambda: {"bound": 1}) == ({"bound": 1}, True)
        assert read_record(path, "known")["content"] == {"bound": 1}


def test_a_record_of_ones_own_under_another_name_is_refused(tmp_path: Path) -> None:
    mine, other = tmp_path / "known" / "parity.json", tmp_path / "known" / "equality.json"
    stored_or_computed(mine, "known", {"name": "parity"}, lambda: 1)
    other.write_bytes(mine.read_bytes())
    with pytest.raises(BadInput, match="of this name and this code"):
        read_record(other, "known")


def test_a_record_of_earlier_code_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.json"
    stored_or_computed(path, "kind", {}, lambda: 1)
    monkeypatch.setattr(record, "code_digest", lambda: "another")
    with pytest.raises(BadInput, match="of this name and this code: `separatrix records"):
        read_record(path, "kind")


def test_a_missing_and_an_oversized_record_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    with pytest.raises(BadInput, match="no record at"):
        read_record(path, "kind")
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(BadInput, match="a record has at most"):
        read_record(path, "kind")
