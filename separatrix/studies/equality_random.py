"""Which of six architectures learn whether two strings are equal, in the paper and here?

[bhattamishra2024 Figure 4; bhattamishra2024 Theorem 6]

Shipped rows are made by `separatrix sweep equality-random --overnight --store FILE`,
then `separatrix study equality-random --store FILE --out FILE`.
"""

from __future__ import annotations

from separatrix.studies.answer import NOTHING, Answer, decided, done, seeds_of
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure, with_room_for
from separatrix.studies.study import Row
from separatrix.training.budget import Budget

QUESTION = "Which of six architectures learn whether two strings are equal, in the paper and here?"
PREDICTION = "Two layers of attention learn it at every length; recurrent models need a state that grows with N."
CITES = ("bhattamishra2024 Figure 4", "bhattamishra2024 Theorem 6")


def needed(length: int) -> int:
    """Bits of state with which no input has to be wrong."""
    from separatrix.bounds.families.equality import equality_profile

    return equality_profile(length, 2, separator=True).bits


MEMORY = 200  # tokens over which the gates of an LSTM forget at first
LSTM = (100.0, 99.8, 99.7, 51.0, 49.7)  # printed
FIGURE = PrintedFigure(
    title="Equality",
    task="eq-random",
    lengths=(20, 50, 100, 200, 400),
    curves=(
        Curve("LSTM-(2,256)", LSTM, "lstm-2-64", (3e-3,), hours=(0.009, 0.033, 0.075)),
        Curve("LSTM-(2,256)", LSTM, "lstm-2-64", (3e-3,), (("memory", MEMORY),), named=" + memory", hours=(0.009, 0.033, 0.075)),
        Curve("LinTF-(2,256)", (100.0, 99.9, 99.5, 51.2, 50.7), "lintf-2-64", (1e-3,), (("deviation", 0.125),), hours=(0.019, 0.077, 0.19)),
        Curve("RetNet-(2,256)", (100.0, 100.0, 98.7, 50.9, 49.8), "retnet-2-64", (1e-3,), hours=(0.024, 0.087, 0.2)),
        Curve("DSS-(2,256)", (100.0, 99.9, 100.0, 99.9, 99.9), "dss-2-64", (1e-3,), hours=(0.017, 0.048, 0.12)),
        Curve("Mamba-(2,256)", (100.0, 99.3, 99.8, 99.6, 99.5), "mamba-2-64", (1e-3,), hours=(0.028, 0.11, 0.28)),
        Curve("TF-(2,256)", (100.0, 100.0, 100.0, 99.8, 99.9), "tf-2-64", (1e-3,), (("deviation", 0.125),), hours=(0.012, 0.045, 0.12)),
    ),
    here=(20, 50, 100, 200, 400),
    budget=Budget(
        steps=6000, batch=64, schedule="cosine", warmup=200, clip=1.0, validate_every=250, validation=1000, enough=0.998, patience=0
    ),
    steps=(3000, 5000, 6000),
    seeds=1,
    chance=50.0,
    paper=BHATTAMISHRA2024,
    ceiling=with_room_for(needed),
)

CAPTION = (
    "Two binary strings of N / 2 symbols around a separator, one half of them equal, tested on inputs of length N. The paper trains "
    f"width 256 for up to {BHATTAMISHRA2024.budget.steps:,} steps of {BHATTAMISHRA2024.budget.batch} examples; here width 64, at most "
    f"{max(FIGURE.steps):,} steps of {FIGURE.budget.batch}. Attention, standard and linear, starts from weights of deviation 1/8; an LSTM "
    f"`+ memory` from gates that forget over up to {MEMORY} tokens (Tallec and Ollivier, 2018). A random guess is right half of the time."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def answer(rows: list[Row]) -> Answer:
    """Attention at the largest length that was run, and whether the collapse of three models at long strings was reached."""
    ran = done(rows)
    tf = [row for row in ran if row["series"] == "tf-2-64"]
    if not tf:
        return NOTHING
    N = max(row["length"] for row in ran)
    at = ", ".join(f"{row['series']} {row['accuracy']:g}" for row in ran if row["length"] == N)
    collapse = [row for row in ran if row["length"] >= 200 and row["printed"] is not None and row["printed"] < 60]
    sentence = f"Accuracy at N = {N}, in %: {at} ({seeds_of(tf)})"
    if not collapse:
        return Answer("untested", f"{sentence}; the lengths at which the paper's LSTM, LinTF and RetNet fall to chance were not run.")
    return decided(all(row["accuracy"] < 60 for row in collapse) and min(row["accuracy"] for row in tf) > 99, f"{sentence}.", tested=False)
