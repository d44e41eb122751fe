"""Which of six architectures learn to repeat a string, in the paper and here?

[bhattamishra2024 Figure 4; bhattamishra2024 Experiment 7]

Shipped rows are made by `separatrix sweep equality-copied --overnight --store FILE`,
then `separatrix study equality-copied --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies.answer import NOTHING, Answer, done, seeds_of
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure, with_room_for
from separatrix.studies.study import Row
from separatrix.training.budget import Budget

QUESTION = "Which of six architectures learn to repeat a string, in the paper and here?"
PREDICTION = "Two layers of attention repeat a string of any length; recurrent models repeat what their state holds."
CITES = ("bhattamishra2024 Figure 4", "bhattamishra2024 Experiment 7")


def needed(length: int) -> int:
    """Bits of state with which no input has to be wrong."""
    from separatrix.bounds.families.equality import repetition_profile

    return repetition_profile(length, 1024).bits


BUDGET = Budget(
    steps=20000, batch=64, schedule="cosine", warmup=200, clip=1.0, validate_every=500, validation=500, enough=0.998, patience=0
)
PATIENT = replace(BUDGET, steps=30000)
LARGER = (("deviation", 0.125),)  # initial weights
GATED = (*LARGER, ("gated", True), ("positions", "learned"))
DSS = (100.0, 99.9, 92.5, 0.1, 0.0)  # in the paper
FIGURE = PrintedFigure(
    title="Equality, completed",
    task="eq-ncp",
    lengths=(100, 200, 400, 600, 800),
    curves=(
        Curve("LSTM-(2,64)", (99.4, 99.6, 0.0, 0.0, 0.0), "lstm-2-64", (3e-3,), budget=PATIENT, hours=(0.18, 0.8)),
        Curve("LinTF-(2,64)", (99.9, 99.4, 0.0, 0.0, 0.0), "lintf-2-64", (1e-3,), LARGER, hours=(0.14, 1.2)),
        Curve("RetNet-(2,64)", (99.8, 99.9, 0.2, 0.0, 0.0), "retnet-2-64", (1e-3,), LARGER, hours=(0.14, 1.5)),
        Curve("DSS-(2,64)", DSS, "dss-2-64", (1e-3,), LARGER, hours=(0.14, 0.94)),
        Curve("DSS-(2,64)", DSS, "dss-2-64", (4e-3,), GATED, named=" + gates, positions", hours=(0.11, 0.94)),
        Curve("Mamba-(2,64)", (99.9, 99.3, 89.8, 0.0, 0.0), "mamba-2-64", (1e-3,), LARGER, hours=(0.14, 1.3)),
        Curve("TF-(2,64)", (100.0, 99.9, 99.8, 99.9, 99.8), "tf-2-64", (1e-3,), LARGER, hours=(0.12, 1.1)),
        Curve("DSS-(2,256)", None, "dss-2-128", (4e-3,), GATED, named=" + gates, positions", hours=(0.24, 1.8)),
    ),
    here=(20, 100, 200, 400, 600, 800),
    budget=BUDGET,
    steps=(10000, 20000),
    seeds=1,
    repeats=1,
    paper=BHATTAMISHRA2024,
    ceiling=with_room_for(needed),
    watched=20,
)

CAPTION = (
    "The first half of N symbols out of 1024 is repeated after a separator, and a row counts if every symbol of the second half is right. "
    f"The paper trains width 64 for up to 250 thousand steps of 64 examples; here the same width, at most {BUDGET.steps:,} steps of "
    f"{BUDGET.batch} ({PATIENT.steps:,} for the LSTM), from initial weights of deviation 1/8. How far back the symbol to repeat stands "
    "depends on the length of the string, and the filters of DSS are fixed: it is trained a second time with gated outputs and learned "
    "positions. The paper also says, without numbers, that a wider DSS repeats up to 800 symbols; here one of width 128."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def answer(rows: list[Row]) -> Answer:
    """What was run beside the paper's lengths."""
    ran = done(rows)
    if not ran:
        return NOTHING
    N = max(row["length"] for row in ran)
    at = ", ".join(f"{row['series']} {row['accuracy']:g}" for row in ran if row["length"] == N)
    printed = [row for row in ran if row["printed"] is not None]
    cells = sum(row["printed"] is not None and row["status"] != "printed" for row in rows)
    sentence = f"Accuracy at N = {N}, in %: {at}; of the {cells} cells at the paper's lengths {len(printed)} were run ({seeds_of(ran)})"
    close = all(abs(row["difference"]) <= 5 for row in printed)
    return Answer("held" if len(printed) == cells and close else "untested", f"{sentence}.")
