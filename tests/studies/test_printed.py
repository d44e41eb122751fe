"""Studies that redraw a printed figure: what a paper prints, what was run, what was not, and the rate that validation chose."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from separatrix.atlas.drawing import picture
from separatrix.runs import claims
from separatrix.runs.launcher_lock import alive
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import open_store
from separatrix.runs.trial import make_trial
from separatrix.studies import STUDIES, dyck_printed, equality_copied, equality_one, equality_random, studies, study
from separatrix.studies.learned import TrainingRun
from separatrix.studies.lookup_printed import FIGURE as LOOKUP
from separatrix.studies.mamba_widths import FIGURE as WIDTHS
from separatrix.studies.panel import PRINTED, left_out
from separatrix.studies.printed import BHATTAMISHRA2024, CEILING, Curve, PrintedFigure
from separatrix.studies.stored import shipped_results, study_rows
from separatrix.studies.study import DURING
from separatrix.studies.trees_learned import FIGURE as TREES
from separatrix.training.budget import Budget
from separatrix.training.recipes import RECIPES
from tests.cli.calling import answer, refusal
from tests.runs.storing import claimed

TINY = PrintedFigure(
    title="Tiny",
    task="index-lookup",
    lengths=(20, 50),
    curves=(
        Curve("LSTM-(3,256)", (100.0, 49.8), "lstm-1-8", (1e-2, 1e-3)),
        Curve("TF-(1,64)", (None, 100.0), "tf-1-8"),
        Curve("Mamba-(6,256)", (1.0, 2.0)),
    ),
    here=(10, 20),
    budget=Budget(steps=10),
    seeds=2,
    paper=BHATTAMISHRA2024,
    ceiling=lambda length, bits: bits / (100 * length),
)


def result(accuracy: float, validated: float, bits: int = 64) -> dict[str, Any]:
    test = {"step": 10, "examples": 100, "accuracy": accuracy, "asked": []}
    return {"parameters": 5, "state_bits": bits, "seconds": 3, "validations": [[5, 0.0], [10, validated]], "test": test}


def row_of(rows: list[dict[str, Any]], series: str, length: int) -> dict[str, Any]:
    return next(row for row in rows if (row["series"], row["length"]) == (series, length))


def test_a_laptop_runs_every_rate_and_seed_of_what_it_can_train() -> None:
    runs = TINY.runs()
    assert [(r.model, r.length, r.budget.rate, r.seed) for r in runs[:5]] == [
        ("lstm-1-8", 10, 1e-2, 0),
        ("lstm-1-8", 10, 1e-2, 1),
        ("lstm-1-8", 10, 1e-3, 0),
        ("lstm-1-8", 10, 1e-3, 1),
        ("lstm-1-8", 20, 1e-2, 0),
    ]
    assert len(runs) == 2 * 2 * 2 + 2 * 2  # nothing of Mamba


def test_a_cluster_runs_what_the_paper_printed_with_its_own_grid() -> None:
    runs = TINY.runs("paper")
    assert {run.model for run in runs} == {"lstm-3-256", "tf-1-64", "mamba-6-256"}
    assert {run.length for run in runs if run.model == "tf-1-64"} == {50}  # nothing is printed at 20
    assert len(runs) == 5 * len(BHATTAMISHRA2024.rates)
    assert {run.budget.steps for run in runs} == {250_000}


def test_the_rate_is_chosen_on_validation_examples_and_not_on_the_test() -> None:
    """The first rate tests better, the second validates better."""
    results: list[Any] = [None] * len(TINY.runs())
    results[4:8] = [result(0.9, 0.2), result(0.8, 0.4), result(0.5, 0.6), result(0.7, 0.5)]
    row = row_of(TINY.rows(results), "lstm-1-8", 20)
    assert (row["rate"], row["accuracy"], row["least"], row["most"], row["seeds"]) == (1e-3, 60.0, 50.0, 70.0, 2)
    assert row["difference"] == -40.0
    assert row["ceiling"] == 3.2  # 64 / 2000
    assert row["status"] == "run"


def test_what_was_not_run_says_so_and_is_not_drawn() -> None:
    rows = TINY.rows([None] * len(TINY.runs()))
    assert row_of(rows, "lstm-1-8", 20)["status"] == "not run"
    assert row_of(rows, "lstm-1-8", 20)["accuracy"] is None
    assert row_of(rows, f"LSTM-(3,256) {PRINTED}", 50)["accuracy"] == 49.8
    assert not any(row["series"].startswith("TF") and row["length"] == 20 for row in rows)
    (nothing,) = TINY.figure(rows)["concat"]
    assert nothing["encoding"]["text"]["value"] == "nothing has been run yet"
    some = TINY.rows([result(0.5, 0.5)] * 2 + [None] * (len(TINY.runs()) - 2))
    (panel,) = TINY.figure(some)["concat"]
    assert panel["title"] == {"text": "Tiny: LSTM", "anchor": "start", "subtitle": "not run yet: N = 20"}
    assert left_out(TINY.figure(some)) == "Left out, since nothing of it has been run here: TF; Mamba."
    drawn = panel["data"]["values"]
    assert [(row["series"], row["length"]) for row in drawn if PRINTED not in row["series"]] == [("lstm-1-8, 64 bits", 10), (CEILING, 10)]


def test_a_panel_tells_the_paper_ours_and_the_ceiling_apart_without_colour() -> None:
    rows = TINY.rows([result(0.5, 0.5)] * len(TINY.runs()))
    panel = TINY.figure(rows)["concat"][0]
    lines, solid, ticks, dots, bars, _, _, diamonds, _, _ = panel["layer"]
    assert lines["mark"]["strokeWidth"] < solid["mark"]["strokeWidth"]
    dashes = solid["encoding"]["strokeDash"]["scale"]
    assert dict(zip(dashes["domain"], map(tuple, dashes["range"]), strict=True)) == {
        f"LSTM-(3,256) {PRINTED}": (6, 3), "lstm-1-8, 64 bits": (1, 0), CEILING: (1, 3),
    }  # fmt: skip
    assert (dots["mark"]["type"], diamonds["mark"]["shape"], ticks["mark"]["type"]) == ("circle", "diamond", "tick")
    assert (bars["encoding"]["y"]["field"], bars["encoding"]["y2"]["field"]) == ("least", "most")
    assert panel["encoding"]["x"]["axis"]["values"] == [10, 20, 50]  # in every panel, so that they can be compared


def test_a_cell_that_takes_three_minutes_is_called_overnight_until_it_is_run() -> None:
    slow = replace(TINY, curves=(replace(TINY.curves[0], rates=(1e-2,), seeds=1, hours=(0.049, 0.05)),))
    assert len(slow.runs()) == 2  # the curve's own number of seeds
    rows = [row for row in slow.rows([None, None]) if row["status"] != "printed"]
    assert [(row["status"], row["core_hours"]) for row in rows] == [("not run", 0.049), ("not run (overnight)", 0.05)]
    done = slow.rows([None, result(0.5, 0.5) | {"seconds": 7200}])[-1]
    assert (done["status"], done["core_hours"]) == ("run", 2.0)


def test_what_takes_less_than_three_minutes_is_run_with_three_seeds_and_a_length_has_its_own_steps() -> None:
    one = replace(TINY, curves=(replace(TINY.curves[0], rates=(1e-2,), hours=(0.04, 0.05)),), seeds=1, steps=(5, 7))
    assert [(run.length, run.seed, run.budget.steps) for run in one.runs()] == [(10, 0, 5), (10, 1, 5), (10, 2, 5), (20, 0, 7)]


def test_a_row_says_how_many_steps_three_levels_took_on_average_and_only_if_every_seed_got_there() -> None:
    fast = result(0.9, 0.9) | {"validations": [[100, 0.4], [200, 0.6], [300, 0.95]]}
    slow = result(0.9, 0.9) | {"validations": [[100, 0.5], [200, 0.6], [300, 0.8]]}
    row = row_of(TINY.rows([fast, slow] + [None] * (len(TINY.runs()) - 2)), "lstm-1-8", 10)
    assert (row["to_50"], row["to_90"], row["to_99"]) == (150, None, None)


def test_where_we_are_below_the_paper_the_row_says_what_differs() -> None:
    rising = result(0.5, 0.5)
    flat = rising | {"validations": [[5, 0.9], [10, 0.5]]}
    at_20 = lambda one: row_of(TINY.rows([None] * 4 + [one] + [None] * (len(TINY.runs()) - 5)), "lstm-1-8", 20)  # noqa: E731
    assert at_20(rising)["why"] == "lstm-1-8 here; 640 examples of up to 16,000,000 there; still rising"
    assert at_20(flat)["why"].endswith("no longer rising")
    assert at_20(result(0.995, 0.5))["why"] is None  # half a point below


def test_validations_of_one_length_are_drawn_as_they_came() -> None:
    watching = replace(TINY, watched=20)
    rows = watching.rows([result(0.5, 0.5)] * len(watching.runs()))
    during = [row for row in rows if row["status"] == "during training"]
    assert [(row["series"], row["steps"], row["accuracy"]) for row in during[:2]] == [("lstm-1-8", 5, 0.0), ("lstm-1-8", 10, 50.0)]
    assert watching.figure(rows)["concat"][-1]["data"]["values"] == during


def test_where_nothing_is_printed_and_nothing_was_run_the_figure_says_so() -> None:
    rows = TREES.rows([None] * len(TREES.runs()))
    assert {row["status"] for row in rows} <= {"not run", "not run (overnight)"}
    (panel,) = TREES.figure(rows)["concat"]
    assert panel["encoding"]["text"]["value"] == "nothing has been run yet"
    assert picture({"concat": [panel]}, "png").startswith(b"\x89PNG")


def test_with_a_chain_the_answers_that_a_model_wrote_alone_count() -> None:
    runs = TREES.runs()
    at = next(i for i, run in enumerate(runs) if dict(run.task_parameters).get("thought") == "tour")
    chained = result(0.25, 0.3) | {"test": {"step": 1, "examples": 4, "accuracy": 0.25, "greedy": 0.75, "asked": []}}
    rows = TREES.rows([chained if i == at else None for i in range(len(runs))])
    (row,) = [row for row in rows if row["status"] == "run"]
    assert (row["series"], row["accuracy"]) == ("tf-2-64, with a chain", 75.0)
    (panel,) = TREES.figure(rows)["concat"]
    assert panel["title"]["text"] == "Trees: Transformer"
    assert left_out(TREES.figure(rows)) == "Left out, since nothing of it has been run here: Mamba; Hybrid."
    assert panel["title"]["subtitle"] == "not run yet: 31 of 32"  # four sizes in seven settings, one of them with positions of two kinds
    assert panel["encoding"]["x"]["axis"]["values"] == [8, 16, 32, 64]  # with those that were not run


def test_two_of_ours_stand_beside_one_of_the_paper_in_one_panel() -> None:
    runs = LOOKUP.runs()
    done = [i for i, run in enumerate(runs) if (run.model, run.length, run.seed, run.budget.steps) == ("retnet-2-64", 20, 0, 20_000)]
    assert len(done) == 2  # without and with learned positions
    rows = LOOKUP.rows([result(0.5 + 0.4 * (i == done[1]), 0.3) if i in done else None for i in range(len(runs))])
    assert len([row for row in rows if row["series"] == f"RetNet-(6,256) {PRINTED}"]) == 5  # the paper's numbers once
    (panel,) = [panel for panel in LOOKUP.figure(rows)["concat"] if panel["title"]["text"] == "Index lookup: RetNet"]
    assert panel["title"]["subtitle"] == "not run yet: 6 of 8"  # the rows during training are not counted
    drawn = {row["series"]: row["accuracy"] for row in panel["data"]["values"] if row["status"] == "run" and "ceiling" not in row["series"]}
    assert list(drawn.values()) == [50.0, 90.0]
    (names,) = [layer["data"]["values"] for layer in panel["layer"] if layer["mark"]["type"] == "text"]
    assert {*drawn, f"RetNet-(6,256) {PRINTED}"} <= {row["name"].replace("\n", " ") for row in names}  # told apart without colour


def test_what_a_state_must_hold_is_said_where_it_is_plain() -> None:
    """Equality of two binary halves of 10 symbols needs 10 bits, of 10 out of 1024 symbols 100; brackets of depth 2 three."""
    needs = (equality_random.needed(20), equality_one.needed(20), equality_copied.needed(20), dyck_printed.needed(20))
    assert needs == (10, 100, 100, 3)
    ceiling = equality_random.FIGURE.ceiling
    assert (ceiling(20, 10), ceiling(20, 9), ceiling(100, 49)) == (1.0, None, None)


def test_a_long_curve_of_validations_is_drawn_with_few_points_and_its_last() -> None:
    runs = LOOKUP.runs()
    at = next(i for i, run in enumerate(runs) if (run.model, run.length) == ("lstm-2-64", 200))
    long = result(0.5, 0.3) | {"validations": [[500 * step, 0.1] for step in range(1, 41)]}
    rows = LOOKUP.rows([long if i == at else None for i in range(len(runs))])
    assert len([row for row in rows if row["status"] == DURING]) == 40
    drawn = [row["steps"] for row in LOOKUP.figure(rows)["concat"][-1]["data"]["values"]]
    assert (len(drawn), drawn[-1], drawn) == (20, 20_000, sorted(drawn))


def test_curves_without_numbers_are_run_at_every_length_of_the_paper() -> None:
    runs = TREES.runs("paper")
    assert len(runs) == 3 * (3 * 4 + 3) * 3 * 2  # kinds, (sizes and settings, and three settings of the smallest), lengths, rates
    assert {run.length for run in runs} == {16, 32, 64}


def test_a_smoke_run_is_one_small_run_of_each_model() -> None:
    runs = LOOKUP.runs("smoke")
    made = [(run.model, run.model_parameters, run.task_parameters) for run in runs]
    assert set(made) == {(curve.ours, curve.parameters, curve.task) for curve in LOOKUP.curves if curve.ours}
    assert len(made) == len(set(made))  # a model that several budgets train is tried once
    assert all(run.budget.steps * run.budget.batch <= 400 and run.length == 10 for run in runs)


def test_printed_numbers_are_where_the_papers_claim_fails() -> None:
    """Accuracy is said to grow with the width; in five places it falls."""
    falls = [
        (length, one.label)
        for one, wider in zip(WIDTHS.curves, WIDTHS.curves[1:], strict=False)
        for length, a, b in zip(WIDTHS.lengths, one.printed, wider.printed, strict=True)
        if a is not None and b is not None and b < a
    ]
    assert falls == [(20, "Mamba-(2,256)"), (200, "Mamba-(2,256)"), (400, "Mamba-(2,256)"), (50, "Mamba-(2,512)"), (75, "Mamba-(2,512)")]


def test_rows_come_from_a_store_and_go_where_they_are_shipped_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store, out = tmp_path / "store.sqlite", tmp_path / "rows.jsonl"
    trials = [make_trial(cell) for cell in LOOKUP.cells("laptop")[:2]]
    rows = (
        {"kind": "sizes", "parameters": 7, "state_bits": 99},
        {"kind": "validation", "step": 5, "accuracy": 0.25},
        {"kind": "test", "step": 5, "examples": 10, "accuracy": 0.5, "greedy": None, "asked": [[1, 10, 5]]},
    )
    with open_store(store) as opened, alive(opened.path, "here"):
        for claim in claimed(opened, trials, "here", 2):
            assert claims.finish(opened, claim, Outcome(claim.trial.key, "done", rows=rows, seconds=12.4, machine="here"))
    shown = answer(capsys, "study", "lookup-printed", "--store", str(store), "--out", str(out))["rows"]
    done = [row for row in shown if row["status"] == "run"]
    assert ("lstm-2-64", 20, 50.0, 24) in [(row["series"], row["length"], row["accuracy"], row["seconds"]) for row in done]  # two seeds
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["run"]["task_parameters"]["length"] for row in written] == [20, 20]
    assert all(row["digest"] == run.spec.digest for row, run in zip(written, LOOKUP.runs(), strict=False))


def test_a_study_without_runs_has_no_store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "trains nothing" in refusal(capsys, "study", "addresses", "--store", str(tmp_path / "s.sqlite"))
    assert "no store at" in refusal(capsys, "study", "lookup-printed", "--store", str(tmp_path / "s.sqlite"))
    assert "is trained by `separatrix sweep lookup-printed`" in refusal(
        capsys, "study", "lookup-printed", "--run", "--out", str(tmp_path / "s")
    )
    assert "--out is for" in refusal(capsys, "study", "lookup-printed", "--out", str(tmp_path / "s.jsonl"))


def test_what_a_recipe_is_said_to_reach_is_what_the_stored_rows_say() -> None:
    stored = dict(zip(LOOKUP.runs(), shipped_results(study("lookup-printed")), strict=True))
    met = 0
    for name, recipe in RECIPES.items():
        for one in recipe.measured:
            budget = replace(LOOKUP.budget, rate=recipe.budget.rate)
            found = stored[TrainingRun("index-lookup", one.length, name, budget, 0, recipe.parameters)]
            assert found is not None
            assert (found["test"]["accuracy"], found["seconds"]) == (one.accuracy, one.seconds)
            met += 1
    assert met == 2 * len(RECIPES)


def test_a_curve_during_training_counts_the_examples_of_its_own_steps() -> None:
    """The protocol of index lookup takes 64 examples a step, other curves of that study 128."""
    panels = LOOKUP.figure(study_rows(study("lookup-printed")))["concat"]
    titles = {panel["title"]["text"]: panel for panel in panels if "during training" in str(panel["title"]["text"])}
    axis = json.dumps(titles["Index lookup: validation during training, N = 200"])
    assert "steps of 64 examples" in axis
    assert "128" not in axis


def test_every_printed_number_has_a_cell_of_ours_with_its_core_hours() -> None:
    """Run or not: nobody has to guess which cells of a figure were left out."""
    met = 0
    for one in studies():
        printed = getattr(import_module(STUDIES[one.name]), "FIGURE", None)
        if not isinstance(printed, PrintedFigure) or one.results_of:
            continue
        for label in {curve.label for curve in printed.curves}:
            curves = [curve for curve in printed.curves if curve.label == label]
            ours = {N for curve in curves if curve.ours is not None and curve.hours for N in printed.lengths_of(curve)}
            assert set(curves[0].numbers(printed.lengths)) <= ours, (one.name, label)
            met += len(curves[0].numbers(printed.lengths))
    assert met >= 60 + 30  # Figures 2 and 3 of the first paper
