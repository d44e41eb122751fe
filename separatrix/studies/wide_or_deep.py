"""One wide layer of attention or two narrow ones?

[bhattamishra2024 Theorem 4; bhattamishra2024 Theorem 6; bhattamishra2024 Theorem 10]

    m H (p + log2 N)   what one layer of width m with H heads can tell of one half of the input: below N bits it cannot decide equality

Shipped rows are made by `separatrix sweep wide-or-deep --overnight --store FILE`,
then `separatrix study wide-or-deep --store FILE --out FILE`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, run_row, seen, trial
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "On equality, recall and brackets, does one wide layer of attention learn what two narrow ones learn?"
PREDICTION = "Two layers of logarithmic width can do all three, and one layer needs a width of order N, which binds far above N = 20."
CITES = ("bhattamishra2024 Theorem 4", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 10")
CAPTION = (
    "A question that the papers leave open. Equality of two halves and Dyck-(2, 2) at N = 20, all 8 labels of MQAR with 8 pairs (N = "
    "16); 4 heads, learned positions, initial deviation 1/8 (width 128: 1/16), rate 1e-3, at most 3000 steps of 64 examples (MQAR: "
    "6000), three seeds, stopping at 99.8 % of 1000 validation inputs. The axis is what one layer can tell of one half of its input, m "
    "H (p + log2 N) bits at p = 32, for both depths; at these sizes it exceeds N for every width tried, so the lower bound forbids "
    "nothing here and what differs is learning: two layers learn recall from width 32 on, and with one seed of three at 16; one layer "
    "does not up to 128. On equality two layers are a few points ahead, and the widest single layer is behind narrower ones, at a rate "
    "that was not chosen for it. A row whose status is `not run` waits for `separatrix sweep wide-or-deep --overnight`."
)
HEADS, PRECISION, SEEDS = 4, 32, 3
SIZES = {(1, 32): 5.0, (1, 64): 7.0, (1, 128): 13.0, (2, 16): 7.0, (2, 32): 10.0, (2, 64): 17.0}  # layers, width: milliseconds of a step


@dataclass(frozen=True)
class Compared:
    """A task, and how long it is trained."""

    title: str
    task: str
    N: int
    steps: int
    times: float  # as long as a step on equality


TASKS = (
    Compared("Equality", "eq-random", 20, 3000, 1.0),
    Compared("Recall", "mqar", 16, 6000, 1.5),
    Compared("Dyck-(2, 2)", "dyck", 20, 3000, 0.8),
)
BUDGET = Budget(steps=3000, batch=64, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=1000, enough=0.998)
PLAN = tuple((one, layers, width, seed) for one in TASKS for layers, width in SIZES for seed in range(SEEDS))
SWEEP = tuple(
    TrainingRun(one.task, one.N, f"tf-{layers}-{width}", replace(BUDGET, steps=one.steps), seed, (("deviation", min(0.125, 8 / width)),))
    for one, layers, width, seed in PLAN
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {
    run.spec.digest: round(one.times * SIZES[layers, width] * one.steps / 3.6e6, 3)
    for run, (one, layers, width, _) in zip(SWEEP, PLAN, strict=True)
}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the papers have no grid for it."""
    if scale == "smoke":
        return [trial(few_steps(run, 4)) for run in SWEEP if run.model in ("tf-1-32", "tf-2-16")]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def told(width: int, N: int) -> int:
    """m H (p + log2 N), rounded up."""
    return math.ceil(width * HEADS * (PRECISION + math.log2(N)))


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by task, depth and width, for each seed."""
    listed = []
    for (one, layers, width, seed), result, hours in zip(PLAN, results, HOURS.values(), strict=True):
        series = "one layer" if layers == 1 else "two layers"
        named = {"task": one.title, "length": one.N, "series": series, "width": width, "bits_told": told(width, one.N), "seed": seed}
        listed.append(run_row(named, result, hours))
    return listed


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against what a layer can tell, a panel for each task."""
    panels = []
    for one in TASKS:
        some = [row for row in rows if row["task"] == one.title]
        panels.append(seen(some, f"{one.title}, N = {one.N}", ("bits_told", "m H (p + log N), bits")))
    return side_by_side(*panels) if any(row["status"] == "run" for row in rows) else nothing_run("One wide layer or two narrow ones")
