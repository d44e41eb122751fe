"""Where should one layer of attention stand among recurrent ones?

[wen2024 Theorem 5.7; bhattamishra2024 Theorem 3]

Shipped rows are made by `separatrix sweep attention-place --overnight --store FILE`,
then `separatrix study attention-place --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.studies.answer import NOTHING, Answer, by, decided, done
from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, not_run, percentages, run_row, trial
from separatrix.studies.panel import blank, headed, nothing_run, side_by_side
from separatrix.studies.study import DURING, Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "Where should one layer of attention stand among layers of Mamba?"
PREDICTION = "The second paper puts it on top, where everything that the recurrence has computed can be looked up."
CITES = ("wen2024 Theorem 5.7", "bhattamishra2024 Theorem 3")
N, WIDTH = 20, 64
TASKS = (("Index lookup", "index-lookup"), ("Recall", "mqar"))
PLACES = {
    "at the bottom": "attention,mamba,mamba",
    "in the middle": "mamba,attention,mamba",
    "on top": "mamba,mamba,attention",
    "nowhere": "mamba,mamba,mamba",
}
BUDGET = Budget(steps=2000, batch=64, schedule="cosine", warmup=200, clip=1.0, validate_every=250, validation=1000, enough=0.998)
SWEEP = tuple(
    TrainingRun(task, N, "stack", BUDGET, 0, (("mixers", mixers), ("width", WIDTH), ("deviation", 1 / 8)))
    for _, task in TASKS
    for mixers in PLACES.values()
)

CAPTION = (
    f"Three layers of width {WIDTH} with one of attention at the bottom, in the middle or on top "
    f"of Mamba, or three layers of Mamba; learned positions, initial deviation 1/8. Index lookup among N = {N} symbols, and the labels of "
    f"N / 2 keys among as many pairs (MQAR), all of which must be right; {BUDGET.steps:,} steps of {BUDGET.batch} examples at most, one "
    "seed. The figure shows validation during training. The recurrent state is larger than the bits needed in all of them: what differs is "
    "learning. A question that the papers leave open."
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {run.spec.digest: 0.053 if run.task == "mqar" else 0.033 for run in SWEEP}  # twice as many tokens
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the papers have no grid for it."""
    if scale == "smoke":
        return [trial(few_steps(run, 4)) for run in SWEEP]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by task and place, and validations during training."""
    listed, during, left = [], list[Row](), zip(results, HOURS.values(), strict=True)
    for title, _ in TASKS:
        for place in PLACES:
            (result, hours), named = next(left), {"task": title, "length": N, "series": f"attention {place}"}
            listed.append(run_row(named, result, hours))
            if result is not None:
                blank = dict.fromkeys(listed[-1])
                seen = result["validations"]
                during += [blank | named | {"accuracy": 100 * share, "steps": step, "status": DURING} for step, share in seen]
    return listed + during


def figure(rows: list[Row]) -> dict[str, Any]:
    """Validation accuracy against the steps, a panel for each task."""
    panels = []
    for title, _ in TASKS:
        some = [row for row in rows if row["task"] == title]
        done = [row for row in some if row["status"] == DURING]
        if done:
            panel = percentages(done, f"{title}, N = {N}", ("steps", f"steps of {BUDGET.batch} examples"), "series", linear=True)
            panel["title"] = headed(f"{title}, N = {N}", not_run(some, "series"))
            panels.append(panel)
        else:
            panels.append(blank(f"{title}, N = {N}"))
    return side_by_side(*panels) if any(row["status"] == "run" for row in rows) else nothing_run("One layer of attention among three")


def answer(rows: list[Row]) -> Answer:
    """On top is as good as anywhere if both tasks are learned there."""
    ran = done(rows)
    if len({row["task"] for row in ran}) < len(TASKS):
        return NOTHING
    top = [row for row in ran if row["series"] == "attention on top"]
    said = "; ".join(
        f"{task}: " + ", ".join(f"{row['accuracy']:g} % with {row['series']}" for row in some) for (task,), some in by(ran, "task").items()
    )
    return decided(all(row["accuracy"] > 95 for row in top), f"{said} (one seed).", tested=False)
