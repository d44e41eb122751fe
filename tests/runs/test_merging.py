"""Merging: what was done on other machines comes here once; nothing is overwritten, nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from separatrix.checker.seal import sealed
from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.integrity import problems
from separatrix.runs.launcher_lock import alive
from separatrix.runs.merging import Merged, merge
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import open_store, read_store
from separatrix.runs.stored_certificates import add_certificates, certificates
from separatrix.runs.stored_trials import counts, rows_of, shown
from tests.runs.storing import claimed, filled, number_trials, outcome_of, require_done_once


def merged(into: Path, *others: Path) -> list[Merged]:
    with open_store(into) as store:
        return [merge(store, other) for other in others]


def test_three_machines_make_one_store(tmp_path: Path) -> None:
    trials = number_trials(9)
    for name, part in (("a", trials[:4]), ("b", trials[3:6]), ("c", trials[6:])):
        filled(tmp_path / name, part, machine=name)
    before = {name: (tmp_path / name).read_bytes() for name in "bc"}
    assert merged(tmp_path / "a", tmp_path / "b", tmp_path / "c") == [Merged(2, 1, (), 0, 0), Merged(3, 0, (), 0, 0)]
    require_done_once(tmp_path / "a", trials)
    assert merged(tmp_path / "a", tmp_path / "b", tmp_path / "c") == [Merged(0, 3, (), 0, 0), Merged(0, 3, (), 0, 0)]
    require_done_once(tmp_path / "a", trials)
    assert {name: (tmp_path / name).read_bytes() for name in "bc"} == before
    with read_store(tmp_path / "a") as store:
        assert shown(store, trials[8].key)["attempts"][0]["launcher"] == "c"


def test_what_waits_there_waits_here_and_what_failed_here_is_taken(tmp_path: Path) -> None:
    trials = number_trials(3)
    filled(tmp_path / "there", trials[:1])
    with open_store(tmp_path / "there") as store:
        claims.add(store, trials)
    with open_store(tmp_path / "here") as store:
        (claim,) = claimed(store, trials[:1], "gone", 1)
        claims.fail(store, claim, Outcome(claim.key, "failed", reason="no luck"), again=False)
    assert merged(tmp_path / "here", tmp_path / "there") == [Merged(1, 0, (), 2, 0)]
    with read_store(tmp_path / "here") as store:
        assert counts(store) == {"waiting": 2, "running": 0, "done": 1, "failed": 0, "cancelled": 0}
        assert problems(store) == []


def test_rows_that_differ_are_named_and_ours_stay(tmp_path: Path) -> None:
    (trial,) = number_trials(1)
    filled(tmp_path / "here", [trial])
    with open_store(tmp_path / "there") as store:
        (claim,) = claimed(store, [trial], "there", 1)
        claims.finish(store, claim, Outcome(trial.key, "done", rows=({"number": 0.30000000000000004},)))
    assert merged(tmp_path / "here", tmp_path / "there") == [Merged(0, 0, (trial.key,), 0, 0)]
    require_done_once(tmp_path / "here", [trial])


def test_a_trial_that_runs_here_is_waited_for_and_that_of_a_dead_launcher_is_not(tmp_path: Path) -> None:
    trials = number_trials(2)
    filled(tmp_path / "there", trials)
    with open_store(tmp_path / "here") as store:
        with alive(store.path, "me"):
            (claim, *_) = claimed(store, trials, "me", 1)
            with pytest.raises(BadInput, match=f"trial {claim.key[:12]} is running here and done there"):
                merge(store, tmp_path / "there")
            assert counts(store) == {"waiting": 1, "running": 1, "done": 0, "failed": 0, "cancelled": 0}  # nothing of it
        assert merge(store, tmp_path / "there").added == 2
        assert not claims.finish(store, claim, outcome_of(claim.trial))
    require_done_once(tmp_path / "here", trials)


def test_certificates_come_once(tmp_path: Path) -> None:
    documents = [sealed({"kind": "construction", "N": n}) for n in range(3)]
    for name, part in (("here", documents[:2]), ("there", documents[1:])):
        with open_store(tmp_path / name) as store:
            add_certificates(store, part)
    assert merged(tmp_path / "here", tmp_path / "there") == [Merged(0, 0, (), 0, 1)]
    with read_store(tmp_path / "here") as store:
        assert certificates(store) == documents


@pytest.mark.parametrize("damaged", ["here", "there"])
def test_a_damaged_store_is_neither_merged_nor_merged_into(tmp_path: Path, damaged: str) -> None:
    filled(tmp_path / "here", number_trials(1))
    filled(tmp_path / "there", number_trials(3))
    with sqlite3.connect(tmp_path / damaged) as database:
        database.execute("UPDATE rows SET document = ? WHERE number = 1", (json.dumps({}),))
    database.close()
    before: dict[str, Any] = {name: (tmp_path / name).read_bytes() for name in ("here", "there")}
    with pytest.raises(BadInput, match=f"{damaged}' is damaged: trial .*: row 1 does not match its checksum"):
        merged(tmp_path / "here", tmp_path / "there")
    assert {name: (tmp_path / name).read_bytes() for name in ("here", "there")} == before


def test_a_store_is_not_merged_into_itself_nor_with_nothing(tmp_path: Path) -> None:
    filled(tmp_path / "here", number_trials(1))
    (tmp_path / "link").symlink_to(tmp_path / "here")
    with pytest.raises(BadInput, match="link' cannot be merged into itself"):
        merged(tmp_path / "here", tmp_path / "link")
    with pytest.raises(BadInput, match=r"no store at '.*nowhere'"):
        merged(tmp_path / "here", tmp_path / "nowhere")
    with read_store(tmp_path / "here") as store:
        assert len(list(rows_of(store, number_trials(1)[0].key))) == 2
