"""What do the printed operations of three kinds of attention count?

[yang2024 Table 2; yang2024 Experiment 6]

    D    width of the narrowest model with over 90 % on Arithmetic, read off the table       L    words of a chain
    2 (4 D^2 + 8 D^2) for each of 3 layers are 72 D^2 operations of the weights for each word
"""

from __future__ import annotations

from typing import Any

from separatrix.studies.answer import Answer, by, decided
from separatrix.studies.panel import PRINTED, curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

QUESTION = "What do the printed operations of three kinds of attention count, and does the ranking stand when all are counted?"
PREDICTION = "The standard Transformer needs the fewest operations for 90 % on Arithmetic at all four lengths."
CITES = ("yang2024 Table 2", "yang2024 Experiment 6")
CAPTION = (
    "Printed: the paper's GFLOPs of the smallest model with over 90 % on Arithmetic. Weights: (L + 2) 72 D^2 for the width D at which "
    "this comes closest; neighbouring widths differ by a factor of 4, so D is certain, while the offset 2 is fitted. All: the same with "
    "the mixing of tokens and the read-out over 21 words, counted on the paper's configurations. The table leaves out the mixing, the one "
    "part in which these models differ. Which model reaches 90 % is the paper's finding, not ours."
)
LENGTHS = (87, 221, 355, 505)
PRINTED_GFLOPS = {
    "standard": (0.027, 0.266, 0.426, 0.605),
    "linear": (0.422, 4.220, 6.756, 9.584),
    "sparse": (0.106, 1.055, 1.690, 2.399),
}
WORDS, GIGA = 21, 10**9

TRAINS = False
CELLS: tuple[Cell, ...] = tuple({"attention": attention} for attention in PRINTED_GFLOPS)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """One kind of attention at all four lengths."""
    return [counted(cell["attention"], L, printed) for L, printed in zip(LENGTHS, PRINTED_GFLOPS[cell["attention"]], strict=True)]


def counted(attention: str, L: int, printed: float) -> Row:
    """The width behind a printed number, and what that model computes."""
    from separatrix.models import model_for
    from separatrix.models.chain_operations import operations

    width = min((32, 64, 128, 256, 512, 1024), key=lambda D: abs(weights(L, D) - printed))
    model: Any = model_for(f"yang2024-{attention}-3-{width}", {"vocabulary": WORDS, "targets": WORDS, "length": L, "seed": 0}, {})
    everything = operations(model.config, L)
    return {
        "attention": attention,
        "L": L,
        "width": width,
        "printed": printed,
        "weights": round(weights(L, width), 3),
        "difference_percent": round(100 * (weights(L, width) / printed - 1), 1),
        "all": round(everything.total / GIGA, 3),
        "of_mixing": round(everything.mixing / GIGA, 3),
    }


def weights(L: int, D: int) -> float:
    """GFLOPs of the weights alone."""
    return (L + 2) * 72 * D * D / GIGA


def figure(rows: list[Row]) -> dict[str, Any]:
    """GFLOPs against L: printed, and with everything."""
    printed = [{**row, "curve": f"{row['attention']} {PRINTED}", "gflops": row["printed"]} for row in rows]
    ours = [{**row, "curve": f"{row['attention']}, everything", "gflops": row["all"]} for row in rows]
    alone = [{**row, "curve": f"{row['attention']}, weights alone", "gflops": row["weights"]} for row in rows]
    panels = (([*printed, *alone], "Operations of the weights"), ([*printed, *ours], "Operations of everything"))
    return side_by_side(*(curves(some, title, ("L", "L, tokens"), ("gflops", "GFLOPs"), "curve", "x") for some, title in panels))


def answer(rows: list[Row]) -> Answer:
    """The ranking at every length when all operations are counted."""
    lengths = by(rows, "L")
    holds = all(min(some, key=lambda row: float(row["all"]))["attention"] == "standard" for some in lengths.values())
    closest = max(abs(row["difference_percent"]) for row in rows)
    factor = min(
        row["all"] / next(one["all"] for one in lengths[row["L"],] if one["attention"] == "standard")
        for row in rows
        if row["attention"] != "standard"
    )
    said = f"With the mixing counted, linear and sparse attention take at least {factor:.1f} times the operations of standard attention"
    return decided(holds, f"{said}; the printed counts are reproduced within {closest:g} %.")
