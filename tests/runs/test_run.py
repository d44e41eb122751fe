from __future__ import annotations

import json
import os
import random
import resource
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

from separatrix.errors import BadInput
from separatrix.runs import run as run_module
from separatrix.runs.run import ROWS, SNAPSHOT, SPEC, run, trained_model
from separatrix.runs.snapshot_file import read_snapshot
from separatrix.runs.spec import RunSpec
from separatrix.training.budget import Budget
from separatrix.training.loop import Diverged

TINY = {"batch": 8, "report_every": 3, "validate_every": 20, "validation": 20, "test": 30, "snapshot_every": 7}


def spec(steps: int = 25, **changed: Any) -> RunSpec:
    budget = Budget(**{**TINY, "steps": steps, "rate": 1e-2})  # type: ignore[arg-type]
    fields = {
        "task": "index-lookup",
        "task_parameters": {"length": 5, "symbols": 4},
        "model": "lstm-1-8",
        "model_parameters": {},
        "budget": budget,
    }
    return RunSpec(**{**fields, **changed})  # type: ignore[arg-type]


def test_rows_are_the_same_with_and_without_a_folder(tmp_path: Path) -> None:
    _, kept = run(spec(), tmp_path / "run")
    _, told = run(spec(), None)
    assert kept == told
    assert [row["kind"] for row in kept] == ["training"] * 6 + ["validation"] + ["training"] * 3 + ["validation", "test"]
    assert all((row["schema"], row["version"]) == ("separatrix/row", 1) for row in kept)
    assert json.loads((tmp_path / "run" / SPEC).read_text()) == spec().document()


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    _, rows = run(spec(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    watched: list[Any] = []
    model, again = run(spec(), tmp_path, watched.append)
    assert (again, watched) == (rows, [])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), trained_model(tmp_path)[1].parameters(), strict=True))


class Stop(Exception):
    pass


@pytest.mark.parametrize("after", [1, 2, 9, 14])
def test_a_run_that_stopped_anywhere_goes_on_to_the_same_rows(tmp_path: Path, after: int) -> None:
    events: list[Any] = []

    def watch(event: Any) -> None:
        events.append(event)
        if len(events) == after:
            raise Stop

    with pytest.raises(Stop):
        run(spec(), tmp_path, watch)
    with (tmp_path / ROWS).open("a") as rows_file:
        rows_file.write('{"half a ro')  # and the machine died while it wrote
    _, rows = run(spec(), tmp_path)
    assert rows == run(spec(), None)[1]


def test_killed_at_random_steps_and_resumed_the_rows_are_those_of_an_uninterrupted_run(tmp_path: Path) -> None:
    """`kill -9`, twice at random moments, of a process that trains through the command line."""
    arguments = ["--length", "5", "--model", "lstm-1-8", "--steps", "150", "--rate", "1e-2", "--set", "symbols=4", "--json"]
    arguments += [part for key, value in TINY.items() for part in ("--set", f"budget.{key}={value}")]
    command = [sys.executable, "-m", "separatrix", "train", "index-lookup", *arguments, "--out", str(tmp_path)]
    chance, killed = random.Random(os.urandom(8)), 0
    for _ in range(2):
        size = (tmp_path / ROWS).stat().st_size if (tmp_path / ROWS).exists() else 0
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        wanted, deadline = size + chance.randrange(1, 2000), time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if (tmp_path / ROWS).exists() and (tmp_path / ROWS).stat().st_size >= wanted:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.001)
        killed += process.wait(60) == -signal.SIGKILL
        seen = read_snapshot(tmp_path / SNAPSHOT)
        assert (tmp_path / ROWS).stat().st_size >= seen.rows_bytes  # what a snapshot counts on is there
    assert killed >= 1
    finished = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    rows = json.loads(finished.stdout)["rows"]
    texts = {"length": 5, "symbols": "4"}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _, whole = run(spec(steps=150, task_parameters=texts), None)
    finally:
        torch.set_num_threads(threads)
    assert rows == whole
    assert rows == [json.loads(line) for line in (tmp_path / ROWS).read_text().splitlines()]


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file of this process may grow beyond so many bytes: writing then fails as it does on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(("limit", "file"), [(300, SPEC), (2100, SNAPSHOT)])
def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path, limit: int, file: str) -> None:
    with files_up_to(limit), pytest.raises(BadInput, match=f"^cannot write '{tmp_path / file}': File too large"):
        run(spec(), tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert run(spec(), tmp_path)[1] == run(spec(), None)[1]


def test_a_full_disk_in_the_middle_of_the_rows_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append, left = run_module.RowFile.append, [8]

    def full(self: Any, row: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise BadInput(f"cannot write {str(self.path)!r}: No space left on device")
        append(self, row)

    monkeypatch.setattr(run_module.RowFile, "append", full)
    with pytest.raises(BadInput, match=r"No space left on device; nothing that was written is lost, and the same command goes on"):
        run(spec(), tmp_path)
    monkeypatch.undo()
    assert run(spec(), tmp_path)[1] == run(spec(), None)[1]


def test_a_run_that_diverges_keeps_its_last_good_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train = run_module.train

    def bad_luck(*given: Any, **named: Any) -> Any:
        for event in train(*given, **named):
            yield event
            if getattr(event, "step", 0) == 12:
                raise Diverged(12, "loss", float("nan"), 0.01)

    monkeypatch.setattr(run_module, "train", bad_luck)
    with pytest.raises(
        BadInput, match=r"^the loss is nan at step 12 \(learning rate 0.01\): training stops; '.*' keeps the snapshot of step 7$"
    ):
        run(spec(), tmp_path)
    assert trained_model(tmp_path)[2] == 7


def test_a_rate_far_too_high_stops_where_the_loss_is_no_number(tmp_path: Path) -> None:
    wild = spec(budget=Budget(**{**TINY, "steps": 25, "rate": 1e37}))  # type: ignore[arg-type]
    with pytest.raises(
        BadInput, match=r"is (nan|inf) at step \d+ \(learning rate 1e\+37\): training stops; '.*' keeps the snapshot of step"
    ):
        run(wild, tmp_path)
    assert all(bool(p.isfinite().all()) for p in trained_model(tmp_path)[1].parameters())


def test_a_folder_with_another_run_is_left_alone(tmp_path: Path) -> None:
    run(spec(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(BadInput, match=r"holds another run: budget.steps = 25 there, 26 here; seed = 0 there, 1 here"):
        run(spec(steps=26, seed=1), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_folders_that_cannot_be_runs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"file' is not a folder"):
        run(spec(), tmp_path / "file")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / ROWS).write_text("")
    with pytest.raises(BadInput, match=r"odd' holds rows or a snapshot but no run.json"):
        run(spec(), tmp_path / "odd")
    with pytest.raises(BadInput, match=r"nothing' is not the folder of a run: cannot read run.json"):
        trained_model(tmp_path / "nothing")


def test_rows_that_are_missing_are_noticed(tmp_path: Path) -> None:
    run(spec(), tmp_path)
    (tmp_path / ROWS).write_text("")
    with pytest.raises(BadInput, match=r"rows.jsonl' has 0 bytes, but its snapshot was taken after \d+: rows are missing"):
        run(spec(), tmp_path)


def test_a_run_with_code_of_others_is_loaded_only_by_name(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from torch import nn\n\nclass Same(nn.Identity):\n    def __init__(self):\n        super().__init__()\n"
    )
    place = f"{tmp_path / 'mine.py'}:Same"
    run(spec(steps=3, model=place, model_parameters={"width": 8}), tmp_path / "run")
    with pytest.raises(BadInput, match=r"run' runs the code .*mine.py:Same; a file cannot ask for that by itself: name it, as in --code"):
        trained_model(tmp_path / "run")
    assert trained_model(tmp_path / "run", [place])[2] == 3


def test_a_folder_cannot_run_a_function_that_nobody_named(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    (tmp_path / "mine.py").write_text(f"import pathlib\npathlib.Path({str(seen)!r}).touch()\n\ndef first(word):\n    return int(word[0])\n")
    place = f"{tmp_path / 'mine.py'}:first"
    run(spec(steps=3, task="function", task_parameters={"length": 3, "function": place}), tmp_path / "run")
    seen.unlink()
    with pytest.raises(BadInput, match=r"run' runs the code .*mine.py:first; a file cannot ask for that by itself"):
        trained_model(tmp_path / "run")
    assert not seen.exists()
    assert trained_model(tmp_path / "run", [place])[2] == 3
