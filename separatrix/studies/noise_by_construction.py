"""Which constructions does training recover from noise on their weights?

[bhattamishra2024 Theorem 1; bhattamishra2024 Theorem 6; bhattamishra2024 Theorem 7; bhattamishra2024 Remark 7]

As in noise_recovered.py, for every construction: normal noise on every weight, zeros included, then steps of Adam.
Shipped rows are made by `separatrix sweep noise-by-construction --overnight --store FILE`,
then `separatrix study noise-by-construction --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from separatrix.constructions import CONSTRUCTIONS, construction
from separatrix.runs.kinds.recover import recover_trial
from separatrix.studies.answer import NOTHING, Answer, by, decided, done
from separatrix.studies.learned import percent
from separatrix.studies.panel import HEIGHT, marks, nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row, cell_digest
from separatrix.training.budget import Budget

QUESTION = "Which constructions does training recover from noise on their weights?"
PREDICTION = "Each has weights nearby that solve its task, and how near training must start depends on how large its logits are."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 7", "bhattamishra2024 Remark 7")
DEVIATIONS = (0.001, 0.01)
RATES = (0.1, 0.01)  # of Adam, as shares of the deviation; the better one on validation counts
BUDGET = Budget(steps=200, batch=32, schedule="cosine", report_every=200, validation=200)
SECONDS = 12  # of a construction, on average
LINE = 15  # pixels of a construction


def cells(scale: str) -> list[dict[str, Any]]:
    """Every construction, at the first size that `verify --all` builds."""
    if scale == "paper":
        return []
    budget = replace(BUDGET, steps=2, report_every=2, validation=4, batch=2) if scale == "smoke" else BUDGET
    return [recover_trial(name, construction(name).quick[0], DEVIATIONS, RATES, budget, 0) for name in CONSTRUCTIONS]


CAPTION = (
    "Every construction, at the first size that `verify --all` builds, with normal noise of the "
    f"deviation shown on every weight, then {BUDGET.steps} steps of Adam on {BUDGET.batch} examples each, half a cosine, on what the "
    "program is judged by: the bits that it decodes, the vectors that it writes, or its targets. Accuracy on fresh inputs, a chain "
    "counting as a whole, one seed; the rate is a tenth or a hundredth of the deviation, whichever is better on other inputs. A "
    "construction that needs arithmetic that rounds has no gradient; one that addresses registers by one-hot rows is broken by any "
    "noise: these say why they were not trained. A question that the papers leave open."
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = tuple({"run": trial["run"]} for trial in cells("laptop"))
HOURS = {cell_digest(cell["run"]): round(SECONDS / 3600, 4) for cell in CELLS}


def run(cell: Cell) -> Result:
    """Not shipped: the rows of one construction."""
    from pathlib import Path

    from separatrix.runs.kinds.recover import recover

    return {"run": cell["run"], "rows": list(recover({"kind": "recover", **cell}, Path(), ()).rows)}


def rows(results: Sequence[Result | None]) -> list[Row]:
    """A row for each construction and deviation."""
    return [_row(cell["run"], deviation, result) for cell, result in zip(CELLS, results, strict=True) for deviation in DEVIATIONS]


def _row(run: dict[str, Any], deviation: float, result: Result | None) -> Row:
    """With noise, and after training at the rate that validation prefers."""
    of_noise = [] if result is None else [row for row in result["rows"] if row["deviation"] == deviation]
    before = next((row for row in of_noise if row.get("step") == 0), None)
    ends = [row for row in of_noise if row.get("step") == BUDGET.steps]
    after = max(ends, key=lambda row: row["accuracy"], default=None)
    why = next((row["reason"] for row in of_noise if row["kind"] == "refusal"), None)
    return {
        "construction": run["model"],
        "length": run["task_parameters"]["length"],
        "deviation": deviation,
        "trained_on": before and before["trained_on"],
        "rate": after and after["rate"],
        "error": before and before["error"],
        "error_after": after and after["error"],
        "accuracy": before and percent(before["tested"]),
        "accuracy_after": after and percent(after["tested"]),
        "status": "not run" if result is None else "run" if ends else f"not trained: {why}",
    }


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy of each construction before and after training, a panel for each deviation."""
    panels = []
    for deviation in DEVIATIONS:
        points = [
            {"construction": row["construction"], "after": after, "accuracy": row[field]}
            for row in rows
            for field, after in (("accuracy", "with noise"), ("accuracy_after", f"after {BUDGET.steps} steps"))
            if row["deviation"] == deviation and row[field] is not None
        ]
        title = f"Noise of deviation {deviation:g}"
        if points:
            panel = marks(points, title, ("accuracy", "accuracy, %"), "construction", "after", {"domain": [0, 100]}, [0.0, 25, 50, 75, 100])
            panels.append({**panel, "height": max(HEIGHT, LINE * len({point["construction"] for point in points}))})
    return side_by_side(*panels) if panels else nothing_run("Noise")


def answer(rows: list[Row]) -> Answer:
    """How many constructions are right again, by deviation."""
    ran = done(rows)
    if not ran:
        return NOTHING
    said = []
    for (deviation,), some in by(ran, "deviation").items():
        before, after = (sum(row[field] >= 95 for row in some) for field in ("accuracy", "accuracy_after"))
        said.append(
            f"with noise {deviation:g}, {before} of {len(some)} constructions are right on 95 % of the inputs, and {after} after training"
        )
    better = sum(row["accuracy_after"] > row["accuracy"] for row in ran) > sum(row["accuracy_after"] < row["accuracy"] for row in ran)
    return decided(better, f"{'; '.join(said)} (one seed).".capitalize())
