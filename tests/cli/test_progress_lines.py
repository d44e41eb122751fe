"""Progress: nothing at first, then a line now and then where there is no terminal; silence is spoken for."""

from __future__ import annotations

import time

import pytest

from separatrix.cli import progress_lines as of_progress
from separatrix.cli.progress_lines import Progress


def test_a_pipe_gets_no_line_at_first_and_then_one_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    for clock in ("monotonic", "process_time"):
        monkeypatch.setattr(of_progress.time, clock, lambda: now[0])
    progress = Progress()
    progress.start()
    for seconds in (1, 3, 4, 24, 25):
        now[0] = 100.0 + seconds
        progress(f"at {seconds}")
    progress("")
    assert capsys.readouterr().err.splitlines() == ["at 3", "at 24"]


def test_a_command_that_computes_in_silence_is_spoken_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(of_progress, "SILENT", 0.0)
    monkeypatch.setattr(of_progress, "SOON", 0.0)
    with Progress().spoken_for("sample"):
        time.sleep(1.3)
    assert capsys.readouterr().err.startswith("separatrix sample: working for 1 s")


def test_a_command_that_speaks_or_is_quick_is_left_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with Progress().spoken_for("sample"):  # five seconds of computing, not of waiting
        time.sleep(1.2)
    monkeypatch.setattr(of_progress, "SILENT", 0.0)
    progress = Progress()
    with progress.spoken_for("train"):
        progress.done("step 1")
        time.sleep(1.2)
    assert capsys.readouterr().err == "step 1\n"


def test_a_terminal_is_told_after_two_seconds_and_a_pipe_after_five(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Progress().patience == 5.0
    monkeypatch.setattr(of_progress.sys.stderr, "isatty", lambda: True)
    assert Progress().patience == 2.0
