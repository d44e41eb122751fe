"""Settings of every test: no time limits, and a line at the end of a run for what was left out."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest
from hypothesis import settings

from separatrix.atlas.reading.material import Records
from separatrix.records.write import write_records
from tests.atlas.browser import say_when_left_out
from tests.runs.optional import say_what_is_left_out

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    say_when_left_out(config)
    say_what_is_left_out(config)


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Records:
    """All stored records, computed once for all test processes: whoever comes second finds them up to date."""
    base = tmp_path_factory.getbasetemp()
    folder: Path = (base if worker_id == "master" else base.parent) / "records"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        write_records(folder)
    return Records(folder)
