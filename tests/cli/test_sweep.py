"""`separatrix sweep` and `separatrix runs`: what they answer, and one line for what they cannot use."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import pytest

from separatrix.checker.seal import sealed
from separatrix.cli import main
from separatrix.runs.engines import Job
from separatrix.runs.engines.local import Local
from separatrix.runs.launcher import Counts
from separatrix.runs.store import read_store
from separatrix.runs.stored_trials import listed
from separatrix.runs.trial import Trial
from tests.cli.calling import answer, refusal
from tests.runs.kinds_for_tests import CELLS, EVERY, PLACE
from tests.runs.storing import filled, number_cells, number_trials, require_done_once

STUDY = f"{PLACE}:cells"


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A sweep of four trials, one of which fails."""
    (tmp_path / "cells.json").write_text(json.dumps([*number_cells(3), {"kind": f"{PLACE}:REFUSES"}]))
    monkeypatch.setenv(CELLS, str(tmp_path / "cells.json"))
    monkeypatch.chdir(tmp_path)
    return ["sweep", STUDY, *(part for place in EVERY for part in ("--code", place))]


def test_a_sweep_counts_what_it_did_and_a_relaunch_does_the_rest(
    capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path
) -> None:
    cells = answer(capsys, *sweep, "--list")["cells"]
    assert [cell["key"] for cell in cells[:3]] == [trial.key for trial in number_trials(3)]
    assert not (tmp_path / "separatrix.sqlite").exists()
    one = answer(capsys, *sweep, "--cell", cells[0]["key"][:10])
    assert one == {"trials": 1, "done": 1, "failed": 0, "skipped": 0, "overnight": 0, "failures": []}
    rest = answer(capsys, *sweep, "--workers", "1", code=1)
    reason = "width 65 is not divisible by heads 4"
    failures = [{"key": cells[3]["key"], "reason": reason}]
    assert rest == {"trials": 4, "done": 2, "failed": 1, "skipped": 1, "overnight": 0, "failures": failures}
    assert main(sweep) == 1
    printed = capsys.readouterr()
    assert "4 trials: 0 done, 1 failed, 3 skipped (done before, or by others); rows are in separatrix.sqlite" in printed.out
    assert f"failed {cells[3]['key'][:12]}: {reason}" in printed.out
    assert "3/4 done, 0 running, 1 failed" in printed.err


def test_a_laptop_leaves_out_what_takes_long_and_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3 minutes of a core are too long, whether they were measured or are expected."""
    launched: list[list[str]] = []

    def launch(_: object, trials: list[Trial]) -> Counts:
        launched.append([trial.key for trial in trials])
        return Counts(len(trials))

    monkeypatch.setattr("separatrix.runs.launcher.launch", launch)
    sweep = ["sweep", "equality-random", "--store", str(tmp_path / "store")]
    keys = [cell["key"] for cell in answer(capsys, *sweep, "--list")["cells"]]
    assert main([*sweep, "--list"]) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    hours = dict(zip(keys, (float(line[-2]) for line in shown), strict=True))
    long = [key for key in keys if hours[key] >= 0.05]
    assert 0 < len(long) < len(keys)
    assert answer(capsys, *sweep)["overnight"] == len(long)
    assert main(sweep) == 0
    together = f"{sum(hours[key] for key in long):.2g}"
    assert f"left out: {len(long)} cells that take {together} core-hours together; --overnight runs them too" in capsys.readouterr().out
    for asked in (["--overnight"], ["--cell", long[0]], ["--scale", "smoke"], ["--scale", "paper"]):
        assert answer(capsys, *sweep, *asked)["overnight"] == 0
    assert launched[:4] == [[key for key in keys if key not in long]] * 2 + [keys, [long[0]]]


def test_the_smoke_scale_of_a_study_trains_and_its_rows_are_those_of_a_run_by_hand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The same cell through `sweep` and through `train --store`: one trial, with equal rows."""
    cells = answer(capsys, "sweep", "rates", "--scale", "smoke", "--list")["cells"]
    lstm = next(cell for cell in cells if cell["configuration"]["run"]["model"] == "lstm-2-64")
    swept, hand = str(tmp_path / "swept"), str(tmp_path / "hand")
    assert answer(capsys, "sweep", "rates", "--scale", "smoke", "--cell", lstm["key"], "--store", swept)["done"] == 1
    budget = lstm["configuration"]["run"]["budget"]
    changed = ["steps", "batch", "rate", "warmup", "clip", "validate_every", "validation", "enough", "test"]
    chosen = [part for name in changed for part in ("--set", f"budget.{name}={budget[name]}")]
    trained = answer(capsys, "train", "index-lookup", "--length", "10", "--model", "lstm-2-64", "--store", hand, *chosen)
    (one,) = answer(capsys, "runs", "--store", swept)["trials"]
    (other,) = answer(capsys, "runs", "--store", hand)["trials"]
    assert one["key"] == other["key"] == lstm["key"]
    rows = answer(capsys, "runs", "show", one["key"][:12], "--store", swept)["rows"]
    assert rows == answer(capsys, "runs", "show", one["key"][:12], "--store", hand)["rows"]
    assert rows[1:] == trained["rows"]
    assert rows[0]["state_bits"] == 2 * 2 * 64 * 32  # (h, c) of width 64 in each of two layers
    assert answer(capsys, "runs", "merge", hand, "--store", swept)["merged"] == [
        {"store": hand, "added": 0, "same": 1, "differ": [], "waiting": 0, "certificates": 0}
    ]


def test_runs_list_show_cancel_remove_and_export(capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path) -> None:
    answer(capsys, *sweep, code=1)
    everything = answer(capsys, "runs")
    assert everything["counts"] == {"waiting": 0, "running": 0, "done": 3, "failed": 1, "cancelled": 0}
    (failed,) = answer(capsys, "runs", "--state", "failed")["trials"]
    assert answer(capsys, "runs", "list") == everything
    assert answer(capsys, "runs", "list", "--state", "failed")["trials"] == [failed]
    assert main(["runs"]) == 0
    shown = capsys.readouterr().out
    assert "separatrix.sqlite: 3 done, 1 failed" in shown
    assert "width 65 is not divisible by heads 4" in shown
    assert main(["runs", "show", failed["key"][:12]]) == 0
    assert "attempt 1 on local: failed: width 65 is not divisible by heads 4" in capsys.readouterr().out
    assert answer(capsys, "runs", "cancel", failed["key"]) == {"cancelled": [failed["key"]]}
    assert answer(capsys, *sweep)["skipped"] == 4
    first = everything["trials"][0]["key"]
    assert answer(capsys, "runs", "remove", first[:12], failed["key"][:12]) == {"removed": [first, failed["key"]]}
    assert answer(capsys, "runs", "export", "rows.csv") == {"rows": 3 + 4, "file": "rows.csv"}
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 1 + 3 + 4
    assert answer(capsys, "runs", "export", "rows", "--format", "jsonl")["rows"] == 7


def test_runs_check_says_what_is_wrong_with_exit_code_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store = tmp_path / "store"
    filled(store, number_trials(2))
    assert answer(capsys, "runs", "check", "--store", str(store)) == {"store": str(store), "whole": True, "problems": []}
    with sqlite3.connect(store) as database:
        database.execute("DELETE FROM rows WHERE number = 0")
    database.close()
    document = answer(capsys, "runs", "check", "--store", str(store), code=1)
    assert not document["whole"]
    assert [line.partition(": ")[2] for line in document["problems"]] == [
        "expected its 2 rows as they were written, found 1", "expected its 3 rows as they were written, found 2",
    ]  # fmt: skip


def test_certificates_are_kept_in_the_store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document, store = sealed({"schema": "separatrix/certificate", "kind": "construction"}), str(tmp_path / "store")
    (tmp_path / "good.json").write_text(json.dumps(document))
    (tmp_path / "bad.json").write_text(json.dumps({**document, "kind": "other"}))
    assert answer(capsys, "runs", "certificates", str(tmp_path / "good.json"), "--store", store) == {"added": 1, "known": 0}
    assert answer(capsys, "runs", "certificates", str(tmp_path / "good.json"), "--store", store) == {"added": 0, "known": 1}
    assert answer(capsys, "runs", "certificates", "--store", store) == {"certificates": [document]}
    assert "digest is not the hash" in refusal(capsys, "runs", "certificates", str(tmp_path / "bad.json"), "--store", store)
    assert "cannot read the certificate" in refusal(capsys, "runs", "certificates", str(tmp_path / "none.json"), "--store", store)


BAD = [
    (["recall-lerned"], "unknown study 'recall-lerned'; did you mean 'recall-learned'? expected one of addresses, attention-place"),
    (["representation"], "study representation has no cells to sweep"),
    (["recall-learned", "--scale", "huge"], "unknown scale 'huge': expected one of smoke, laptop, paper"),
    (["recall-learned", "--scale", "paper"], "study recall-learned has no cells at scale paper"),
    (["recall-learned", "--cell", "ffff0000"], "study recall-learned has no cell 'ffff0000' at scale laptop: --list prints the keys"),
    (["recall-learned", "--engine", "rey"], "unknown engine 'rey': expected one of local, ray, slurm; did you mean 'ray'?"),
    (["recall-learned", "--workers", "0"], "Invalid value for '--workers': 0 is not in the range x>=1."),
    (["recall-learned", "--workers", "2", "--set", "workers=3"], "--workers and --set workers set the same parameter: use one"),
    (["recall-learned", "--address", "somewhere:1"], "engine local has no parameter 'address': expected one of workers"),
    (["recall-learned", "--timeout", "-1"], "--timeout must be a positive number, found -1"),
    (["recall-learned", "--timeout", "nan"], "--timeout must be a positive number, found nan"),
    (["recall-learned", "--memory", "0"], "--memory must be a positive number, found 0"),
    ([STUDY], "a trial needs to run the code"),
    (["nowhere.py:cells"], "no such file: 'nowhere.py'"),
    ([f"{PLACE}:PLACE"], f"study {PLACE}:PLACE has no cells to sweep"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD)
def test_a_sweep_that_cannot_be_is_one_line_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path, arguments: list[str], says: str
) -> None:
    assert sweep
    assert refusal(capsys, "sweep", *arguments).startswith(says)
    assert [path.name for path in tmp_path.iterdir()] == ["cells.json"]


def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_runs(
    capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert refusal(capsys, *sweep, "--work", "file/under").startswith("--work: cannot write to the folder 'file/under': Not a directory")
    assert not (tmp_path / "separatrix.sqlite").exists()


def test_the_table_of_cells_has_a_column_for_what_tells_them_apart(capsys: pytest.CaptureFixture[str], sweep: list[str]) -> None:
    assert main(["sweep", "trees-learned", "--list"]) == 0
    header, _, *lines = capsys.readouterr().out.splitlines()
    assert header.split() == [
        "key",
        "model",
        "task",
        "length",
        "graphs",
        "deviation",
        "thought",
        "positions",
        "seed",
        "rate",
        "steps",
        "core-hours",
        "state",
    ]
    assert lines[0].split()[1:] == ["tf-2-64", "is-tree", "8", "two-star", "0.125", "-", "-", "0", "0.001", "10,000", "0.109", "shipped"]
    assert lines[5].split()[3:] == ["16", "two-star", "0.125", "tour", "-", "0", "0.001", "10,000", "0.401", "shipped"]
    assert lines[9].split()[3:] == [
        "16",
        "two-star",
        "-",
        "search",
        "-",
        "0",
        "0.001",
        "1,500",
        "2",
        "-",
    ]  # not run: the hours are those expected
    answer(capsys, *sweep, "--cell", answer(capsys, *sweep, "--list")["cells"][0]["key"])
    assert main([*sweep, "--list"]) == 0
    states = [line.split()[-1] for line in capsys.readouterr().out.splitlines()[2:]]
    assert states == ["done", "-", "-", "-"]


def test_a_store_that_cannot_be_used_is_one_line(capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database " * 100)
    assert refusal(capsys, *sweep, "--store", "text").endswith("text' is not a store: file is not a database")
    filled(tmp_path / "future", number_trials(1))
    with sqlite3.connect(tmp_path / "future") as database:
        database.execute("PRAGMA user_version=9")
    database.close()
    for command in (sweep, ["runs"], ["runs", "merge", "text"], ["runs", "export", "rows.csv"], ["runs", "check"], ["runs", "show", "ab"]):
        line = refusal(capsys, *command, "--store", "future" if command[1:2] != ["merge"] else "new")
        assert "is a store of schema 9, expected 1" in line or "is not a store" in line
    assert "is a directory" in refusal(capsys, "runs", "--store", str(tmp_path))
    assert "no store at" in refusal(capsys, "runs", "remove", "ab")
    assert "no store at" in refusal(capsys, "runs", "merge", "nowhere")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells.json", "future", "text"]
    assert refusal(capsys, "runs", "--store", "x", "show", "ab").startswith("put options after show")
    filled(tmp_path / "good", number_trials(1))
    assert refusal(capsys, "runs", "--store", "good", "--state", "dead").startswith("unknown state 'dead'")
    assert refusal(capsys, "runs", "export", "rows.xls", "--store", "good").startswith("unknown format 'xls'")
    assert refusal(capsys, "runs", "show", "zz", "--store", "good").startswith("expected the first digits of a trial's key")


def test_a_damaged_store_is_refused_before_anything_runs(capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path) -> None:
    filled(tmp_path / "store", number_trials(1))
    with sqlite3.connect(tmp_path / "store") as database:
        database.execute("PRAGMA ignore_check_constraints=1")
        database.execute("UPDATE trials SET state = 'dope'")
    database.close()
    before = (tmp_path / "store").read_bytes()
    training = ["train", "dyck", "--length", "4", "--model", "lstm-1-8", "--out", "run"]
    for command in (sweep, training, ["runs", "merge", "store"], ["runs", "export", "rows.csv"]):
        line = refusal(capsys, *command, "--store", "store" if command[1] != "merge" else "new")
        assert "store' is damaged: CHECK constraint failed" in line
    assert (tmp_path / "store").read_bytes() == before
    assert not (tmp_path / "run").exists()


def test_engines_whose_package_is_missing_say_what_to_install(
    capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(sys.modules, "submitit", None)
    assert refusal(capsys, *sweep, "--engine", "ray") == "engine ray needs the package 'ray': pip install 'separatrix[ray]'"
    assert refusal(capsys, *sweep, "--engine", "slurm") == "engine slurm needs the package 'submitit': pip install 'separatrix[slurm]'"
    assert [path.name for path in tmp_path.iterdir()] == ["cells.json"]


def test_what_an_engine_prints_does_not_go_to_stdout(
    capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cells.json").write_text(json.dumps(number_cells(1)))
    submit = Local.submit

    def loud(self: Local, job: Job) -> None:
        print("a node has died")
        submit(self, job)

    monkeypatch.setattr(Local, "submit", loud)
    assert answer(capsys, *sweep)["done"] == 1


def test_training_into_a_store_that_cannot_be_used_is_refused_before_it_begins(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database " * 100)
    line = refusal(
        capsys, "train", "dyck", "--length", "4", "--model", "lstm-1-8", "--out", str(tmp_path / "run"), "--store", str(tmp_path / "text")
    )
    assert "is not a store" in line
    assert not (tmp_path / "run").exists()


def test_training_twice_is_stored_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = [
        "train",
        "dyck",
        "--length",
        "4",
        "--model",
        "lstm-1-8",
        "--steps",
        "2",
        "--set",
        "budget.test=10",
        "--store",
        str(tmp_path / "s"),
    ]
    rows = [answer(capsys, *arguments)["rows"] for _ in range(2)]
    assert rows[0] == rows[1]
    with read_store(tmp_path / "s") as store:
        (trial,) = listed(store)
    assert (trial["state"], trial["attempts"], trial["rows"], trial["engine"]) == ("done", 1, 1 + len(rows[0]), "train")


def test_a_sweep_begun_with_few_workers_is_finished_with_more(capsys: pytest.CaptureFixture[str], sweep: list[str], tmp_path: Path) -> None:
    (tmp_path / "cells.json").write_text(json.dumps(number_cells(4)))
    first = number_trials(4)[0].key
    answer(capsys, *sweep, "--cell", first, "--workers", "1", "--timeout", "0", "--memory", "2")
    assert answer(capsys, *sweep, "--workers", "3") == {"trials": 4, "done": 3, "failed": 0, "skipped": 1, "overnight": 0, "failures": []}
    require_done_once(tmp_path / "separatrix.sqlite", number_trials(4))
