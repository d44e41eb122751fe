"""How much does the learning rate matter on index lookup?

[bhattamishra2024 Appendix A(4); bhattamishra2024 Experiment 2]

Shipped rows are made by `separatrix sweep rates --overnight --store FILE`,
then `separatrix study rates --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from separatrix.studies.learned import REACHED, TrainingRun, cells_of, few_steps, learner, percentages, run_row, seen, trial
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "How much does the learning rate matter on index lookup?"
PREDICTION = "A small Transformer is near perfect at several rates, and recurrent models fail at every one."
CITES = ("bhattamishra2024 Appendix A(4)", "bhattamishra2024 Experiment 2")
CAPTION = (
    "Index lookup among N = 50 symbols out of 64, at each rate that the paper lists down to 5e-5; one seed, at most 2000 steps of 64 "
    "examples with a constant rate, stopping at 99.8 % of 1000 validation inputs. The paper says so in words and prints no numbers. "
    "Right: the step at which validation first reached 50, 90 and 99 %, at the best rate of each model that got there. Chance is 1.6 %. "
    "Recurrent models that fail here fail within this budget: given ten times as many steps some get further (`separatrix study "
    "lookup-printed`)."
)
N, RATES = 50, (1e-2, 5e-3, 1e-3, 5e-4, 1e-4, 5e-5)
MODELS = {"tf-1-64": 0.003, "lstm-2-64": 0.013, "lintf-2-64": 0.023}  # core-hours of a run
BUDGET = Budget(steps=2000, batch=64, warmup=100, clip=1.0, validate_every=100, validation=1000, enough=0.998)
SWEEP = tuple(TrainingRun("index-lookup", N, model, replace(BUDGET, rate=rate)) for model in MODELS for rate in RATES)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {run.spec.digest: MODELS[run.model] for run in SWEEP}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; at `smoke` a few steps of each model, at `paper` the paper's steps."""
    if scale == "smoke":
        return [trial(few_steps(run, 10)) for run in SWEEP if run.budget.rate == RATES[0]]
    steps = {"laptop": BUDGET.steps, "paper": 250_000}[scale]
    return [trial(replace(run, budget=replace(run.budget, steps=steps))) for run in SWEEP]


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by model and rate, and the first steps at which validation reached three levels."""
    named = ({"series": run.model, "length": N, "rate": run.budget.rate} for run in SWEEP)
    return [run_row(name, result, HOURS[run.spec.digest]) for run, name, result in zip(SWEEP, named, results, strict=True)]


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against the rate, and the steps to each level at the rate that was best."""
    done = [row for row in rows if row["status"] == "run"]
    best: dict[str, Row] = {}
    for row in done:
        best[row["series"]] = max(best.get(row["series"], row), row, key=lambda row: float(row["accuracy"]))
    steps = [
        {"series": f"{model}, rate {row['rate']:g}", "level": f"{goal} %", "steps": row[f"to_{goal}"]}
        for model, row in best.items()
        for goal in REACHED
        if row[f"to_{goal}"] is not None
    ]
    if not done:
        return nothing_run("Index lookup by rate")
    return side_by_side(seen(rows, f"Index lookup, N = {N}", ("rate", "learning rate")), _steps(steps))


def _steps(rows: list[Row]) -> dict[str, Any]:
    panel = percentages(rows, "Steps to a level of validation accuracy", ("level", "level"), "series")
    panel["encoding"]["y"] = {"field": "steps", "type": "quantitative", "title": f"steps of {BUDGET.batch} examples"}
    return panel
