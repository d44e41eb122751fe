"""Records are computed once, with a line for each that was."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.records import write
from separatrix.records.write import RecordJob, write_records


def test_what_is_up_to_date_stays_and_what_is_computed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []

    def entry(name: str) -> RecordJob:
        return RecordJob("task", name, {"name": name}, lambda: computed.append(name) or {"states": 1})

    monkeypatch.setattr(write, "record_jobs", lambda: [entry("one"), entry("two")])
    told: list[str] = []
    assert write_records(tmp_path, told.append) == (2, 2)
    assert [line.split(":")[0] for line in told] == ["task one", "task two"]
    assert write_records(tmp_path, told.append) == (2, 0)
    assert (computed, len(told)) == (["one", "two"], 2)
