"""The slurm engine, through submitit and a SLURM of one machine: jobs that end, fail, vanish, and outlive their launcher."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.runs.engines import make_engine
from separatrix.runs.launcher import Counts, Launch, Limits, launch
from separatrix.runs.store import open_store, read_store
from separatrix.runs.stored_trials import listed
from separatrix.runs.trial import Trial, make_trial
from tests.runs.engines import fake_slurm
from tests.runs.kinds_for_tests import CELLS, DIARY, EVERY, PLACE
from tests.runs.optional import SUBMITIT
from tests.runs.storing import number_cells, number_trials, require_done_once
from tests.runs.test_launcher import gone, of_kind

pytestmark = SUBMITIT.required
FIRST = itertools.count(1000, 1000)


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The four commands on the path; whatever they started is ended."""
    commands, jobs = tmp_path / "bin", tmp_path / "jobs"
    commands.mkdir()
    jobs.mkdir()
    for name in ("sbatch", "srun", "sacct", "scancel"):
        (commands / name).write_text(f"#!{sys.executable}\n{Path(fake_slurm.__file__).read_text()}")
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_SLURM", str(jobs))
    monkeypatch.setenv("FAKE_SLURM_FIRST", str(next(FIRST)))  # submitit remembers how a job of some number ended
    monkeypatch.setenv(DIARY, str(tmp_path / "diary"))
    try:
        yield tmp_path
    finally:
        fake_slurm.scancel(jobs, [path.stem for path in jobs.glob("*.pid")])


def launched(folder: Path, trials: list[Trial], retries: int = 0, **chosen: Any) -> Counts:
    with open_store(folder / "store") as store:
        engine = make_engine("slurm", {"workers": 3, **chosen}, folder / "work")
        return launch(Launch(store, engine, "slurm", folder / "work", Limits(60, None, retries), EVERY), trials)


def test_trials_are_done_by_jobs_and_leave_no_files_behind(slurm: Path) -> None:
    trials = number_trials(3)
    counted = launched(slurm, trials, partition="long", account="mine")
    assert (counted.done, counted.failed) == (3, 0)
    require_done_once(slurm / "store", trials)
    scripts = [path.read_text() for path in (slurm / "work" / "slurm" / "jobs").glob("*_submission.sh") if not path.is_symlink()]
    assert len(scripts) == 3
    assert all("--partition=long" in text and "--account=mine" in text and "--cpus-per-task=1" in text for text in scripts)
    assert list((slurm / "work" / "slurm" / "outcomes").iterdir()) == []


def test_a_trial_that_raises_and_a_job_that_vanishes_have_reasons(slurm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separatrix.runs.engines.slurm.SETTLE", 0.1)
    raising, (waiting,) = of_kind("RAISES"), number_trials(1, seconds=60)
    engine = make_engine("slurm", {}, slurm / "work")

    def cancel_it(counted: Counts) -> None:
        if counted.failed == 1 and (slurm / "diary").exists():
            fake_slurm.scancel(slurm / "jobs", [path.stem for path in (slurm / "jobs").glob("*.pid")])

    with open_store(slurm / "store") as store:
        plan = Launch(store, engine, "slurm", slurm / "work", Limits(60, None, 0), EVERY, report=cancel_it)
        assert launch(plan, [raising, waiting]).failed == 2
    with read_store(slurm / "store") as store:
        reasons = [trial["reason"] for trial in listed(store)]
    assert reasons[0].startswith("ZeroDivisionError: one word and another")
    assert re.fullmatch(r"job \d+001 ended without an outcome \(state FAILED\)", reasons[1])
    assert all(gone(int(line.split()[1])) for line in (slurm / "diary").read_text().splitlines())


def test_jobs_outlive_their_launcher_and_the_next_one_waits_for_them(slurm: Path) -> None:
    """One job has ended before the relaunch, one still runs: neither is sent again."""
    cells = [{**cell, "seconds": seconds} for cell, seconds in zip(number_cells(2), (1.0, 4.0), strict=True)]
    (slurm / "cells.json").write_text(json.dumps(cells))
    trials = [make_trial(cell, EVERY) for cell in cells]
    command = [sys.executable, "-m", "separatrix", "sweep", f"{PLACE}:cells", "--engine", "slurm", "--store", str(slurm / "store")]
    command += ["--work", str(slurm / "work"), *(part for place in EVERY for part in ("--code", place))]
    process = subprocess.Popen(command, env={**os.environ, CELLS: str(slurm / "cells.json")}, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 300
        while not _begun(slurm) >= {0, 1}:
            assert process.poll() is None, process.stderr
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    outcome = slurm / "work" / "slurm" / "outcomes" / f"{trials[0].key}.json"
    while not outcome.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    counted = launched(slurm, trials)
    assert (counted.done, counted.skipped) == (2, 0)
    require_done_once(slurm / "store", trials)
    assert len((slurm / "diary").read_text().splitlines()) == 2


def _begun(folder: Path) -> set[int]:
    return {int(line.split()[0]) for line in (folder / "diary").read_text().splitlines()} if (folder / "diary").exists() else set()


def test_a_job_that_slurm_has_forgotten_is_sent_again(slurm: Path) -> None:
    trials = number_trials(1)
    tickets = slurm / "work" / "slurm" / "outcomes"
    tickets.mkdir(parents=True)
    (tickets / f"{trials[0].key}.job").write_text("777")
    assert launched(slurm, trials).done == 1
    require_done_once(slurm / "store", trials)


def test_an_outcome_that_is_not_one_is_a_failure_with_a_reason(slurm: Path) -> None:
    trials = number_trials(1)
    tickets = slurm / "work" / "slurm" / "outcomes"
    tickets.mkdir(parents=True)
    (tickets / f"{trials[0].key}.job").write_text("1")
    (tickets / f"{trials[0].key}.json").write_text("{}")
    assert launched(slurm, trials).failed == 1
    with read_store(slurm / "store") as store:
        assert listed(store)[0]["reason"] == "cannot read the outcome of job 1: not the outcome of a trial"
    assert launched(slurm, trials, retries=1).done == 1


def test_bad_settings_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("srun") is None
    for chosen, says in [
        ({}, r'engine slurm: Could not detect "srun", are you indeed on a slurm cluster'),
        ({"cluster": "moon"}, "engine slurm has no parameter 'cluster': expected one of folder, workers, partition, account, gigabytes"),
        ({"workers": "0"}, "engine slurm: workers and gigabytes must be at least 1, found 0 and 4"),
    ]:
        with pytest.raises(BadInput, match=says):
            make_engine("slurm", chosen, tmp_path)
