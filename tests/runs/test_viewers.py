"""A viewer gets a copy of every trial that is done: configuration, and numbers by step."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.exports import publish, series
from separatrix.runs.store import open_store, read_store
from tests.runs.optional import TRACKIO
from tests.runs.storing import filled, number_trials

TRIALS = number_trials(2)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two finished trials, and one that waits."""
    filled(tmp_path / "store", TRIALS)
    with open_store(tmp_path / "store") as opened:
        claims.add(opened, number_trials(3))
    return tmp_path / "store"


def test_a_run_for_every_trial_that_is_done(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    viewer = types.SimpleNamespace(
        init=lambda **sent: calls.append(("init", sent["project"], sent["name"], sent["config"]["number"])),
        log=lambda numbers, step: calls.append(("log", numbers, step)),
        finish=lambda: calls.append(("finish",)),
    )
    monkeypatch.setitem(sys.modules, "trackio", viewer)  # type: ignore[arg-type]
    with read_store(store) as opened:
        assert publish(opened, "mine") == 2
    assert calls[:4] == [
        ("init", "mine", TRIALS[0].key[:12], 0), ("log", {"number": 0, "row": 0, "square": 0}, 0),
        ("log", {"number": 0, "row": 1, "square": 1}, 1), ("finish",),
    ]  # fmt: skip
    assert len(calls) == 4 + 5


def test_series_have_the_kind_of_their_row_in_front() -> None:
    row = {
        "schema": "separatrix/row",
        "version": 1,
        "step": 20,
        "kind": "test",
        "accuracy": 0.5,
        "greedy": None,
        "asked": [[1, 2, 2]],
        "ok": True,
    }
    assert series(row) == {"test.accuracy": 0.5}


def test_without_trackio_one_line_says_what_to_install(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trackio", None)
    says = r"publishing to a viewer needs the package 'trackio': pip install 'separatrix\[trackio\]'"
    with read_store(store) as opened, pytest.raises(BadInput, match=says):
        publish(opened, "mine")


@TRACKIO.required
def test_trackio_itself_takes_the_rows(store: Path, tmp_path: Path) -> None:
    """In a process of its own: trackio chooses its folder when it is imported, and starts threads."""
    environment = {**os.environ, "TRACKIO_DIR": str(tmp_path / "viewer"), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "separatrix", "runs", "publish", "mine", "--store", str(store), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, '{"published": 2, "project": "mine"}\n'), done.stderr
    database = sqlite3.connect(tmp_path / "viewer" / "mine.db")
    names = {name for (name,) in database.execute("SELECT DISTINCT run_name FROM metrics")}
    count = database.execute("SELECT count(*) FROM metrics").fetchone()[0]
    database.close()
    assert names == {trial.key[:12] for trial in TRIALS}
    assert count == 2 + 3
