"""Which models learn to check nested brackets as strings grow, in the paper and here?

[bhattamishra2024 Figure 2; bhattamishra2024 Experiment 3; bhattamishra2024 Theorem 5]

Shipped rows are made by `separatrix sweep dyck-printed --overnight --store FILE`,
then `separatrix study dyck-printed --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure, with_room_for
from separatrix.training.budget import Budget

QUESTION = "Which models learn to check nested brackets as strings grow, in the paper and here?"
PREDICTION = (
    "A small LSTM, a small Mamba and two layers of attention do at every length, and one layer of attention, even a wide one, is slower."
)
CITES = ("bhattamishra2024 Figure 2", "bhattamishra2024 Experiment 3", "bhattamishra2024 Theorem 5")
CAPTION = (
    "Dyck-(2, 2), one half members, tested on 2000 strings of length N. The paper draws validation curves at N = 400 and says in words "
    "that LSTM-(1,64), Mamba-(1,64) and TF-(2,64) are near perfect up to 400 and TF-(1,256) up to 100; it prints no numbers. Here the "
    "same models, at most 6000 steps of 128 examples (Mamba: 2500), stopping at 99.8 % of 1000 validation strings. Initial weights of "
    "TF-(2,64) have deviation 1/8, those of TF-(1,256) 0.04: from GPT-2's 0.02 both had not left chance after 2000 steps, and from 1/16 "
    "the second had not after 3000; at N = 50 it did not at rate 1e-3 either. Three bits of state are enough at every length, so every "
    "ceiling is 100 %. Counting opening brackets alone rejects most non-members, so below 90 % may be mere counting. A row whose status "
    "is `not run` waits for `separatrix sweep dyck-printed --overnight`."
)


def needed(length: int) -> int:
    """Bits of state with which no input has to be wrong."""
    from separatrix.bounds.families.dyck import dyck_profile

    return dyck_profile(length, 2, 2).bits


LOOK = Budget(steps=6000, batch=128, schedule="cosine", warmup=200, clip=1.0, validate_every=250, validation=1000, enough=0.998, patience=0)
FIGURE = PrintedFigure(
    title="Dyck-(2, 2)",
    counts="N, brackets",
    task="dyck",
    lengths=(20, 50, 100, 200, 400),
    curves=(
        Curve("LSTM-(1,64)", None, "lstm-1-64", (3e-3,), seeds=3, hours=(0.01, 0.02, 0.04)),
        Curve("Mamba-(1,64)", None, "mamba-1-64", (2e-3,), budget=replace(LOOK, steps=2500), hours=(0.025, 0.036, 0.17)),
        Curve("TF-(2,64)", None, "tf-2-64", (1e-3,), (("deviation", 0.125),), hours=(0.02, 0.045, 0.25)),
        Curve("TF-(1,256)", None, "tf-1-256", (3e-4, 1e-3), (("deviation", 0.04),), hours=(0.04, 0.06, 0.12)),
    ),
    here=(20, 50, 100),
    budget=LOOK,
    seeds=1,
    paper=BHATTAMISHRA2024,
    ceiling=with_room_for(needed),
    watched=50,
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure
