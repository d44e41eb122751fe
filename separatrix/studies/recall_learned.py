"""Can one layer of attention learn associative recall?

[bhattamishra2024 Theorem 7; bhattamishra2024 Theorem 10; bhattamishra2024 Task 6]

Shipped rows are made by `separatrix sweep recall-learned --overnight --store FILE`,
then `separatrix study recall-learned --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, run_row, seen, trial
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "Can one layer of attention learn associative recall, where two layers can?"
PREDICTION = "One layer needs a width of order N, two layers one of order log N: at a fixed width one layer falls behind as N grows."
CITES = ("bhattamishra2024 Theorem 7", "bhattamishra2024 Theorem 10", "bhattamishra2024 Task 6")
CAPTION = (
    "A question that the papers leave open. MQAR with N / 2 pairs of a key out of N and one of two labels, each key asked for once; an "
    "input counts only if all its N / 2 labels are right, so guessing gives 2^(-N / 2). Width 64, 4 heads, learned positions, initial "
    "deviation 1/8, rate 1e-3, half a cosine, at most 3000 steps of 64 examples (6000 at N = 16), stopping at 99.8 % of 1000 validation "
    "inputs, two seeds. One layer learns 2 and 4 pairs, and at 8 pairs stays at a few percent through all 6000 steps, where two layers "
    "need 750 at most. `separatrix study wide-or-deep` varies the width. A row whose status is `not run` waits for `separatrix sweep "
    "recall-learned --overnight`."
)
MODELS = {"one layer": "tf-1-64", "two layers": "tf-2-64"}
LENGTHS = {4: (3000, 0.005, 0.009), 8: (3000, 0.008, 0.015), 16: (6000, 0.028, 0.047)}  # steps, core-hours of one layer and of two
SEEDS = 2
BUDGET = Budget(batch=64, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=1000, enough=0.998)
PLAN = tuple((series, N, seed) for series in MODELS for N in LENGTHS for seed in range(SEEDS))
SWEEP = tuple(
    TrainingRun("mqar", N, MODELS[series], replace(BUDGET, steps=LENGTHS[N][0]), seed, (("deviation", 0.125),)) for series, N, seed in PLAN
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {run.spec.digest: LENGTHS[N][1 + (series == "two layers")] for run, (series, N, _) in zip(SWEEP, PLAN, strict=True)}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the papers have no grid for it."""
    if scale == "smoke":
        return [trial(few_steps(run, 4)) for run in SWEEP if (run.length, run.seed) == (4, 0)]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by depth, length and seed."""
    named = ({"series": series, "length": N, "seed": seed} for series, N, seed in PLAN)
    return [run_row(name, result, hours) for name, result, hours in zip(named, results, HOURS.values(), strict=True)]


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against N."""
    if all(row["status"] != "run" for row in rows):
        return nothing_run("Recall by depth")
    return side_by_side(seen(rows, "All labels of MQAR right, width 64", ("length", "N, twice the pairs")))
