"""Stores for tests: trials of the kind NUMBERS, and what a test asks of a store afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.claims import Claim
from separatrix.runs.integrity import problems
from separatrix.runs.launcher_lock import alive
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import Store, open_store, read_store
from separatrix.runs.stored_trials import listed
from separatrix.runs.trial import Trial, make_trial
from tests.runs.kinds_for_tests import EVERY, place, rows_of


def number_cells(count: int, rows: int = 2, seconds: float = 0, kind: str = "NUMBERS") -> list[dict[str, Any]]:
    """Configurations that differ in their number."""
    return [{"kind": place(kind), "number": number, "rows": rows + number % 3, "seconds": seconds} for number in range(count)]


def number_trials(count: int, **changed: Any) -> list[Trial]:
    """The trials of `number_cells`."""
    return [make_trial(cell, EVERY) for cell in number_cells(count, **changed)]


def outcome_of(trial: Trial) -> Outcome:
    """What a worker would hand back."""
    return Outcome(trial.key, "done", rows=tuple(rows_of(trial.configuration)), seconds=1.5, machine="here")


def claimed(store: Store, trials: list[Trial], launcher: str, count: int) -> list[Claim]:
    """Claims of a launcher that wants these trials."""
    claims.add(store, trials)
    claims.set_targets(store, [trial.key for trial in trials])
    return claims.claim(store, launcher, "local", count)


def filled(path: Path, trials: list[Trial], machine: str = "here") -> None:
    """A store in which all these trials are done."""
    with open_store(path) as store, alive(store.path, machine):
        for claim in claimed(store, trials, machine, len(trials)):
            assert claims.finish(store, claim, outcome_of(claim.trial))


def done_trials(path: Path) -> dict[str, int]:
    """The finished trials, with their attempts; none where there is no store yet, or one that was killed as it was made."""
    try:
        with read_store(path) as store:
            return {trial["key"]: trial["attempts"] for trial in listed(store, "done")}
    except BadInput as error:
        if "no store at" not in str(error) and "is empty: a sweep is just starting" not in str(error):
            raise
        return {}


def require_done_once(path: Path, trials: list[Trial]) -> dict[str, int]:
    """Every trial is done exactly once, with its own rows, and the store is whole. The number of attempts by key."""
    with read_store(path) as store, store.reading() as database:
        states = dict(database.execute("SELECT key, state FROM trials").fetchall())
        well = database.execute("SELECT trial, count(*) FROM attempts WHERE outcome = 'done' GROUP BY trial").fetchall()
        attempts = dict(database.execute("SELECT trial, count(*) FROM attempts GROUP BY trial").fetchall())
        rows: dict[str, list[Any]] = {}
        for key, document in database.execute("SELECT trial, document FROM rows ORDER BY trial, number"):
            rows.setdefault(key, []).append(json.loads(document))
    assert states == {trial.key: "done" for trial in trials}
    assert dict(well) == {trial.key: 1 for trial in trials}
    assert {trial.key: rows.get(trial.key, []) for trial in trials} == {trial.key: rows_of(trial.configuration) for trial in trials}
    assert rows.keys() <= states.keys()
    with read_store(path) as store:
        assert problems(store) == []
    return attempts
