"""How wide must a model be to learn a dynamic program with its chain, by kind of attention?

[yang2024 Figure 1; yang2024 Figure 2; yang2024 Figure 3; yang2024 Experiment 4; yang2024 Experiment 5; yang2024 Experiment 8;
yang2024 Experiment 3; yang2024 Experiment 9]

Shipped rows are made by `separatrix sweep programs-learned --overnight --store FILE`,
then `separatrix study programs-learned --store FILE --out FILE`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from separatrix.studies.answer import NOTHING, Answer, by, done
from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, run_row, seen, trial
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "How wide must a model be to learn a dynamic program with its chain, by kind of attention?"
PREDICTION = "Standard attention learns every size at a fixed width, and linear and sparse attention need a width that grows with the size."
CITES = (
    "yang2024 Figure 1",
    "yang2024 Figure 2",
    "yang2024 Figure 3",
    "yang2024 Experiment 4",
    "yang2024 Experiment 5",
    "yang2024 Experiment 8",
    "yang2024 Experiment 9",
)
ATTENTIONS = ("standard", "linear", "sparse")
LEARNED, LARGER = (("positions", "learned"),), (("deviation", 0.125),)
PUBLISHED_WIDTHS = (32, 64, 128, 256, 512, 1024)
BUDGET = Budget(steps=5000, batch=32, schedule="cosine", warmup=200, clip=1.0, validate_every=500, validation=200, enough=0.998, test=500)
PAPER = Budget(
    steps=195_312, batch=512, rate=1e-4, optimiser="adamw", decay=0.01, examples=1_000_000, validate_every=2000, validation=1000, test=5000
)


@dataclass(frozen=True)
class Trained:
    """A task of the figures."""

    title: str
    task: str
    sizes: tuple[int, ...]  # as published, the smallest first
    layers: int
    ms: float  # of a step at width 64 and the smallest size, on one core
    widths: tuple[int, ...]  # that are trained here
    attentions: tuple[str, ...] = ATTENTIONS
    steps: int = BUDGET.steps
    model_parameters: tuple[tuple[str, Any], ...] = ()  # a trial of ours, which the paper does not have


TASKS = (
    Trained("LIS", "lis-chain", (40, 110, 175, 250), 3, 85, (32, 64, 128)),
    Trained("LIS, initial deviation 1/8", "lis-chain", (40,), 3, 85, (64,), model_parameters=LARGER),
    Trained("Edit distance", "edit-distance-chain", (6, 12, 16, 20), 3, 75, (32, 64, 128)),
    Trained("Edit distance, learned positions", "edit-distance-chain", (6,), 3, 65, (128,), steps=6000, model_parameters=LEARNED),
    Trained("Edit distance, locally", "edit-distance-local-chain", (6, 12, 16, 20), 3, 150, (32, 64), ("linear", "sparse")),
    Trained("Arithmetic", "arithmetic", (6, 10, 13, 16), 3, 75, (128,)),
    Trained("Edit distance, 5 layers", "edit-distance-chain", (6, 12, 16, 20), 5, 125, (128,)),
)
SWEEP = tuple(
    TrainingRun(
        one.task, one.sizes[0], f"yang2024-{attention}-{one.layers}-{width}", replace(BUDGET, steps=one.steps), 0, one.model_parameters
    )
    for one in TASKS
    for attention in one.attentions
    for width in one.widths
)


def _hours(one: Trained, width: int) -> float:
    """Core-hours of all steps: the time of a step grows somewhat faster than the width."""
    return round(one.ms * math.pow(width / 64, 1.3) * one.steps / 3.6e6, 2)


CAPTION = (
    "Right answers at the end of chains that a model writes alone, at the smallest published size of each task. The paper's own models "
    "(3 layers, for the edit distance also 5; 4 heads, sinusoidal positions) and formats; its figures have colours only, so there are "
    f"no numbers to compare with ours. Its runs take {PAPER.steps:,} steps of {PAPER.batch} examples at rate 1e-4 with dropout; here at "
    f"most {BUDGET.steps:,} steps of {BUDGET.batch} fresh examples at rate 1e-3, half a cosine, no dropout. Arithmetic is done "
    "from the left, whereas the public chains are reversed random expansions, which no model can predict. The paper names ED_Local "
    "(Figure 2) and does not describe it: ours is `edit-distance-local-chain`. Initial deviation 1/8 is about the paper's "
    "Xavier initialisation; learned positions are ours."
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {
    run.spec.digest: hours
    for run, hours in zip(SWEEP, [_hours(one, width) for one in TASKS for _ in one.attentions for width in one.widths], strict=True)
}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; at `paper` every published width and size with the paper's budget."""
    if scale == "smoke":
        return [trial(few_steps(run, 3)) for run in _narrowest()]
    if scale == "laptop":
        return [trial(run) for run in SWEEP]
    return [
        trial(TrainingRun(one.task, size, f"yang2024-{way}-{one.layers}-{width}", PAPER, 0, (("dropout", 0.1),), _symbols(one.task, size)))
        for one in TASKS
        if not one.model_parameters
        for size in one.sizes
        for way in one.attentions
        for width in PUBLISHED_WIDTHS
    ]


def _narrowest() -> list[TrainingRun]:
    """One run of each task and attention."""
    by_task = groupby(SWEEP, key=lambda run: (run.task, run.model.rpartition("-")[0]))
    return [next(runs) for _, runs in by_task]


def _symbols(task: str, size: int) -> tuple[tuple[str, Any], ...]:
    """A run may hold all N numbers, so from 110 on there must be more of them than at 40."""
    return (("symbols", size),) if task == "lis-chain" and size > 109 else ()


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by task, attention and width."""
    listed, left = [], iter(results)
    for one in TASKS:
        for attention in one.attentions:
            for width in one.widths:
                named = {"task": one.title, "length": one.sizes[0], "series": attention, "width": width, "printed": None}
                listed.append(run_row(named, next(left), _hours(one, width)))
    return listed


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against the width, a panel for each task."""
    if all(row["status"] != "run" for row in rows):
        return nothing_run("Dynamic programs")
    of_task = {f"{one.title}, N = {one.sizes[0]}": [row for row in rows if row["task"] == one.title] for one in TASKS}
    empty = [title for title, some in of_task.items() if all(row["status"] != "run" for row in some)]
    panels = (seen(some, title, ("width", "width D")) for title, some in of_task.items() if title not in empty)
    return side_by_side(*panels, left_out=empty)


def answer(rows: list[Row]) -> Answer:
    """Standard attention beside the better efficient one, by task; one size of each task says nothing about growth."""
    ran = done(rows)
    if not ran:
        return NOTHING
    said = []
    for (task,), some in by(ran, "task").items():
        best = {series: max(row["accuracy"] for row in group) for (series,), group in by(some, "series").items()}
        said.append(f"{task} ({', '.join(f'{series} {share:g}' for series, share in best.items())})")
    return Answer(
        "untested",
        f"Each task was trained at one size, so nothing is known about growth; best accuracy in %: {'; '.join(said)} (one seed).",
    )
