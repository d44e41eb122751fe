"""Does what the papers find go on at lengths and widths that they did not train?

[bhattamishra2024 Experiment 2; bhattamishra2024 Experiment 3]

Shipped rows are made by `separatrix sweep beyond-printed --overnight --store FILE`,
then `separatrix study beyond-printed --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, run_row, seen, trial
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "Beyond the paper's lengths and below its widths, what do an LSTM on brackets and one layer of attention on lookup still learn?"
PREDICTION = "Three bits of state are enough for brackets at every length, and a width of order log N for lookup: small models should do."
CITES = ("bhattamishra2024 Experiment 2", "bhattamishra2024 Experiment 3")
CAPTION = (
    "A question that the papers leave open: the first ends at N = 400 and begins at width 64 (Mamba: 32). Left: Dyck-(2, 2) by one "
    "layer of LSTM of width 64, at the paper's largest length and at twice that; middle: the same at N = 50 with widths 4 to 32; right: "
    "index lookup among N = 50 symbols out of 64 by one layer of attention of width 8 to 32, with 4 heads. Rate 1e-2 for the narrow "
    "LSTMs, 3e-3 for the wide one and for attention; half a cosine, at most 3000 steps of 64 examples, stopping at 99.8 % of 1000 "
    "validation inputs, two seeds (one at N = 400 and 800). A row whose status is `not run` waits for `separatrix sweep beyond-printed "
    "--overnight`."
)


@dataclass(frozen=True)
class Beyond:
    """A point beyond the paper: a task, a size, and the core-hours of a run with all its steps."""

    panel: str
    task: str
    length: int
    model: str
    width: int
    rate: float
    hours: float
    seeds: int = 1


LONGER, NARROWER, LOOKUP = "Dyck-(2, 2), LSTM of width 64", "Dyck-(2, 2), N = 50, LSTM", "Index lookup, N = 50, one layer of attention"
POINTS = (
    Beyond(LONGER, "dyck", 400, "lstm-1-64", 64, 3e-3, 0.07),
    Beyond(LONGER, "dyck", 800, "lstm-1-64", 64, 3e-3, 0.15),
    *(Beyond(NARROWER, "dyck", 50, f"lstm-1-{width}", width, 1e-2, 0.008, 2) for width in (4, 8, 16, 32)),
    *(Beyond(LOOKUP, "index-lookup", 50, f"tf-1-{width}", width, 3e-3, 0.006, 2) for width in (8, 16, 32)),
)
PANELS = {LONGER: ("length", "N, brackets"), NARROWER: ("width", "width"), LOOKUP: ("width", "width")}
PLAN = tuple((point, seed) for point in POINTS for seed in range(point.seeds))
SWEEP = tuple(
    TrainingRun(
        point.task,
        point.length,
        point.model,
        Budget(
            steps=3000,
            batch=64,
            rate=point.rate,
            schedule="cosine",
            warmup=100,
            clip=1.0,
            validate_every=250,
            validation=1000,
            enough=0.998,
        ),
        seed,
    )
    for point, seed in PLAN
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {run.spec.digest: point.hours for run, (point, _) in zip(SWEEP, PLAN, strict=True)}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the papers have no grid for it."""
    if scale == "smoke":
        return [trial(few_steps(run, 10)) for run in SWEEP if run.model in ("lstm-1-4", "tf-1-8") and run.seed == 0]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by panel, length, width and seed."""
    listed = []
    for (point, seed), result in zip(PLAN, results, strict=True):
        named = {"panel": point.panel, "series": point.model.rpartition("-")[0], "length": point.length, "width": point.width, "seed": seed}
        listed.append(run_row(named, result, point.hours))
    return listed


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against the length, and against the width."""
    if all(row["status"] != "run" for row in rows):
        return nothing_run("Beyond the paper")
    return side_by_side(*(seen([row for row in rows if row["panel"] == panel], panel, x) for panel, x in PANELS.items()))
