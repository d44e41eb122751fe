"""Studies that compare runs, as data: each run has its row, its price and its panel."""

from __future__ import annotations

from typing import Any

from separatrix.runs.spec import read_spec
from separatrix.studies.learned import TrainingRun
from separatrix.studies.trained_cells import NamedRun, Panel, TrainedCells
from separatrix.training.budget import Budget

RUNS = tuple(
    NamedRun(
        {"series": model, "width": width}, TrainingRun("dyck", 8, f"{model}-{width}", Budget(steps=50)), width / 100, smoke=4 * (width == 4)
    )
    for model in ("lstm-1", "gru-1")
    for width in (4, 8)
)
STUDY = TrainedCells("Two cells", RUNS, (Panel("All", ("width", "width")), Panel("LSTM", ("width", "width"), (("series", "lstm-1"),))))


def result(accuracy: float) -> dict[str, Any]:
    test = {"step": 10, "examples": 100, "accuracy": accuracy, "asked": []}
    return {"parameters": 5, "state_bits": 64, "seconds": 360, "validations": [[10, accuracy]], "test": test}


def test_every_run_is_a_cell_with_a_price_and_a_smoke_run_is_small_and_at_its_own_length() -> None:
    assert [cell["run"] for cell in STUDY.data] == [one.run.spec.document() for one in RUNS]
    assert list(STUDY.hours.values()) == [0.04, 0.08, 0.04, 0.08]
    smoke = [read_spec(trial["run"]) for trial in STUDY.cells("smoke")]
    assert [(spec.model, spec.task_parameters["length"], spec.budget.steps) for spec in smoke] == [("lstm-1-4", 4, 20), ("gru-1-4", 4, 20)]
    assert len(STUDY.cells("laptop")) == 4
    assert STUDY.cells("paper") == []


def test_rows_keep_the_names_of_their_runs_and_say_what_was_not_run() -> None:
    rows = STUDY.rows([result(0.5), None, None, result(0.75)])
    assert [(row["series"], row["width"], row["accuracy"], row["status"]) for row in rows] == [
        ("lstm-1", 4, 50.0, "run"),
        ("lstm-1", 8, None, "not run (overnight)"),
        ("gru-1", 4, None, "not run"),
        ("gru-1", 8, 75.0, "run"),
    ]


def test_a_panel_draws_the_rows_that_it_asks_for() -> None:
    every, lstm = STUDY.figure(STUDY.rows([result(0.5), None, None, result(0.75)]))["concat"]
    assert [row["series"] for row in every["data"]["values"]] == ["lstm-1", "gru-1"]
    assert [row["series"] for row in lstm["data"]["values"]] == ["lstm-1"]
    assert lstm["title"]["subtitle"] == "not run yet: 1 of 2"
    assert STUDY.figure(STUDY.rows([None] * 4))["concat"][0]["encoding"]["text"]["value"] == "nothing has been run yet"
