"""Settings of every test: no time limits, and a line at the end of a run for what was left out."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest
from hypothesis import settings

from separatrix.atlas.reading.material import Records
from separatrix.records.record import stored_or_computed
from separatrix.records.write import record_jobs, record_path
from tests.atlas.browser import say_when_left_out
from tests.runs.optional import say_what_is_left_out

os.environ.pop("COLUMNS", None)  # set by some test runners: output is wrapped to it, and tests read what a pipe gets
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    say_when_left_out(config)
    say_what_is_left_out(config)


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Records:
    """All stored records, computed once for all test processes, which share the work."""
    base = tmp_path_factory.getbasetemp()
    folder: Path = (base if worker_id == "master" else base.parent) / "records"
    folder.mkdir(exist_ok=True)
    for entry in record_jobs():
        path = record_path(folder, entry.kind, entry.name)
        with Path(f"{folder}-{entry.kind}-{path.stem}.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # another process is at it: take the next one
                continue
            stored_or_computed(path, entry.kind, entry.parameters, entry.compute)
    for entry in record_jobs():  # and wait for what the others are at
        with Path(f"{folder}-{entry.kind}-{record_path(folder, entry.kind, entry.name).stem}.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
    return Records(folder)
