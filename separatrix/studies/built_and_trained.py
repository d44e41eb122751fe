"""Index lookup in one shape of each architecture: built, trained from the built weights, and trained from fresh ones.

[bhattamishra2024 Theorem 2]

Starts of one and the same model: the built weights, the built weights with noise, and fresh weights as the package draws them.
"""

from __future__ import annotations

from typing import Any

from separatrix.studies.answer import NOTHING, Answer, decided
from separatrix.studies.learned import percent
from separatrix.studies.panel import HEIGHT, marks, side_by_side
from separatrix.studies.study import Cell, Row, concatenated
from separatrix.training.budget import Budget

QUESTION = "Does gradient descent stay at weights that are built, and does it find such weights in the same shape?"
PREDICTION = "It stays at every construction, also with a little noise, and from fresh weights it does not get there in as many steps."
CITES = ("bhattamishra2024 Theorem 2",)

N, SYMBOLS, SEED = 6, 2, 0
BY = ("elman", "gru", "lstm", "linear-attention", "retnet", "mamba", "mamba2", "deltanet", "gated-deltanet")
BUDGET = Budget(steps=200, batch=32, rate=1e-3, report_every=200, validation=400)
NOISE = 0.001  # deviation, on every weight
STARTS = ("built", "with noise", "fresh")

CAPTION = (
    f"Index lookup over {SYMBOLS} symbols, N = {N}: all {N * SYMBOLS**N:,} inputs are covered by the certificate. For each architecture "
    f"the shape of its construction, and {BUDGET.steps} steps of Adam at rate {BUDGET.rate:g} on the cross-entropy of {BUDGET.batch} "
    f"examples each, in float64, from three starts: the built weights, the built weights with normal noise of deviation {NOISE:g} on "
    f"every one, zeros included, and fresh weights. Accuracy on {BUDGET.validation} fresh inputs, before and after; a guess is right "
    "half of the time. One seed, one rate, few steps: that fresh weights are not there yet does not say that they never would be. "
    "Gains of 2^20 and saturated gates are far from what training starts with, and these shapes have neither norms nor spare width."
)

TRAINS, QUICK_TRAINING = False, True  # seconds
CELLS: tuple[Cell, ...] = tuple({"by": by} for by in BY)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """A row for each start of one architecture."""
    from separatrix.certificates.verify import verify
    from separatrix.checker import check_text
    from separatrix.constructions import build
    from separatrix.models.initialisation import SMALL, initialised
    from separatrix.training.loop import cross_entropy
    from separatrix.training.recovery import descend, disturbed

    built = build(f"index-lookup/{cell['by']}", length=N, symbols=SYMBOLS)
    strength = check_text(verify(built).to_json()).strength
    models = (built.model, disturbed(built.model, NOISE, SEED), initialised(built.model.config, SEED, SMALL))
    starts = dict(zip(STARTS, models, strict=True))
    found = []
    for start, model in starts.items():
        ends = [*descend(built, disturbed(model, 0.0, SEED), cross_entropy, NOISE if start == "with noise" else 0.0, BUDGET, SEED)]
        found.append(
            {
                "architecture": cell["by"],
                "certificate": strength,
                "layers": len(built.model.layers),
                "width": built.model.config.width,
                "parameters": sum(weight.numel() for weight in built.model.parameters()),
                "start": start,
                "accuracy": percent(ends[0].tested),
                "accuracy_after": percent(ends[-1].tested),
                "steps": BUDGET.steps,
            }
        )
    return found


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy of each architecture before and after training, a panel for each start."""
    panels = []
    for start in STARTS:
        points = [
            {"architecture": row["architecture"], "when": when, "accuracy": row[field]}
            for row in rows
            for field, when in (("accuracy", "before"), ("accuracy_after", f"after {BUDGET.steps} steps"))
            if row["start"] == start
        ]
        title = {"built": "Built weights", "with noise": f"With noise {NOISE:g}", "fresh": "Fresh weights"}[start]
        panel = marks(points, title, ("accuracy", "accuracy, %"), "architecture", "when", {"domain": [0, 100]}, [0.0, 25, 50, 75, 100])
        panels.append({**panel, "height": max(HEIGHT, 15 * len(BY))})
    return side_by_side(*panels)


def answer(rows: list[Row]) -> Answer:
    """Where descent stays, where noise is undone, and what fresh weights learn."""
    if not rows:
        return NOTHING
    after = {start: {row["architecture"]: row["accuracy_after"] for row in rows if row["start"] == start} for start in STARTS}
    left, lost = ([by for by in BY if after[start].get(by, 100) < 99] for start in STARTS[:2])
    learned = [by for by in BY if after["fresh"].get(by, 0) >= 99]

    def named(some: list[str]) -> str:
        return ", ".join(some) if some else "none"

    text = (
        f"Of {len(after['built'])} constructions gradient descent leaves {named(left)}; "
        f"with noise {NOISE:g} it does not return to {named(lost)}; from fresh weights it reaches 99 % in {named(learned)} (one seed)."
    )
    return decided(not left and not lost and not learned, text)
