"""Do efficient Transformers save operations on chains, at the widths that are really built?

[yang2024 Table 1] [yang2024 Claim 1] [yang2024 Claim 2] [yang2024 Claim 3] [yang2024 Claim 5] [yang2024 Claim 7] [yang2024 Remark 2]
"""

from __future__ import annotations

import math
from typing import Any

from separatrix.studies.answer import Answer, by, decided
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.representation import fitted_power
from separatrix.studies.size_laws import SizeLaw
from separatrix.studies.study import Cell, Row, concatenated
from separatrix.tasks import task_class

QUESTION = "Do efficient Transformers save operations on chains, at the widths that are built?"
PREDICTION = "Not on dynamic programs in general, where linear and sparse attention need L^2 as standard attention does."
CITES = ("yang2024 Table 1", "yang2024 Theorem 4.2", "yang2024 Remark 2", "yang2024 Proposition 5.1", "yang2024 Proposition 5.4")
CAPTION = (
    "Operations over a whole chain of L tokens, 2 for each multiplication and addition, of the weights that are built in float64 and of "
    "the mixing of tokens. Weights are built up to some hundred tokens. Beyond, every size of a configuration is the affine function of "
    "ceil(sqrt L), or of N where the width is constant, through two built ones; it is compared with two more; ED_Local has no such law. "
    "The power is the slope of log(operations) against log(L) by least squares from 10^4 tokens on; among built weights the quadratic "
    "part is still small. "
    "Open in the paper, and here: a linear Transformer for arithmetic, and one for local programs, near their lower bounds."
)
GENERAL = ("standard", "linear", "sparse")

AXIS = ("operations", "operations")

TRAINS = False
TOKENS = (1_000, 3_000, 10_000, 30_000, 100_000)  # by formula, about
ASYMPTOTIC = 9_000  # tokens from which on the power is fitted
CELLS: tuple[Cell, ...] = (
    *({"program": "reverse-sum", "attention": way, "lengths": [25, 50, 100, 200]} for way in GENERAL),
    *({"program": "lis", "attention": way, "lengths": [10, 13, 17, 24]} for way in GENERAL),
    *({"program": "edit-distance", "attention": way, "lengths": [4, 6, 9, 12]} for way in GENERAL),
    {"program": "cellular-automaton", "attention": "window", "lengths": [6, 10, 16, 24]},
    {"program": "edit-distance-local", "attention": "window", "lengths": [3, 6, 9, 12], "alone": True},
    {"program": "arithmetic", "attention": "sparse", "lengths": [2, 4, 8, 12]},
)
PREDICTED = {"standard": 2.0, "linear": 2.0, "sparse": 2.0, "window": 1.5}  # up to logarithms; a window of n in a chain of n^2
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """Operations by length for one program on one kind of attention: of built weights, and beyond by formula."""
    from separatrix.constructions import build
    from separatrix.models.chain_operations import operations

    name, built = f"{cell['program']}/{cell['attention']}", {}
    for length in cell["lengths"]:
        more = {"rows": length} if cell["program"] == "cellular-automaton" else {}
        built[length] = build(name, length=length, **more).model.config
    general = cell["attention"] in ("linear", "sparse") and cell["program"] != "arithmetic"
    configs = [(length, config, "built") for length, config in built.items()]
    if not cell.get("alone"):
        law = SizeLaw(built, general)
        configs += [(length, law.config(length), "formula") for length in (law.length_for(L) for L in TOKENS)]
    costs = [(length, config, by, operations(config, config.length)) for length, config, by in configs]
    last = costs if cell.get("alone") else [row for row in costs if row[1].length >= ASYMPTOTIC]
    late = [(config.length, cost.total) for _, config, _, cost in last]
    slope = round(fitted_power([L for L, _ in late], [total for _, total in late]), 2)
    predicted = 1.5 if cell["program"] == "arithmetic" else PREDICTED[cell["attention"]]
    return [
        {
            "program": cell["program"],
            "attention": cell["attention"],
            "by": by,
            "length": length,
            "L": config.length,
            "width": config.width,
            "operations": cost.total,
            "of_mixing": cost.mixing,
            "per_token": math.ceil(cost.total / config.length),
            "power_of_L": slope,
            "predicted_power": predicted,
        }
        for length, config, by, cost in costs
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
