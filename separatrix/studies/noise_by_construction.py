"""Which constructions does training recover from noise on their weights?

[bhattamishra2024 Theorem 1; bhattamishra2024 Theorem 6; bhattamishra2024 Theorem 7; bhattamishra2024 Remark 7]

As in noise_recovered.py: normal noise on every weight, zeros included, then steps of Adam on the squared error of the output bits.
"""

from __future__ import annotations

from typing import Any

from separatrix.studies.learned import percent
from separatrix.studies.panel import marks, side_by_side
from separatrix.studies.study import Cell, Row, joined
from separatrix.training.budget import Budget

QUESTION = "Which constructions does training recover from noise on their weights?"
PREDICTION = "Each has weights nearby that solve its task, and how near training must start depends on how large its logits are."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 7", "bhattamishra2024 Remark 7")
CAPTION = (
    "A question that the papers leave open. Every construction that decodes the bits of one answer, at N = 16 (brackets N = 8), with "
    "normal noise of the deviation shown on every weight and 60 steps of Adam at rate 3e-3 on the squared error of its output bits; "
    "accuracy on 200 fresh inputs before and after, one seed. Chance is one half, but for index lookup over 8 symbols (12.5 %). Index "
    "lookup, equality and normal forms stand or come back; intersection stands the smaller noise only. Recall, nearest neighbours, "
    "PARITY, brackets and thresholds, whose logits or factors are larger, are lost or nearly so at noise that index lookup does not "
    "feel, and so few steps leave them at chance or bring them there."
)
STEPS, RATE, SEED = 60, 3e-3, 0
DEVIATIONS = (0.01, 0.03)
CONSTRUCTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("index-lookup", {"length": 16, "symbols": 8}),
    ("equality", {"length": 16}),
    ("intersects", {"length": 16}),
    ("k-dnf", {"length": 16, "k": 2}),
    ("sparse-threshold", {"length": 16}),
    ("associative-recall", {"length": 16}),
    ("nearest-neighbor", {"length": 16}),
    ("parity/soft-attention", {"length": 16}),
    ("dyck/three-layer", {"length": 8}),
)
BUDGET = Budget(steps=STEPS, batch=64, rate=RATE, report_every=STEPS, validate_every=STEPS, validation=200)

TRAINS = False  # about a second each
CELLS: tuple[Cell, ...] = tuple(
    {"construction": name, "settings": settings, "deviation": deviation} for deviation in DEVIATIONS for name, settings in CONSTRUCTIONS
)
rows = joined


def run(cell: Cell) -> list[Row]:
    """Accuracy before and after training, from one deviation."""
    from separatrix.constructions import build
    from separatrix.training.output_bits import recover

    built = build(cell["construction"], **cell["settings"])
    return [
        {
            "construction": cell["construction"],
            "length": cell["settings"]["length"],
            "deviation": cell["deviation"],
            "after": "with noise" if point.step == 0 else f"after {point.step} steps",
            "squared_error": float(f"{point.error:.3g}"),
            "accuracy": percent(point.accuracy),
        }
        for point in recover(built, cell["deviation"], BUDGET, SEED)
    ]


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy of each construction before and after training, a panel for each deviation."""
    panels = []
    for deviation in DEVIATIONS:
        some = [row for row in rows if row["deviation"] == deviation]
        ticks = [0.0, 25, 50, 75, 100]
        title = f"Noise of deviation {deviation:g}"
        panels.append(marks(some, title, ("accuracy", "accuracy, %"), "construction", "after", {"domain": [0, 100]}, ticks))
    return side_by_side(*panels)
