"""One wide layer of attention or two narrow ones?

[bhattamishra2024 Theorem 4; bhattamishra2024 Theorem 6; bhattamishra2024 Theorem 10; bhattamishra2024 Question 2]

    m H (p + log2 N)   what one layer of width m with H heads can tell of one half of the input: below N bits it cannot decide equality

Shipped rows are made by `separatrix sweep wide-or-deep --overnight --store FILE`,
then `separatrix study wide-or-deep --store FILE --out FILE`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import fmean

from separatrix.studies.answer import NOTHING, Answer, by, decided, done
from separatrix.studies.learned import TrainingRun
from separatrix.studies.study import Row
from separatrix.studies.trained_cells import NamedRun, Panel, TrainedCells
from separatrix.training.budget import Budget

QUESTION = "On equality, recall and brackets, does one wide layer of attention learn what two narrow ones learn?"
PREDICTION = (
    "Two layers of logarithmic width can do all three; one layer needs a width of order N for equality and brackets, which binds at far "
    "larger N, and for recall nothing is known: at these sizes both should learn."
)
CITES = ("bhattamishra2024 Theorem 4", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 10", "bhattamishra2024 Question 2")
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
    chance: float = 0.0  # percent


TASKS = (
    Compared("Equality", "eq-random", 20, 3000, 1.0, 50.0),
    Compared("Recall", "mqar", 16, 6000, 1.5),
    Compared("Dyck-(2, 2)", "dyck", 20, 3000, 0.8),
)
BUDGET = Budget(steps=3000, batch=64, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=1000, enough=0.998)


def told(width: int, N: int) -> int:
    """m H (p + log2 N), rounded up."""
    return math.ceil(width * HEADS * (PRECISION + math.log2(N)))


STUDY = TrainedCells(
    "One wide layer or two narrow ones",
    tuple(
        NamedRun(
            {
                "task": one.title, "length": one.N, "series": "one layer" if layers == 1 else "two layers", "width": width,
                "bits_told": told(width, one.N), "seed": seed,
            },
            TrainingRun(
                one.task, one.N, f"tf-{layers}-{width}", replace(BUDGET, steps=one.steps), seed, (("deviation", min(0.125, 8 / width)),)
            ),
            round(one.times * milliseconds * one.steps / 3.6e6, 3),
            smoke=4 if (layers, width) in ((1, 32), (2, 16)) else 0,
        )
        for one in TASKS
        for (layers, width), milliseconds in SIZES.items()
        for seed in range(SEEDS)
    ),
    tuple(Panel(f"{one.title}, N = {one.N}", ("width", "width"), (("task", one.title),), one.chance) for one in TASKS),
)  # fmt: skip
CAPTION = (
    "Equality of two halves, Dyck-(2, 2), and all labels of MQAR; 4 heads, learned positions, "
    f"larger initial weights, {SEEDS} seeds. One layer can tell m H (p + log2 N) bits of one half of its input, with width m, H heads and "
    f"p = {PRECISION}; at these sizes this exceeds N for every width tried, so the lower bounds for equality and brackets "
    "forbid nothing here, and what differs is learning. For recall no lower bound is known: a question "
    "that the papers leave open."
)

TRAINS = PARTIAL = True
CELLS, HOURS, SWEEP = STUDY.data, STUDY.hours, STUDY.sweep
cells, run, rows, figure = STUDY.cells, STUDY.run, STUDY.rows, STUDY.figure


def answer(rows: list[Row]) -> Answer:
    """The best of one layer beside the best of two, by task."""
    ran = done(rows)
    if not ran:
        return NOTHING
    said, behind = [], []
    for (task,), some in by(ran, "task").items():
        best: dict[str, float] = {}
        for (series, _), seeds in by(some, "series", "width").items():
            best[series] = max(best.get(series, 0.0), fmean(row["accuracy"] for row in seeds))
        if len(best) == 2:
            said.append(f"{task} {best['one layer']:.1f} and {best['two layers']:.1f}")
            behind.append(best["one layer"] < best["two layers"] - 1)
    basis = f"mean of {SEEDS} seeds at the best width"
    return decided(not any(behind), f"One layer and two layers reach, in %: {', '.join(said)} ({basis}).", tested=False)
