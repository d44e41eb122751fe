"""How close to a construction must training start to recover it?

[bhattamishra2024 Theorem 1; bhattamishra2024 Remark 7]

Training starts from built weights with normal noise on every one of them. The objective is the squared error on the output bits.
"""

from __future__ import annotations

from typing import Any

from separatrix.studies.answer import NOTHING, Answer, decided
from separatrix.studies.learned import percent, percentages
from separatrix.studies.panel import side_by_side
from separatrix.studies.study import Cell, Row, concatenated
from separatrix.training.budget import Budget

QUESTION = "How much noise on the built weights can training undo?"
PREDICTION = (
    "Weights that solve the task exist at logarithmic width; that says nothing about learning them, unless training starts close enough."
)
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Remark 7")

N, SYMBOLS, SEED = 16, 8, 0
DEVIATIONS = (0.0, 0.03, 0.1, 0.2, 0.3, 0.5)
BUDGET = Budget(steps=400, batch=64, rate=3e-3, report_every=100, validate_every=400, validation=500)


CAPTION = (
    f"Index lookup over {SYMBOLS} symbols, N = {N}, binary addresses. Every weight of the construction, zeros included, gets normal noise "
    f"of the deviation shown, and {BUDGET.steps} steps of Adam on the squared error of the output bits follow; accuracy is that of the "
    "decoded symbol on fresh inputs. Without noise the error is exactly 0, so is its gradient, and no weight moves. One seed and one rate: "
    "more steps recover more."
)

TRAINS, QUICK_TRAINING = False, True  # seconds
CELLS: tuple[Cell, ...] = tuple({"deviation": deviation} for deviation in DEVIATIONS)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """Error and accuracy during recovery from one deviation."""
    from separatrix.constructions import build
    from separatrix.training.recovery import recover

    built = build("index-lookup", length=N, symbols=SYMBOLS)
    return [
        {
            "noise": f"noise {cell['deviation']:g}",
            "deviation": cell["deviation"],
            "step": point.step,
            "squared_error": float(f"{point.error:.3g}"),
            "accuracy": percent(point.accuracy),
        }
        for point in recover(built, cell["deviation"], BUDGET, SEED)
    ]


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against training steps, and final accuracy against the noise."""
    last = [{**row, "after": f"after {row['step']} steps"} for row in rows if row["step"] in (0, BUDGET.steps)]
    return side_by_side(
        percentages(rows, "Accuracy during recovery", ("step", "steps of 64 examples"), "noise", linear=True),
        percentages(last, "Accuracy by noise", ("deviation", "deviation of the noise"), "after"),
    )


def answer(rows: list[Row]) -> Answer:
    """The largest noise that training undoes, and what it leaves of the largest."""
    ends = [row for row in rows if row["step"] == BUDGET.steps]
    if not ends:
        return NOTHING
    undone = max((row["deviation"] for row in ends if row["accuracy"] >= 99), default=0.0)
    worst = max(ends, key=lambda row: row["deviation"])
    holds = 0 < undone < worst["deviation"]
    left = f"after noise of {worst['deviation']:g} they only get back to {worst['accuracy']:g} %"
    return decided(holds, f"{BUDGET.steps} steps of training undo noise of standard deviation {undone:g}; {left} (one seed).")
