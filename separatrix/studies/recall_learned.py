"""Can one layer of attention learn associative recall?

[bhattamishra2024 Theorem 7; bhattamishra2024 Question 2; bhattamishra2024 Task 6]

Shipped rows are made by `separatrix sweep recall-learned --overnight --store FILE`,
then `separatrix study recall-learned --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies.answer import NOTHING, Answer, decided, done
from separatrix.studies.learned import TrainingRun
from separatrix.studies.study import Row
from separatrix.studies.trained_cells import NamedRun, Panel, TrainedCells
from separatrix.training.budget import Budget

QUESTION = "Can one layer of attention learn associative recall, where two layers can?"
PREDICTION = "Two layers of width of order log N can do it; whether one layer of small width can is not known."
CITES = ("bhattamishra2024 Theorem 7", "bhattamishra2024 Question 2", "bhattamishra2024 Task 6")
CAPTION = (
    "MQAR with N / 2 pairs of a key out of N and one of two labels, each key asked for once; an "
    "input counts only if all its N / 2 labels are right. Width 64, 4 heads, learned positions, initial deviation 1/8. `separatrix study "
    "wide-or-deep` varies the width. The papers leave the question open."
)
MODELS = {"one layer": "tf-1-64", "two layers": "tf-2-64"}
LENGTHS = {4: (3000, 0.005, 0.009), 8: (3000, 0.008, 0.015), 16: (6000, 0.028, 0.047)}  # steps, core-hours of one layer and of two
SEEDS = 2
BUDGET = Budget(batch=64, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=1000, enough=0.998)
STUDY = TrainedCells(
    "Recall by depth",
    tuple(
        NamedRun(
            {"series": series, "length": N, "seed": seed},
            TrainingRun("mqar", N, model, replace(BUDGET, steps=steps), seed, (("deviation", 0.125),)),
            hours[series == "two layers"],
            smoke=4 if (N, seed) == (4, 0) else 0,
        )
        for series, model in MODELS.items()
        for N, (steps, *hours) in LENGTHS.items()
        for seed in range(SEEDS)
    ),
    (Panel("All labels of MQAR right, width 64", ("length", "N, twice the pairs")),),
)

TRAINS = PARTIAL = True
CELLS, HOURS, SWEEP = STUDY.data, STUDY.hours, STUDY.sweep
cells, run, rows, figure = STUDY.cells, STUDY.run, STUDY.rows, STUDY.figure


def answer(rows: list[Row]) -> Answer:
    """Whether two layers learn it at the largest length that both were trained at, and what one layer has there."""
    ran = done(rows)
    lengths = [N for N in LENGTHS if {row["series"] for row in ran if row["length"] == N} == set(MODELS)]
    if not lengths:
        return NOTHING
    N = lengths[-1]
    one, two = (max(row["accuracy"] for row in ran if (row["series"], row["length"]) == (series, N)) for series in MODELS)
    seeds = len({row["seed"] for row in ran if row["length"] == N})
    said = f"With {N // 2} pairs one layer of width 64 has {one:g} % and two layers {two:g} % (best of {seeds} seeds)"
    return decided(two >= 99, f"{said}; that one layer did not learn it is no proof that it cannot.", tested=False)
