"""The kind of trial that disturbs a construction and trains it: what it returns, and what it refuses to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.runs.kinds import find_kind
from separatrix.runs.kinds.recover import attempts, recover, recover_trial
from separatrix.runs.trial import make_trial
from separatrix.training.budget import Budget

FEW = Budget(steps=3, batch=8, report_every=3, validation=10)


def trial(name: str, **settings: Any) -> dict[str, Any]:
    return recover_trial(name, settings, (0.001, 0.01), (0.1,), FEW, seed=0)


def test_a_deviation_has_a_row_with_noise_and_one_after_training() -> None:
    rows = recover(trial("index-lookup", length=4, symbols=3), Path(), ()).rows
    assert [(row["kind"], row["deviation"], row["rate"], row["step"]) for row in rows] == [
        ("recovery", 0.001, 0.0001, 0),
        ("recovery", 0.001, 0.0001, 3),
        ("recovery", 0.01, 0.001, 0),
        ("recovery", 0.01, 0.001, 3),
    ]
    assert {row["trained_on"] for row in rows} == {"output bits"}
    assert 0 < 10 * rows[0]["error"] < rows[2]["error"]
    assert [row["tested"] for row in rows] == [1.0] * 4


def test_every_rate_is_tried_from_the_same_noise() -> None:
    of_two = recover(recover_trial("index-lookup", {"length": 4}, (0.1,), (0.1, 0.01), FEW, 0), Path(), ()).rows
    assert [row["rate"] for row in of_two] == [0.01, 0.01, 0.001, 0.001]
    first, quick, again, slow = (row["error"] for row in of_two)
    assert first == again
    assert quick != slow


def test_what_cannot_be_trained_says_why_and_the_rest_is_kept() -> None:
    rows = recover(trial("parity/recurrent", length=10), Path(), ()).rows
    assert [row["kind"] for row in rows] == ["refusal", "refusal"]
    assert rows[0]["reason"] == "training needs a native float, found a model in fixed:2,0"
    first, last = attempts(build("is-tree/transformer", length=4), 1.0, 0.1, FEW, 0)  # products of products of noise
    assert (first["kind"], first["step"], first["accuracy"]) == ("recovery", 0, 0.0)
    assert last["kind"] == "refusal"
    assert "training stops" in last["reason"]


def test_a_trial_of_a_file_builds_our_own_constructions_only(tmp_path: Path) -> None:
    """No file can name code to run."""
    (tmp_path / "mine.py").write_text("raise SystemExit('code was run')")
    forged = trial("index-lookup", length=4)
    forged["run"]["model"] = f"{tmp_path / 'mine.py'}:build"
    with pytest.raises(BadInput, match="builds one of our own constructions"):
        recover(forged, Path(), ())


@pytest.mark.parametrize("change", [{"schema": "separatrix/run"}, {"version": 2}, {"more": 1}])
def test_another_description_is_refused(change: dict[str, Any]) -> None:
    forged = trial("index-lookup", length=4)
    forged["run"] |= change
    with pytest.raises(BadInput, match='a trial of kind recover needs a field "run" of schema separatrix/recovery version 1'):
        recover(forged, Path(), ())
    with pytest.raises(BadInput, match="a trial of kind recover needs"):
        recover({"kind": "recover"}, Path(), ())


def test_code_of_constructions_counts() -> None:
    """A trial is another one when a construction changes."""
    assert set(find_kind("recover").rooms) == {"arithmetic", "models", "tasks", "training", "certificates", "constructions"}
    assert make_trial(trial("index-lookup", length=4)).key != make_trial(trial("index-lookup", length=5)).key
