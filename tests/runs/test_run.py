from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
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
from separatrix.runs.run import ROWS, SNAPSHOT, SPEC, run, run_description, trained_model
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
    _, stored_rows = run(spec(), tmp_path / "run")
    _, returned_rows = run(spec(), None)
    assert stored_rows == returned_rows
    assert [row["kind"] for row in stored_rows] == ["training"] * 6 + ["validation"] + ["training"] * 3 + ["validation", "test"]
    assert all((row["schema"], row["version"]) == ("separatrix/row", 1) for row in stored_rows)
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


@pytest.mark.parametrize(("model", "kills"), [("lstm-1-8", 1), ("hybrid-mamba-1-8+1", 2)])
@pytest.mark.slow  # tests/runs/test_faults.py kills one every time
def test_killed_at_random_steps_and_resumed_the_rows_are_those_of_an_uninterrupted_run(tmp_path: Path, model: str, kills: int) -> None:
    """`kill -9`, once or twice at random moments, of a process that trains by the command line; the second is a stack with a scan."""
    arguments = ["--length", "5", "--model", model, "--steps", "150", "--rate", "1e-2", "--set", "symbols=4", "--json"]
    arguments += [part for key, value in TINY.items() for part in ("--set", f"budget.{key}={value}")]
    command = [sys.executable, "-m", "separatrix", "train", "index-lookup", *arguments, "--out", str(tmp_path)]
    chance, killed = random.Random(os.urandom(8)), 0
    for _ in range(kills):
        size = (tmp_path / ROWS).stat().st_size if (tmp_path / ROWS).exists() else 0
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        wanted, deadline = size + chance.randrange(1, 2000), time.monotonic() + 300
        while process.poll() is None and time.monotonic() < deadline:
            if (tmp_path / ROWS).exists() and (tmp_path / ROWS).stat().st_size >= wanted:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.001)
        killed += process.wait(300) == -signal.SIGKILL
        snapshot = read_snapshot(tmp_path / SNAPSHOT)
        assert (tmp_path / ROWS).stat().st_size >= snapshot.rows_bytes  # what a snapshot counts on is there
    assert killed >= 1
    finished = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    rows = json.loads(finished.stdout)["rows"]
    texts = {"length": 5, "symbols": "4"}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _, whole = run(spec(steps=150, task_parameters=texts, model=model), None)
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
    with pytest.raises(BadInput, match=r"No space left on device; nothing written so far is lost: repeat the command to resume"):
        run(spec(), tmp_path)
    monkeypatch.undo()
    assert run(spec(), tmp_path)[1] == run(spec(), None)[1]


def test_a_run_that_diverges_keeps_its_last_good_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train = run_module.train

    def bad_luck(*arguments: Any, **named: Any) -> Any:
        for event in train(*arguments, **named):
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


MINE = """
from pathlib import Path
from torch import nn

Path(__file__).with_suffix(".ran").touch()

class Same(nn.Identity):
    def __init__(self):
        super().__init__()

def odd(word):
    return word.count("1") % 2

class Model(nn.Module):
    def __init__(self, vocabulary, targets):
        super().__init__()
        self.table = nn.Embedding(vocabulary, targets)

    def forward(self, tokens):
        return self.table(tokens)
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_a_run_with_code_of_others_is_loaded_only_by_name(tmp_path: Path, mine: Path) -> None:
    place = f"{mine}:Same"
    run(spec(steps=3, model=place, model_parameters={"width": 8}), tmp_path / "run")
    with pytest.raises(BadInput, match=r"run.json': this file needs to run the code mine.py:Same: pass"):
        trained_model(tmp_path / "run")
    assert trained_model(tmp_path / "run", [place])[2] == 3


def test_a_run_is_known_by_the_content_of_its_code(tmp_path: Path, mine: Path) -> None:
    """From any folder, under any path; not after the code has changed."""
    started = spec(steps=3, model=f"{mine}:Same", model_parameters={"width": 8})
    run(started, tmp_path / "run")
    document = json.loads((tmp_path / "run" / SPEC).read_text())
    assert document["model"] == "mine.py:Same"
    assert list(document["code"]) == ["mine.py:Same"]
    moved = tmp_path / "elsewhere" / "mine.py"
    moved.parent.mkdir()
    shutil.move(mine, moved)
    assert trained_model(tmp_path / "run", [str(moved)])[2] == 3
    again = spec(steps=3, model=f"{moved}:Same", model_parameters={"width": 8})
    assert again.digest == json_digest(document)
    assert run(again, tmp_path / "run")[1] == read_lines(tmp_path / "run" / ROWS)
    moved.write_text(MINE + "\n# changed\n")
    with pytest.raises(BadInput, match="is not the code that was used"):
        trained_model(tmp_path / "run", [str(moved)])


def json_digest(document: dict[str, Any]) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    "changed",
    [
        {"task": "HERE:Same"},
        {"task": "function", "task_parameters": {"length": 4, "function": "HERE:odd"}},
        {"model": "HERE:Model"},
        {"model": "HERE:Same"},
        {"model": "stack", "model_parameters": {"mixers": ["gru", "HERE:Same"]}},
        {"model": "stack", "model_parameters": {"mixers": "gru,HERE:Same"}},
        {"model": "user", "model_parameters": {"code": "HERE:Same"}},
        {"model": "os:system"},
    ],
)
@pytest.mark.parametrize("recorded", [False, True])
def test_code_named_anywhere_in_a_file_is_not_run(tmp_path: Path, mine: Path, changed: dict[str, Any], recorded: bool) -> None:
    """The files of a stranger: with and without a record of the code, nothing of it is loaded that nobody has named."""
    run(spec(steps=1), tmp_path / "run")
    here = json.loads(json.dumps(changed).replace("HERE", str(mine)))
    forged = {**json.loads((tmp_path / "run" / SPEC).read_text()), **here}
    if recorded:
        forged["code"] = {f"{mine}:{name}": hashlib.sha256(mine.read_bytes()).hexdigest() for name in ("Same", "odd", "Model")}
    (tmp_path / "run" / SPEC).write_text(json.dumps(forged))
    for code in ((), ("other.py",), (f"{tmp_path / 'other.py'}:Same",)):
        with pytest.raises(BadInput, match=r"needs to run the code|cannot read the source of"):
            trained_model(tmp_path / "run", code)
    assert not mine.with_suffix(".ran").exists()


def test_a_task_of_ones_own_is_evaluated_from_any_folder(tmp_path: Path, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = {"task": "function", "task_parameters": {"length": 4, "function": "mine.py:odd"}}
    monkeypatch.chdir(mine.parent)
    run(spec(steps=2, **task), tmp_path / "run")
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")
    described = run_description(tmp_path / "run", [str(mine)])
    assert described.judged_task().answer([1, 0, 1, 1]) == 1
    assert described.judged_task().at(5).answer([1, 0, 1, 1, 1]) == 0  # the copy at another length has the same code
    assert trained_model(tmp_path / "run", [str(mine)])[2] == 2


def test_two_runs_of_a_users_model_with_one_seed_are_equal(mine: Path) -> None:
    """Its weights come from torch's generator, which is set to the seed before it is made."""
    one, same, other = (run(spec(steps=3, model=f"{mine}:Model", seed=seed), None)[1] for seed in (1, 1, 2))
    assert one == same
    assert one != other
