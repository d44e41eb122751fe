"""Do efficient Transformers save operations on chains, at the widths that are really built?

[yang2024 Table 1] [yang2024 Claim 1] [yang2024 Claim 2] [yang2024 Claim 3] [yang2024 Remark 2]
"""

from __future__ import annotations

import math
from typing import Any

from separatrix.studies.answer import Answer, by, decided
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.representation import fitted_power
from separatrix.studies.study import Cell, Row, joined
from separatrix.tasks import task_class

QUESTION = "Do efficient Transformers save operations on chains, at the widths that are built?"
PREDICTION = "Not on dynamic programs in general, where linear and sparse attention need L^2 as standard attention does."
CITES = ("yang2024 Table 1", "yang2024 Theorem 4.2", "yang2024 Remark 2", "yang2024 Proposition 5.1", "yang2024 Proposition 5.4")
CAPTION = (
    "Operations over a whole chain of L tokens, 2 for each multiplication and addition, of the weights that are built in float64 and of "
    "the mixing of tokens. The power is the slope of log(operations) against log(L) by least squares over a row's lengths. At "
    "these lengths the quadratic part of the standard models is still small; what the paper predicts is the power in the limit. "
    "Open in the paper, and here: a linear Transformer for arithmetic, and one for local programs, near their lower bounds."
)
GENERAL = ("standard", "linear", "sparse")

AXIS = ("operations", "operations")

TRAINS = False
CELLS: tuple[Cell, ...] = (
    *({"program": "reverse-sum", "attention": way, "lengths": [25, 50, 100, 200]} for way in GENERAL),
    *({"program": "lis", "attention": way, "lengths": [4, 8, 12, 16]} for way in GENERAL),
    *({"program": "edit-distance", "attention": way, "lengths": [3, 6, 9, 12]} for way in GENERAL),
    {"program": "cellular-automaton", "attention": "window", "lengths": [6, 10, 16, 24]},
    {"program": "edit-distance-local", "attention": "window", "lengths": [3, 6, 9, 12]},
    {"program": "arithmetic", "attention": "sparse", "lengths": [2, 4, 8, 12]},
)
PREDICTED = {"standard": 2.0, "linear": 2.0, "sparse": 2.0, "window": 1.5}  # up to logarithms; a window of n in a chain of n^2
rows = joined


def run(cell: Cell) -> list[Row]:
    """Operations by length for one program on one kind of attention."""
    from separatrix.constructions import build
    from separatrix.models.chain_operations import operations

    name, costs = f"{cell['program']}/{cell['attention']}", []
    for length in cell["lengths"]:
        more = {"rows": length} if cell["program"] == "cellular-automaton" else {}
        config = build(name, length=length, **more).model.config
        costs.append((length, config, operations(config, config.length)))
    slope = round(fitted_power([config.length for _, config, _ in costs], [cost.total for _, _, cost in costs]), 2)
    predicted = 1.5 if cell["program"] == "arithmetic" else PREDICTED[cell["attention"]]
    return [
        {
            "program": cell["program"],
            "attention": cell["attention"],
            "length": length,
            "L": config.length,
            "width": config.width,
            "operations": cost.total,
            "of_mixing": cost.mixing,
            "per_token": math.ceil(cost.total / config.length),
            "power_of_L": slope,
            "predicted_power": predicted,
        }
        for length, config, cost in costs
    ]


def figure(rows: list[Row]) -> dict[str, Any]:
    """Operations against L, a panel for each program."""
    named = [{**row, "curve": f"{row['attention']}: L^{row['power_of_L']}"} for row in rows]
    programs = dict.fromkeys(str(row["program"]) for row in rows)
    panels = [
        curves([row for row in named if row["program"] == name], task_class(name).title, ("L", "L, tokens"), AXIS, "curve")
        for name in programs
    ]
    return side_by_side(*panels)


def answer(rows: list[Row]) -> Answer:
    """Whether any efficient model needs fewer operations than the standard one at the largest length of a general program."""
    ends = {key: some[-1] for key, some in by(rows, "program", "attention").items()}
    times, saves = [], False
    for (program, attention), row in ends.items():
        standard = ends.get((program, "standard"))
        if standard is not None and attention != "standard":
            times.append(row["operations"] / standard["operations"])
            saves = saves or row["power_of_L"] < standard["power_of_L"]
    powers = [
        row["power_of_L"] for (_, attention), row in ends.items() if attention in ("linear", "sparse") and row["predicted_power"] == 2
    ]
    said = f"Linear and sparse attention need {min(times):.0f} to {max(times):.0f} times the operations of standard attention here"
    return decided(min(times) > 1 and not saves, f"{said}, with powers of L between {min(powers):g} and {max(powers):g}.")
