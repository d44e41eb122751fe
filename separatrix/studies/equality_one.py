"""Which architectures learn whether two strings are equal if they differ in one place at most?

[bhattamishra2024 Experiment 6; bhattamishra2024 Task 13]

Shipped rows are made by `separatrix sweep equality-one --overnight --store FILE`,
then `separatrix study equality-one --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies.answer import NOTHING, Answer, decided, done, seeds_of
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure, with_room_for
from separatrix.studies.study import Row
from separatrix.training.budget import Budget

QUESTION = "Which architectures learn whether two strings are equal if they differ in one place at most?"
PREDICTION = "All six do at every length up to 400, because counting each symbol is enough."
CITES = ("bhattamishra2024 Experiment 6", "bhattamishra2024 Task 13")


def needed(length: int) -> int:
    """Bits of state with which no input has to be wrong."""
    from separatrix.bounds.families.equality import equality_profile

    return equality_profile(length, 1024, separator=True).bits


BUDGET = Budget(
    steps=12000, batch=64, schedule="cosine", warmup=200, clip=1.0, validate_every=1000, validation=1000, enough=0.998, patience=0
)
PATIENT = replace(BUDGET, steps=40000)  # for what gets further with them
LARGER = (("deviation", 0.125),)  # initial weights
GATED = (*LARGER, ("gated", True), ("positions", "learned"))
FIGURE = PrintedFigure(
    title="Eq-one",
    task="eq-one",
    lengths=(20, 50, 100, 200, 400),
    curves=(
        Curve("LSTM-(2,256)", None, "lstm-2-64", (3e-3,), hours=(0.056, 0.093)),
        Curve("LinTF-(2,256)", None, "lintf-2-64", (1e-3,), LARGER, hours=(0.088, 0.23)),
        Curve("RetNet-(2,256)", None, "retnet-2-64", (1e-3,), LARGER, hours=(0.092, 0.2)),
        Curve("DSS-(2,256)", None, "dss-2-64", (1e-3,), LARGER, hours=(0.1, 0.15)),
        Curve("DSS-(2,256)", None, "dss-2-64", (4e-3,), GATED, named=" + gates, positions", hours=(0.1, 0.15)),
        Curve("Mamba-(2,256)", None, "mamba-2-64", (1e-3,), LARGER, hours=(0.14, 0.29)),
        Curve("TF-(2,256)", None, "tf-2-64", (1e-3,), LARGER, budget=PATIENT, hours=(0.2, 0.43)),
    ),
    here=(20, 50, 100, 200, 400),
    budget=BUDGET,
    seeds=1,
    repeats=1,
    paper=BHATTAMISHRA2024,
    ceiling=with_room_for(needed),
    watched=20,
    chance=50.0,
)

CAPTION = (
    "Eq-one: two strings of N / 2 symbols out of 1024 around a separator; one half of the inputs repeat the first string, the others "
    "change one symbol of it. The paper says in words that all models are near perfect up to 400 and prints no numbers; its models have "
    f"width 256, here 64, with at most {BUDGET.steps:,} steps of {BUDGET.batch} examples (the Transformer {PATIENT.steps:,}), from "
    "initial weights of deviation 1/8 but for the LSTM. Training draws lengths from 2 to N, and short strings are learned first; where "
    "changes are found is `separatrix study changes-found`. A random guess is right half of the time."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def answer(rows: list[Row]) -> Answer:
    """Whether any model is near perfect, at the least length; a run that no longer rises counts against the prediction."""
    ran = done(rows)
    if not ran:
        return NOTHING
    N = min(row["length"] for row in ran)
    at = [row for row in ran if row["length"] == N]
    said = ", ".join(f"{row['series']} {row['accuracy']:g}" for row in at)
    flat = [row["series"] for row in at if row["accuracy"] < 99 and not row["rising"]]
    sentence = f"Not reproduced: accuracy at N = {N}, in %: {said}; no longer rising: {', '.join(flat) or 'none'} ({seeds_of(at)})."
    if all(row["accuracy"] >= 99 for row in at):
        return Answer("held", f"All are near perfect at N = {N}; accuracy in %: {said}.")
    return decided(False, sentence, tested=bool(flat))
