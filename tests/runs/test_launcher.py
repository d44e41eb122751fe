"""The launcher on this machine: trials that behave, and trials that do not."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.runs import claims, launcher
from separatrix.runs.engines import ENGINES, Job, make_engine
from separatrix.runs.engines.child import Child
from separatrix.runs.engines.local import Local
from separatrix.runs.launcher import Counts, Launch, Limits, launch
from separatrix.runs.launcher_lock import alive, folder_of
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import open_store, read_store
from separatrix.runs.stored_trials import cancel, counts, remove, rows_of, seconds_of, shown
from separatrix.runs.trial import Trial, make_trial
from tests.runs.kinds_for_tests import DIARY, EVERY, place
from tests.runs.kinds_for_tests import rows_of as expected_rows
from tests.runs.storing import claimed, number_trials, outcome_of, require_done_once


def launched(
    path: Path, trials: list[Trial], limits: Limits | None = None, report: Callable[[Counts], None] | None = None, **changed: Any
) -> Counts:
    """One launch, with two workers."""
    with open_store(path) as store:
        plan = Launch(
            store, Local(2), "local", path.with_name("work"), limits or Limits(timeout=60), EVERY, report=report or (lambda _: None)
        )
        return launch(replace(plan, **changed), trials)


def of_kind(name: str, **fields: Any) -> Trial:
    return make_trial({"kind": place(name), "number": 1, "rows": 2, **fields}, EVERY)


def last_attempt(path: Path, trial: Trial) -> dict[str, Any]:
    with read_store(path) as store:
        attempt: dict[str, Any] = shown(store, trial.key)["attempts"][-1]
        return attempt


def gone(pid: int) -> bool:
    """Whether a process has ended; one that waits to be reaped has."""
    for _ in range(600):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            if not Path("/proc/self").exists():
                try:
                    os.kill(pid, 0)
                except ProcessLookupError:
                    return True
            else:
                return True
        time.sleep(0.05)
    return False


def test_every_trial_is_done_once_and_a_relaunch_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DIARY, str(tmp_path / "diary"))
    trials, reports = number_trials(5), list[Counts]()
    counted = launched(tmp_path / "store", trials, report=reports.append)
    assert (counted.trials, counted.done, counted.failed, counted.skipped, counted.left) == (5, 5, 0, 0, 0)
    assert max(counts.running for counts in reports) == 2
    assert reports[-1].seconds_left() == 0
    assert require_done_once(tmp_path / "store", trials) == dict.fromkeys((trial.key for trial in trials), 1)
    again = launched(tmp_path / "store", number_trials(7))
    assert (again.trials, again.done, again.skipped) == (7, 2, 5)
    assert len((tmp_path / "diary").read_text().splitlines()) == 7
    assert list((tmp_path / "work").iterdir()) == []
    assert not folder_of(tmp_path / "store").exists()


def test_one_store_can_be_launched_on_twice(tmp_path: Path) -> None:
    trials = number_trials(2)
    with open_store(tmp_path / "store") as store:
        for some in (trials[:1], trials):
            launch(Launch(store, Local(1), "local", tmp_path / "work", Limits(), EVERY), some)
    require_done_once(tmp_path / "store", trials)


def test_a_trial_that_is_asked_for_twice_runs_once(tmp_path: Path) -> None:
    trials = number_trials(2)
    assert launched(tmp_path / "store", [*trials, trials[0]]).trials == 2
    require_done_once(tmp_path / "store", trials)


BAD = {  # kind -> what the reason says, attempts, what the log says
    "RAISES": (r"^ZeroDivisionError: one word and another \(kinds_for_tests.py:\d+\)$", 2, "Traceback (most recent call last)"),
    "REFUSES": (r"^width 65 is not divisible by heads 4$", 1, None),
    "LEAVES": (r"^SystemExit: 3 \(kinds_for_tests.py:\d+\)$", 2, "SystemExit: 3"),
    "VANISHES": (r"^ended with exit code 7 and no result; last output: 'my last words'$", 2, "my last words"),
    "KILLED": (r"^killed by signal 9 \(Killed\)$", 2, None),
    "NONSENSE": (r"^TypeError: row 1 is not plain JSON: Out of range float values are not JSON compliant", 2, "TypeError"),
    "MEMORY": (r"^out of memory with 512 MiB allowed: MemoryError \(kinds_for_tests.py:\d+\)$", 2, "MemoryError"),
}


def test_the_reason_of_every_failure_is_readable_and_the_others_are_done(tmp_path: Path) -> None:
    bad = {name: of_kind(name) for name in BAD}
    good = number_trials(2)
    counted = launched(tmp_path / "store", [*bad.values(), *good], Limits(timeout=60, memory=512 << 20))
    assert (counted.done, counted.failed, counted.skipped) == (2, len(BAD), 0)
    assert [key for key, _ in counted.failures] == [trial.key for trial in bad.values()]
    for name, trial in bad.items():
        reason, attempts, log = BAD[name]
        attempt = last_attempt(tmp_path / "store", trial)
        assert attempt["number"] == attempts, name
        assert attempt["outcome"] == "failed"
        assert re.search(reason, attempt["reason"]), attempt["reason"]
        assert log is None or log in attempt["log"]
    for trial in good:
        with read_store(tmp_path / "store") as store:
            assert list(rows_of(store, trial.key)) == expected_rows(trial.configuration)


def test_garbage_on_both_streams_is_not_a_result_and_harms_nothing(tmp_path: Path) -> None:
    trial = of_kind("GARBAGE")
    assert launched(tmp_path / "store", [trial]).done == 1
    require_done_once(tmp_path / "store", [trial])


def test_a_trial_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    trial = of_kind("HANGS")
    child = Child(Job(trial.key, trial.text, trial.code, EVERY, str(tmp_path), timeout=None))
    try:
        deadline = time.monotonic() + 300
        while not ((tmp_path / "companion").exists() and (tmp_path / "companion").read_text()):
            assert child.process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        child.job = replace(child.job, timeout=0.25)
        time.sleep(0.3)
        outcome = child.outcome()
    finally:
        child.end()
    assert outcome is not None
    assert (outcome.end, outcome.reason) == ("failed", "no result after 0.25 s, the time limit")
    assert gone(int((tmp_path / "companion").read_text()))


def test_the_time_limit_of_a_launch_ends_a_trial_that_hangs_and_no_other(tmp_path: Path) -> None:
    counted = launched(tmp_path / "store", [of_kind("HANGS")], Limits(timeout=1.5, retries=1))
    assert (counted.failed, [reason for _, reason in counted.failures]) == (1, ["no result after 1.5 s, the time limit"])
    assert last_attempt(tmp_path / "store", of_kind("HANGS"))["number"] == 2
    assert launched(tmp_path / "store", number_trials(2)).done == 2


def test_a_second_attempt_finds_what_the_first_one_left(tmp_path: Path) -> None:
    trial = of_kind("FAILS_ONCE")
    assert launched(tmp_path / "store", [trial]).done == 1
    assert require_done_once(tmp_path / "store", [trial]) == {trial.key: 2}


def test_failed_trials_are_tried_again_by_the_next_launch_and_cancelled_ones_are_not(tmp_path: Path) -> None:
    failing, other = of_kind("RAISES"), number_trials(1)[0]
    assert launched(tmp_path / "store", [failing], Limits(retries=0)).failed == 1
    assert launched(tmp_path / "store", [failing, other], Limits(retries=0)).failed == 1
    assert last_attempt(tmp_path / "store", failing)["number"] == 2
    with open_store(tmp_path / "store") as store:
        cancel(store, [failing.key])
    counted = launched(tmp_path / "store", [failing, other])
    assert (counted.done, counted.failed, counted.skipped) == (0, 0, 2)


def test_folders_of_trials_that_are_done_are_kept_on_demand(tmp_path: Path) -> None:
    trials = number_trials(2)
    launched(tmp_path / "store", trials, keep=True)
    assert {path.name for path in (tmp_path / "work").iterdir()} == {trial.key for trial in trials}
    launched(tmp_path / "store", trials)  # as after a kill between the commit and the clean-up
    assert list((tmp_path / "work").iterdir()) == []


class Scripted:
    """An engine that does what a test says."""

    def __init__(self, slots: int = 9) -> None:
        self.slots, self.jobs, self.outcomes, self.stopped, self.closed = slots, list[Job](), list[Outcome](), list[str](), False
        self.deadline = time.monotonic() + 60

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def ended(self, wait: float) -> list[Outcome]:
        assert time.monotonic() < self.deadline
        time.sleep(min(wait, 0.01))
        outcomes, self.outcomes = self.outcomes, []
        return outcomes

    def stop(self, key: str) -> None:
        self.stopped.append(key)

    def close(self) -> None:
        self.closed = True


def test_a_trial_that_is_cancelled_or_removed_while_it_runs_is_stopped(tmp_path: Path) -> None:
    trials, engine = number_trials(3), Scripted()

    def report(counted: Counts) -> None:
        if counted.running == 3 and not engine.stopped:
            with open_store(tmp_path / "store") as other:
                cancel(other, [trials[0].key, trials[1].key])
                remove(other, [trials[1].key])
        if engine.stopped:
            engine.outcomes = [outcome_of(trials[2])]

    counted = launched(tmp_path / "store", trials, report=report, engine=engine, beat=0.0)
    assert sorted(engine.stopped) == sorted([trials[0].key, trials[1].key])
    assert (counted.done, counted.skipped, counted.left) == (1, 2, 0)
    assert engine.closed


def test_what_was_taken_over_meanwhile_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A launcher that slept too long comes back with rows; another one has done the trial, with the same rows."""
    monkeypatch.setattr(launcher, "LOOK", 0.01)
    trials, engine = number_trials(1), Scripted()

    def report(counted: Counts) -> None:
        if counted.running:
            with open_store(tmp_path / "store") as other:
                claims.release_gone(other, lease=-1)
                (claim,) = claimed(other, trials, "second", 1) or (None,)
                if claim is not None:
                    claims.finish(other, claim, outcome_of(claim.trial))
            engine.outcomes = [outcome_of(trials[0])]

    counted = launched(tmp_path / "store", trials, report=report, engine=engine)
    assert (counted.done, counted.skipped) == (0, 1)
    assert require_done_once(tmp_path / "store", trials) == {trials[0].key: 2}


def test_a_launcher_waits_for_what_another_one_runs_and_takes_over_from_the_dead(tmp_path: Path) -> None:
    trials = number_trials(3)
    with open_store(tmp_path / "store") as store:
        with alive(store.path, "other"):
            (claim, *_) = claimed(store, trials, "other", 2)
            ends: list[Counts] = []
            waiting = threading.Thread(target=lambda: ends.append(launched(tmp_path / "store", trials, beat=0.1)))
            waiting.start()
            while counts(store)["done"] < 1:
                time.sleep(0.01)
            claims.finish(store, claim, outcome_of(claim.trial))
            time.sleep(1)
            assert not ends  # the other one holds a trial and lives
        waiting.join(30)
    assert (ends[0].done, ends[0].skipped) == (2, 1)
    require_done_once(tmp_path / "store", trials)


def test_a_launcher_with_room_takes_over_while_its_own_trials_run(tmp_path: Path) -> None:
    trials, engine = number_trials(2), Scripted()
    with open_store(tmp_path / "store") as store, ExitStack() as life:
        life.enter_context(alive(store.path, "other"))
        claimed(store, trials, "other", 1)

        def report(counted: Counts) -> None:
            if counted.running == 1 and not counted.done:
                life.close()  # the other one dies
            if counted.running == 2:
                engine.outcomes = [outcome_of(trial) for trial in trials]

        counted = launched(tmp_path / "store", trials, report=report, engine=engine, beat=0.0)
    assert [job.key for job in engine.jobs] == [trials[1].key, trials[0].key]
    assert counted.done == 2


def test_stopping_a_launch_gives_its_claims_back_and_kills_its_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DIARY, str(tmp_path / "diary"))
    trials = number_trials(3, seconds=60)

    def report(_: Counts) -> None:
        if (tmp_path / "diary").exists() and len((tmp_path / "diary").read_text().splitlines()) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        launched(tmp_path / "store", trials, report=report)
    assert all(gone(int(line.split()[1])) for line in (tmp_path / "diary").read_text().splitlines())
    with read_store(tmp_path / "store") as store:
        assert counts(store) == {"waiting": 3, "running": 0, "done": 0, "failed": 0, "cancelled": 0}
        assert shown(store, trials[0].key)["attempts"][0]["outcome"] == "interrupted"


def test_a_node_with_other_code_refuses_the_trial(tmp_path: Path) -> None:
    (trial,) = number_trials(1)
    engine = Local(1)
    try:
        engine.submit(Job(trial.key, trial.text, "0" * 64, EVERY, str(tmp_path / "work")))
        (outcome,) = engine.ended(60)
        engine.submit(Job(trial.key, trial.text, trial.code, (), str(tmp_path / "work")))
        (unnamed,) = engine.ended(60)
    finally:
        engine.close()
    assert outcome.end == "refused"
    assert "has a different version of the code" in str(outcome.reason)
    assert unnamed.end == "refused"
    assert "to allow it" in str(unnamed.reason)


def test_a_folder_has_one_worker_at_a_time(tmp_path: Path) -> None:
    """The worker of a launcher that was killed may still be there for a moment."""
    trial, engine = of_kind("ALONE"), Local(2)
    try:
        for key in "ab":
            engine.submit(Job(key, trial.text, trial.code, EVERY, str(tmp_path / "work")))
        outcomes = engine.ended(60)
        outcomes += engine.ended(60) if len(outcomes) < 2 else []
    finally:
        engine.close()
    assert [outcome.end for outcome in outcomes] == ["done", "done"], outcomes


def test_engines_have_names_and_parameters(tmp_path: Path) -> None:
    assert set(ENGINES) == {"local", "ray", "slurm"}
    assert make_engine("local", {"workers": "3"}, tmp_path).slots == 3
    assert make_engine("local", {}, tmp_path).slots >= 1
    for name, chosen, says in [
        ("locl", {}, r"unknown engine 'locl': expected one of local, ray, slurm; did you mean 'local'"),
        ("local", {"workers": "-1"}, r"workers of engine local: expected at least 1, or 0 for every core, found -1"),
        ("local", {"address": "here:1"}, r"engine local has no parameter 'address': expected one of workers"),
    ]:
        with pytest.raises(BadInput, match=says):
            make_engine(name, chosen, tmp_path)


def test_the_seconds_of_a_trial_are_those_of_the_processor(tmp_path: Path) -> None:
    """A worker that waits, as one does on a busy machine, has used no core."""
    trials = number_trials(1, seconds=2)
    launched(tmp_path / "store", trials)
    with read_store(tmp_path / "store") as store:
        assert 0 < seconds_of(store, trials[0].key) < 1.5
