"""Noise on the weights of every construction, and training from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.constructions import CONSTRUCTIONS
from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.launcher_lock import alive
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import open_store
from separatrix.runs.trial import make_trial
from separatrix.studies import study
from separatrix.studies.cells import study_cells
from separatrix.studies.noise_by_construction import BUDGET, CELLS, DEVIATIONS, cells, figure, rows
from separatrix.studies.stored import shipped_results
from separatrix.studies.study import Row
from tests.cli.calling import answer
from tests.runs.storing import claimed

END = BUDGET.steps


@pytest.fixture(scope="module")
def shipped() -> dict[tuple[str, float], Row]:
    return {(row["construction"], row["deviation"]): row for row in rows(shipped_results(study("noise-by-construction")))}


def point(deviation: float, rate: float, step: int, validated: float, tested: float) -> Row:
    about = {"kind": "recovery", "trained_on": "output bits", "deviation": deviation, "rate": rate, "step": step, "error": 0.25}
    return {**about, "accuracy": validated, "tested": tested}


def results(*of_first: Row) -> list[Any]:
    return [{"rows": list(of_first)}, *[None] * (len(CELLS) - 1)]


def test_every_construction_is_disturbed() -> None:
    assert [cell["run"]["model"] for cell in CELLS] == list(CONSTRUCTIONS)
    assert all(tuple(cell["run"]["deviations"]) == DEVIATIONS for cell in CELLS)
    assert len({make_trial(cell).key for cell in cells("smoke")}) == len(CONSTRUCTIONS)
    with pytest.raises(BadInput, match="study noise-by-construction has no cells at scale paper"):
        study_cells("noise-by-construction", "paper")


def test_the_rate_is_chosen_on_validation_and_other_inputs_are_reported() -> None:
    least = DEVIATIONS[0]
    found = rows(
        results(
            point(least, 0.1, 0, 0.5, 0.41),
            point(least, 0.1, END, 0.7, 0.99),
            point(least, 0.01, 0, 0.5, 0.41),
            point(least, 0.01, END, 0.9, 0.81),
        )
    )
    assert (found[0]["rate"], found[0]["accuracy"], found[0]["accuracy_after"], found[0]["status"]) == (0.01, 41.0, 81.0, "run")
    assert found[2]["status"] == "not run"
    drawn = figure(found)["concat"]
    assert [(mark["after"], mark["accuracy"]) for mark in drawn[0]["data"]["values"]] == [
        ("with noise", 41.0),
        (f"after {END} steps", 81.0),
    ]
    assert len(drawn) == 1  # nothing was run with the other noise


def test_one_rate_that_diverges_leaves_the_other_and_two_leave_the_reason() -> None:
    least = DEVIATIONS[0]
    start, refusal = point(least, 0.1, 0, 0.5, 0.5), {"kind": "refusal", "trained_on": "output bits", "deviation": least, "reason": "inf"}
    one, two = (rows(results(start, refusal, *more))[0] for more in ([point(least, 0.01, END, 1.0, 1.0)], [refusal]))
    assert (one["status"], one["accuracy_after"]) == ("run", 100.0)
    assert (two["status"], two["accuracy"], two["accuracy_after"]) == ("not trained: inf", 50.0, None)


def test_without_runs_nothing_is_claimed() -> None:
    found = rows([None] * len(CELLS))
    assert {row["status"] for row in found} == {"not run"}
    assert figure(found)["concat"][0]["encoding"]["text"]["value"] == "nothing has been run yet"


def test_rows_come_from_a_store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store, out = tmp_path / "store.sqlite", tmp_path / "rows.jsonl"
    trials = [make_trial(cell) for cell in cells("laptop")[:1]]
    done = tuple({"schema": "separatrix/row", "version": 1, **point(DEVIATIONS[0], 0.1, step, 1.0, 1.0)} for step in (0, END))
    with open_store(store) as opened, alive(opened.path, "here"):
        for claim in claimed(opened, trials, "here", 1):
            assert claims.finish(opened, claim, Outcome(claim.trial.key, "done", rows=done, seconds=3.2, machine="here"))
    shown = answer(capsys, "study", "noise-by-construction", "--store", str(store), "--out", str(out))["rows"]
    assert 100.0 in [row["accuracy_after"] for row in shown if row["status"] == "run"]
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert (CELLS[0]["run"], 3, 2) in [(one["run"], one["seconds"], len(one["rows"])) for one in written]


def test_what_was_run(shipped: dict[tuple[str, float], Row]) -> None:
    """What needs no measurement: arithmetic that rounds and one-hot addresses cannot be trained; everything else was, but some weights of
    named architectures, which are younger than the runs."""
    named = (
        "deltanet",
        "gated-deltanet",
        "mamba",
        "mamba2",
        "lstm",
        "gru",
        "elman",
        "linear-attention",
        "rank-one",
        "pd",
        "one-symmetric-layer",
        "hybrid-mamba2",
        "hybrid-gated-deltanet",
        "deltaproduct",
        "selective-rnn-positive",
        "selective-rnn",
        "linear-rnn",
        "retnet",
        "hybrid-pd",
        "deltanet-negative",
        "turning",
        "one-layer",
        "hybrid-deltanet",
        "hybrid-linear-rnn",
        "hard-attention",
    )
    unrun = {row["construction"] for row in shipped.values() if row["status"] == "not run"}
    assert {name.split("/")[-1].removesuffix("-2-64") for name in unrun} <= {*named}
    for (name, _), row in shipped.items():
        if row["accuracy"] is None and row["status"] != "not run":
            assert "native float" in row["status"] or "one-hot" in row["status"], name
    assert shipped["index-lookup", DEVIATIONS[0]]["accuracy_after"] == 100.0
    assert shipped["parity/recurrent", DEVIATIONS[0]]["status"] == "not trained: training needs a native float, found a model in fixed:2,0"
