"""`kill -9` at random moments, full disks, two launchers: every trial is done exactly once, and no row is lost or doubled.

The sweeps run through the command line, as a user's do. Each repetition is seeded: 15 of them in `make test`, 300 in `make test-all`,
which sets SEPARATRIX_FAULTS=300; any other number works too.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

from separatrix.runs import claims
from separatrix.runs.kinds.train import train_trial
from separatrix.runs.launcher_lock import alive
from separatrix.runs.run import SNAPSHOT, run
from separatrix.runs.snapshot_file import read_snapshot
from separatrix.runs.spec import RunSpec
from separatrix.runs.store import open_store, read_store
from separatrix.runs.stored_trials import rows_of
from separatrix.runs.trial import Trial, make_trial
from separatrix.training.budget import Budget
from tests.runs.kinds_for_tests import CELLS, DIARY, PLACE, place
from tests.runs.storing import claimed, done_trials, number_cells, number_trials, outcome_of, require_done_once
from tests.runs.test_launcher import gone

REPETITIONS = int(os.environ.get("SEPARATRIX_FAULTS", "15"))
TRIALS_TO_WRITE = 60
ENOUGH = 600  # seconds; on a machine that is free nothing here takes ten


@contextmanager
def sweeping(folder: Path, cells: list[dict[str, Any]], *options: str, file_size: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """A launcher in a process of its own, on the store of this folder."""
    (folder / "cells.json").write_text(json.dumps(cells))
    limited = ["sh", "-c", f'ulimit -f {file_size // 512}; exec "$@"', "sh"] if file_size else []
    command = [sys.executable, "-m", "separatrix", "sweep", f"{PLACE}:cells", "--code", place("NUMBERS"), "--store", str(folder / "store")]
    process = subprocess.Popen(
        [*limited, *command, "--workers", "2", "--retries", "5", "--json", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, CELLS: str(folder / "cells.json"), DIARY: str(folder / "diary")},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What a launcher that was left alone says at its end."""
    out, err = process.communicate(timeout=ENOUGH)
    assert process.returncode == 0, err
    document: dict[str, Any] = json.loads(out)
    return document


def runs_so_far(folder: Path) -> list[tuple[int, int]]:
    """Which trials were begun, and by which process."""
    if not (folder / "diary").exists():
        return []
    return [(int(line.split()[0]), int(line.split()[1])) for line in (folder / "diary").read_text().splitlines() if line.count(" ") == 1]


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def require_no_process_left(folder: Path) -> None:
    assert all(gone(pid) for _, pid in runs_so_far(folder))


def trials_of(cells: list[dict[str, Any]]) -> list[Trial]:
    return [make_trial(cell, [place("NUMBERS")]) for cell in cells]


def kill_workers(folder: Path, chance: random.Random) -> None:
    """Workers die, the launcher lives: it tries again."""
    cells = [{**cell, "seconds": chance.uniform(0, 0.2)} for cell in number_cells(6, rows=5)]
    killed = set()
    with sweeping(folder, cells) as process:
        wanted, deadline = chance.randrange(1, 4), time.monotonic() + ENOUGH
        while process.poll() is None and len(killed) < wanted and time.monotonic() < deadline:
            begun = [pid for _, pid in runs_so_far(folder) if pid not in killed]
            if begun:
                time.sleep(chance.uniform(0, 0.15))
                kill(begun[-1])
                killed.add(begun[-1])
            time.sleep(0.005)
        document = finished(process)
    assert (document["trials"], document["done"], document["failed"]) == (6, 6, 0)
    attempts = require_done_once(folder / "store", trials_of(cells))
    assert sum(attempts.values()) <= 6 + len(killed)
    with read_store(folder / "store") as store, store.reading() as database:
        reasons = {reason for (reason,) in database.execute("SELECT reason FROM attempts WHERE outcome = 'failed'")}
    assert reasons <= {"killed by signal 9 (Killed)"}


def kill_launchers(folder: Path, chance: random.Random) -> None:
    """Launchers die; the next one finishes the rest, and runs again only what was in flight."""
    cells = [{**cell, "seconds": chance.uniform(0, 0.1)} for cell in number_cells(8, rows=chance.choice((1, 5, 200)))]
    trials, kills = trials_of(cells), chance.randrange(1, 3)
    for _ in range(kills):
        done_before = require_steady(folder)
        with sweeping(folder, cells) as process:
            time.sleep(chance.uniform(0.0, 1.2))
            kill(process.pid)
            process.wait()
        require_steady(folder, done_before)
    done_before = require_steady(folder)
    with sweeping(folder, cells) as process:
        document = finished(process)
    assert document["trials"] == document["done"] + document["skipped"] == 8
    assert document["skipped"] == len(done_before)
    attempts = require_done_once(folder / "store", trials)
    assert all(attempts[key] == tried for key, tried in done_before.items())  # what was done was not run again
    assert max(attempts.values()) <= kills + 1
    begun = [number for number, _ in runs_so_far(folder)]
    assert all(begun.count(number) <= attempts[trial.key] for number, trial in enumerate(trials))


def require_steady(folder: Path, before: dict[str, int] | None = None) -> dict[str, int]:
    """The finished trials, with their attempts; those that were done before still are."""
    done = done_trials(folder / "store")
    assert (before or {}).items() <= done.items()
    return done


WRITER = """
import sys
from pathlib import Path
from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.kinds.train import train_trial
from separatrix.runs.launcher_lock import alive
from separatrix.runs.store import open_store
from tests.runs.storing import claimed, number_trials, outcome_of

trials = number_trials(int(sys.argv[4]), rows=int(sys.argv[2]))
with open_store(Path(sys.argv[1])) as store, alive(store.path, f"writer-{sys.argv[3]}"):
    print("ready", flush=True)
    held = claimed(store, trials, f"writer-{sys.argv[3]}", 1)
    while held:
        claims.finish(store, held[0], outcome_of(held[0].trial))
        print(held[0].key, flush=True)
        held = claims.claim(store, f"writer-{sys.argv[3]}", "local", 1)
"""


def kill_writers(folder: Path, chance: random.Random) -> None:
    """Processes that write as fast as they can; what one has said is written stays, whole."""
    rows, confirmed = chance.choice((1, 20, 300)), list[str]()
    trials = number_trials(TRIALS_TO_WRITE, rows=rows)
    for number in range(2):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder / "store"), str(rows), str(number), str(TRIALS_TO_WRITE)],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.0, 0.2))
            kill(writer.pid)
            confirmed += writer.stdout.read().split("\n")[:-1]  # the last one may have been cut short
        finally:
            writer.kill()
            writer.communicate()
        done = require_steady(folder)
        assert len(set(confirmed)) == len(confirmed)
        assert set(confirmed) <= done.keys()
        assert len(done) - len(confirmed) <= number + 1  # at most one by each that was written and not yet said
    with open_store(folder / "store") as store, alive(store.path, "last"):
        assert claims.release_gone(store) <= 2
        for claim in claimed(store, trials, "last", TRIALS_TO_WRITE):
            assert claims.finish(store, claim, outcome_of(claim.trial))
    attempts = require_done_once(folder / "store", trials)
    assert sum(attempts.values()) <= TRIALS_TO_WRITE + 2


VICTIMS = (kill_workers, kill_launchers, kill_writers)


@pytest.mark.parametrize("seed", range(REPETITIONS))
def test_killed_at_a_random_moment_nothing_is_lost_or_doubled(tmp_path: Path, seed: int) -> None:
    VICTIMS[seed % len(VICTIMS)](tmp_path, random.Random(seed))
    require_no_process_left(tmp_path)


def test_a_training_run_that_was_killed_goes_on_from_its_snapshot(tmp_path: Path) -> None:
    budget = Budget(steps=600, batch=4, report_every=50, validate_every=300, validation=10, test=10, snapshot_every=30)
    spec = RunSpec("dyck", {"length": 6}, "lstm-1-8", {}, budget)
    cells, key = [train_trial(spec)], make_trial(train_trial(spec)).key
    snapshot, garbage = tmp_path / "store-work" / key / SNAPSHOT, b"not a snapshot"
    with sweeping(tmp_path, cells) as process:
        deadline = time.monotonic() + ENOUGH
        while not (snapshot.exists() and read_snapshot(snapshot).snapshot.progress.step > 0):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        kill(process.pid)
        process.wait()
    good = snapshot.read_bytes()
    snapshot.write_bytes(garbage)
    with sweeping(tmp_path, cells) as process:  # it looks at what the first one left
        assert "is not a snapshot" in process.communicate(timeout=ENOUGH)[1]
    snapshot.write_bytes(good)
    with sweeping(tmp_path, cells) as process:
        assert finished(process)["done"] == 1
    with read_store(tmp_path / "store") as store:
        rows = list(rows_of(store, key))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        assert rows[1:] == run(spec, None)[1]
    finally:
        torch.set_num_threads(threads)
    assert not snapshot.exists()


def test_two_launchers_on_one_store_share_the_work_and_one_of_them_may_die(tmp_path: Path) -> None:
    cells = number_cells(9, rows=3, seconds=0.1)
    with sweeping(tmp_path, cells) as one, sweeping(tmp_path, cells) as other, sweeping(tmp_path, cells) as third:
        while len(runs_so_far(tmp_path)) < 4:
            time.sleep(0.01)
        kill(third.pid)
        documents = [finished(process) for process in (one, other)]
    for document in documents:
        assert document["done"] + document["skipped"] == document["trials"] == 9
    attempts = require_done_once(tmp_path / "store", trials_of(cells))
    assert sum(attempts.values()) <= 9 + 2  # what the dead one had begun
    require_no_process_left(tmp_path)


def test_a_disk_that_fills_up_is_one_line_and_the_next_launch_finishes(tmp_path: Path) -> None:
    """No file may grow beyond a limit: SQLite's answer is that of a full disk."""
    cells = number_cells(8, rows=300)
    with sweeping(tmp_path, cells, file_size=500_000) as process:
        out, err = process.communicate(timeout=ENOUGH)
    assert process.returncode == 2
    assert out == ""
    line = err.strip().splitlines()[-1]
    assert line.startswith(f"separatrix: cannot write '{tmp_path / 'store'}': ")
    assert line.endswith("; nothing recorded so far is lost: repeat the command to continue")
    assert "Traceback" not in err
    before = require_steady(tmp_path)
    assert 0 < len(before) < 8
    with sweeping(tmp_path, cells) as process:
        document = finished(process)
    assert (document["done"], document["skipped"]) == (8 - len(before), len(before))
    require_done_once(tmp_path / "store", trials_of(cells))
