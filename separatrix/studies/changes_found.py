"""At which places does a trained model find the one symbol that was changed?

[bhattamishra2024 Experiment 6; bhattamishra2024 Task 13]

Nothing is trained here: rows of equality_one.py say, for each place, how often it was changed and how often the answer was right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.studies.answer import Answer, by, decided, first
from separatrix.studies.equality_one import FIGURE
from separatrix.studies.learned import percent, percentages
from separatrix.studies.panel import nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row

QUESTION = "At which places does a trained model find the one symbol that was changed?"
PREDICTION = "A model that counts symbols finds a change anywhere; one that compares places finds it only where it learned to."
CITES = ("bhattamishra2024 Experiment 6", "bhattamishra2024 Task 13")
CAPTION = (
    "Right answers of `separatrix study equality-one` among those test inputs whose change stands "
    "at a place; place `none`, the last, is that of equal strings, where the right answer is that nothing was changed. A model that calls "
    "every string changed is right at every place and wrong there. Older runs did not record places and are left out. A question "
    "that the papers leave open."
)

EVEN = 25  # percentage points between the best and the worst place of a model that finds changes alike everywhere
NONE = "none"  # the place of a change that was not made

TRAINS = PARTIAL = True
RESULTS_OF = "equality-one"
CELLS: tuple[Cell, ...] = FIGURE.data
run = FIGURE.run


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by length, model and place."""
    return [
        {
            "length": one.length,
            "series": curve.series,
            "place": place if place <= one.length // 2 else NONE,
            "changed": asked,
            "accuracy": percent(right / asked),
        }
        for (curve, one), result in zip(FIGURE.planned(), results, strict=True)
        if result is not None and len(result["test"]["asked"]) > 1  # earlier runs noted only where the answer was read
        for place, asked, right in result["test"]["asked"]
    ]


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against the place of the change, and on equal strings: a panel for each length."""
    panels = [_panel(N, at) for N in FIGURE.here if (at := [row for row in rows if row["length"] == N])]
    return side_by_side(*panels) if panels else nothing_run("Eq-one by the place of the change")


def _panel(N: int, rows: list[Row]) -> dict[str, Any]:
    """Equal strings come last: a model that calls all strings changed is right at every place, and never there."""
    panel = percentages(
        rows, f"Eq-one by the place of the change, N = {N}", ("place", "place of the changed symbol; last: equal strings"), "series"
    )
    panel["encoding"]["x"]["sort"] = [*range(1, N // 2 + 1), NONE]
    return panel


def answer(rows: list[Row]) -> Answer:
    """How far apart the places are that a model finds best and worst, among models that also know equal strings."""
    spread = {}
    for (N, series), some in by(rows, "length", "series").items():
        places = [row["accuracy"] for row in some if row["place"] != NONE]
        equal = first(some, place=NONE)
        if equal is not None and equal["accuracy"] > 75 and max(places) > 75:
            spread[f"{series} at N = {N}"] = places
    if not spread:
        return decided(False, "No model that knows equal strings finds changes within these steps.", tested=False)
    one_by_one = {name: places for name, places in spread.items() if max(places) - min(places) > EVEN}
    said = [
        f"{name} finds a change at {sum(share >= 95 for share in places)} of {len(places)} places (95 % or more) and at "
        f"{sum(share <= 5 for share in places)} hardly ever (5 % or less)"
        for name, places in one_by_one.items()
    ]
    alike = [
        f"{name} finds it at every place alike ({min(at):g} to {max(at):g} %)" for name, at in spread.items() if name not in one_by_one
    ]
    hard = "What makes Eq-one hard here is that places are learned one by one, each from one input in N: " if said else ""
    return decided(bool(said and alike), f"{hard}{', '.join([*said, *alike])} (one seed).")
