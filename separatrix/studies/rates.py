"""How much does the learning rate matter on index lookup?

[bhattamishra2024 Appendix A(4); bhattamishra2024 Experiment 2]

Shipped rows are made by `separatrix sweep rates --overnight --store FILE`,
then `separatrix study rates --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from separatrix.studies.answer import NOTHING, Answer, by, decided, done
from separatrix.studies.learned import REACHED, TrainingRun, cells_of, few_steps, learner, percentages, run_row, seen, trial
from separatrix.studies.lookup_printed import GATED, SHORT
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row

QUESTION = "How much does the learning rate matter on index lookup?"
PREDICTION = "A small Transformer is near perfect at several rates, and recurrent models fail at every one."
CITES = ("bhattamishra2024 Appendix A(4)", "bhattamishra2024 Experiment 2")
SLOW = 0.025
N, RATES = 50, (1e-2, 5e-3, 1e-3, 5e-4, 1e-4, 5e-5)
MODELS = {"tf-1-64": 0.003, "lstm-2-64": 0.013, "lintf-2-64": 0.023, "retnet-2-64": 0.043, "dss-2-64": 0.027, "mamba-2-64": 0.051}
BUDGET = SHORT
SWEEP = tuple(  # MODELS: core-hours of a run; those of half a minute a thousand steps are tried at two rates only
    TrainingRun("index-lookup", N, model, replace(BUDGET, rate=rate), 0, GATED if model.startswith("dss") else ())
    for model, hours in MODELS.items()
    for rate in (RATES if hours < SLOW else RATES[1:3])
)

CAPTION = (
    f"Index lookup among N = {N} symbols out of 64, at rates that the paper lists; one seed, {BUDGET.steps:,} steps of {BUDGET.batch} "
    f"examples at most with a constant rate. Slow models ({', '.join(model for model, hours in MODELS.items() if hours >= SLOW)}) were "
    f"tried at {len(RATES[1:3])} of the {len(RATES)} rates. The paper says so in words and prints no numbers. Right: the step at which "
    "validation first reached 50, 90 and 99 %, at the best rate of each model that got there. Given more steps some get further "
    "(`separatrix study lookup-printed`)."
)

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
    room = {"domain": [0, 1.1 * max((row["steps"] for row in rows), default=BUDGET.steps)]}
    panel["encoding"]["y"] = {"field": "steps", "type": "quantitative", "title": f"steps of {BUDGET.batch} examples", "scale": room}
    return panel


def answer(rows: list[Row]) -> Answer:
    """At how many rates attention is near perfect, and the best that each other model has at any."""
    ran = done(rows)
    tf = [row for row in ran if row["series"] == "tf-1-64"]
    others = {
        series: max(some, key=lambda row: float(row["accuracy"])) for (series,), some in by(ran, "series").items() if series != "tf-1-64"
    }
    if not tf or not others:
        return NOTHING
    near = sum(row["accuracy"] >= 95 for row in tf)
    failed = all(row["accuracy"] < 50 for row in others.values())
    best = ", ".join(f"{series} {row['accuracy']:g} at {row['rate']:g}" for series, row in others.items())
    said = f"Attention reaches 95 % at {near} of {len(tf)} rates; the best of the others, in %: {best}"
    exceptions = "" if failed else ", so not every other model fails"
    return decided(near > 1 and failed, f"{said}{exceptions} (one seed, a short budget).", tested=not failed)
