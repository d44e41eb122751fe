"""One wide layer of attention or two narrow ones?

[bhattamishra2024 Theorem 4; bhattamishra2024 Theorem 6; bhattamishra2024 Theorem 10]

    m H (p + log2 N)   what one layer of width m with H heads can tell of one half of the input: below N bits it cannot decide equality

Shipped rows are made by `separatrix sweep wide-or-deep --store FILE`, then `separatrix study wide-or-deep --store FILE --out FILE`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, percentages, run_row, trial
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "On equality, recall and brackets, does one wide layer of attention learn what two narrow ones learn?"
PREDICTION = "Two layers of logarithmic width can do all three, and one layer needs a width of order N, which binds far above N = 20."
CITES = ("bhattamishra2024 Theorem 4", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 10")
CAPTION = (
    "A question that the papers leave open. N = 20 (equality of two halves, 10 pairs of keys and labels, Dyck-(2, 2)); 4 heads, learned "
    "positions, initial deviation width^(-1/2), rate 1e-3, at most 3000 steps of 128 examples, one seed, stopping at 99.8 % of 1000 "
    "validation inputs. The axis is what one layer can tell of one half of its input, m H (p + log2 N) bits at p = 32, for both depths; "
    "at these sizes it exceeds N for every width tried, so the lower bound forbids nothing here and what differs is learning. A row "
    "whose status is `not run` waits for `separatrix sweep wide-or-deep`."
)
N, HEADS, PRECISION = 20, 4, 32
TASKS = (("Equality", "eq-random"), ("Recall", "associative-recall"), ("Dyck-(2, 2)", "dyck"))
SIZES = ((1, 32), (1, 64), (1, 128), (1, 256), (2, 16), (2, 32), (2, 64))  # layers, width
BUDGET = Budget(steps=3000, batch=128, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=1000, enough=0.998)
SWEEP = tuple(
    TrainingRun(task, N, f"tf-{layers}-{width}", BUDGET, 0, (("deviation", round(width**-0.5, 4)),))
    for _, task in TASKS
    for layers, width in SIZES
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the papers have no grid for it."""
    if scale == "smoke":
        return [trial(few_steps(run, 4)) for run in SWEEP if run.model in ("tf-1-32", "tf-2-16")]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def told(width: int) -> int:
    """m H (p + log2 N), rounded up."""
    return math.ceil(width * HEADS * (PRECISION + math.log2(N)))


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by task, depth and width."""
    listed, left = [], iter(results)
    for title, _ in TASKS:
        for layers, width in SIZES:
            series = "one layer" if layers == 1 else "two layers"
            listed.append(run_row({"task": title, "length": N, "series": series, "width": width, "bits_told": told(width)}, next(left)))
    return listed


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against what a layer can tell, a panel for each task."""
    panels = []
    for title, _ in TASKS:
        done = [row for row in rows if row["task"] == title and row["status"] == "run"]
        if done:
            panels.append(percentages(done, f"{title}, N = {N}", ("bits_told", "m H (p + log N), bits"), "series"))
    return side_by_side(*panels) if panels else nothing_run("One wide layer or two narrow ones")
