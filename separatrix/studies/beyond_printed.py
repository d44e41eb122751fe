"""Does what the papers find go on at lengths and widths that they did not train?

[bhattamishra2024 Experiment 2; bhattamishra2024 Experiment 3]

Shipped rows are made by `separatrix sweep beyond-printed --overnight --store FILE`,
then `separatrix study beyond-printed --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from separatrix.studies.answer import NOTHING, Answer, decided, done, seeds_among
from separatrix.studies.learned import TrainingRun
from separatrix.studies.study import Row
from separatrix.studies.trained_cells import NamedRun, Panel, TrainedCells
from separatrix.training.budget import Budget

QUESTION = "Beyond the paper's lengths and below its widths, what do an LSTM on brackets and one layer of attention on lookup still learn?"
PREDICTION = "Three bits of state are enough for brackets at every length, and a width of order log N for lookup: small models should do."
CITES = ("bhattamishra2024 Experiment 2", "bhattamishra2024 Experiment 3")
CAPTION = (
    "First panel: Dyck-(2, 2) by one layer of LSTM of width 64, at the paper's largest length and at twice that; second: the same at a "
    "small length, by width; third: index lookup by one layer of attention, by width, with 4 heads. A question that the papers leave "
    "open: the first ends at N = 400 and begins at width 64 (Mamba: 32)."
)


@dataclass(frozen=True)
class Beyond:
    """A point beyond the paper: a task, a size, and the core-hours of a run with all its steps."""

    panel: str
    task: str
    length: int
    model: str
    width: int
    rate: float
    hours: float
    seeds: int = 1


LONGER, NARROWER, LOOKUP = "Dyck-(2, 2), LSTM of width 64", "Dyck-(2, 2), N = 50, LSTM", "Index lookup, N = 50, one layer of attention"
POINTS = (
    Beyond(LONGER, "dyck", 400, "lstm-1-64", 64, 3e-3, 0.07),
    Beyond(LONGER, "dyck", 800, "lstm-1-64", 64, 3e-3, 0.15),
    *(Beyond(NARROWER, "dyck", 50, f"lstm-1-{width}", width, 1e-2, 0.008, 2) for width in (4, 8, 16, 32)),
    *(Beyond(LOOKUP, "index-lookup", 50, f"tf-1-{width}", width, 3e-3, 0.006, 2) for width in (8, 16, 32)),
)
PANELS = {LONGER: ("length", "N, brackets"), NARROWER: ("width", "width"), LOOKUP: ("width", "width")}
BUDGET = Budget(steps=3000, batch=64, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=1000, enough=0.998)
STUDY = TrainedCells(
    "Beyond the paper",
    tuple(
        NamedRun(
            {"panel": at.panel, "series": at.model.rpartition("-")[0], "length": at.length, "width": at.width, "seed": seed},
            TrainingRun(at.task, at.length, at.model, replace(BUDGET, rate=at.rate), seed),
            at.hours,
            smoke=10 if at.model in ("lstm-1-4", "tf-1-8") and seed == 0 else 0,
        )
        for at in POINTS
        for seed in range(at.seeds)
    ),
    tuple(Panel(title, x, (("panel", title),)) for title, x in PANELS.items()),
)

TRAINS = PARTIAL = True
CELLS, HOURS = STUDY.data, STUDY.hours
cells, run, rows, figure = STUDY.cells, STUDY.run, STUDY.rows, STUDY.figure


def answer(rows: list[Row]) -> Answer:
    """Whether every panel has a point at 99 % where the prediction says that there should be one."""
    ran = done(rows)
    if not ran:
        return NOTHING
    longest = max((row for row in ran if row["panel"] == LONGER), key=lambda row: row["length"], default=None)
    least = {
        panel: min((row["width"] for row in ran if row["panel"] == panel and row["accuracy"] >= 99), default=None)
        for panel in (NARROWER, LOOKUP)
    }
    brackets = (
        "" if longest is None else f"an LSTM of width 64 has {longest['accuracy']:g} % on brackets at N = {longest['length']}, one seed"
    )
    widths = []
    for panel, what in ((NARROWER, "on brackets"), (LOOKUP, "on lookup")):
        some = [row for row in ran if row["panel"] == panel]
        if some:
            reached = "no width" if least[panel] is None else f"width {least[panel]}"
            widths.append(f"{what} at N = 50 {reached} reached 99 % (the best of {seeds_among(some, 'width')})")
    holds = longest is not None and longest["accuracy"] >= 99 and None not in least.values()
    sentence = "; ".join([part for part in (brackets, *widths) if part])
    return decided(holds, f"{sentence[0].upper()}{sentence[1:]}.", tested=False)
