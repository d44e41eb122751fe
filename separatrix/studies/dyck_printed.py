"""Which models learn to check nested brackets as strings grow, in the paper and here?

[bhattamishra2024 Figure 2; bhattamishra2024 Experiment 3; bhattamishra2024 Theorem 5]

Shipped rows are made by `separatrix sweep dyck-printed --overnight --store FILE`,
then `separatrix study dyck-printed --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies.answer import NOTHING, Answer, decided, done, seeds_of
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure, with_room_for
from separatrix.studies.study import Row
from separatrix.training.budget import Budget

QUESTION = "Which models learn to check nested brackets as strings grow, in the paper and here?"
PREDICTION = (
    "A small LSTM, a small Mamba and two layers of attention learn it at every length; one layer of attention, even a wide one, is slower."
)
CITES = ("bhattamishra2024 Figure 2", "bhattamishra2024 Experiment 3", "bhattamishra2024 Theorem 5")


def needed(length: int) -> int:
    """Bits of state with which no input has to be wrong."""
    from separatrix.bounds.families.dyck import dyck_profile

    return dyck_profile(length, 2, 2).bits


EARLIER = ", earlier"
LOOK = Budget(steps=6000, batch=128, schedule="cosine", warmup=200, clip=1.0, validate_every=250, validation=1000, enough=0.998, patience=0)
BRIEF = replace(LOOK, steps=2500)
RECURRENT = Budget(steps=3000, batch=64, clip=1.0, validate_every=250, validation=1000, enough=0.998)
ATTENTION = replace(RECURRENT, clip=0.0, warmup=100)
SHORTER = (  # label, ours, rate, parameters, budget, core-hours
    ("LSTM-(1,64)", "lstm-1-64", 3e-3, (), RECURRENT, (0.01, 0.02)),
    ("TF-(2,64)", "tf-2-64", 1e-3, (("deviation", 0.125),), ATTENTION, (0.03, 0.06)),
    ("TF-(1,256)", "tf-1-256", 1e-3, (("deviation", 0.0625),), ATTENTION, (0.03, 0.06)),
)
FIGURE = PrintedFigure(
    title="Dyck-(2, 2)",
    counts="N, brackets",
    task="dyck",
    lengths=(20, 50, 100, 200, 400),
    curves=(
        Curve("LSTM-(1,64)", None, "lstm-1-64", (3e-3,), seeds=3, hours=(0.01, 0.02, 0.04)),
        Curve("Mamba-(1,64)", None, "mamba-1-64", (2e-3,), budget=BRIEF, hours=(0.025, 0.036, 0.17)),
        Curve("TF-(2,64)", None, "tf-2-64", (1e-3,), (("deviation", 0.125),), hours=(0.02, 0.045, 0.25)),
        Curve("TF-(1,256)", None, "tf-1-256", (3e-4, 1e-3), (("deviation", 0.04),), hours=(0.04, 0.06, 0.12)),
        *(
            Curve(label, None, ours, (rate,), parameters, named=EARLIER, budget=budget, seeds=1, hours=hours, here=(50, 100))
            for label, ours, rate, parameters, budget, hours in SHORTER
        ),
    ),
    here=(20, 50, 100, 200, 400),
    budget=LOOK,
    seeds=1,
    paper=BHATTAMISHRA2024,
    ceiling=with_room_for(needed),
    watched=50,
    chance=50.0,
)

CAPTION = (
    "Dyck-(2, 2), one half members, tested on strings of length N. The paper draws validation curves at N = 400 and says in words that "
    "LSTM-(1,64), Mamba-(1,64) and TF-(2,64) are near perfect up to 400 and TF-(1,256) up to 100; it prints no numbers. Here the same "
    f"models, at most {LOOK.steps:,} steps of {LOOK.batch} examples (Mamba {BRIEF.steps:,}), attention from larger initial weights; "
    f"curves with `{EARLIER}` are from an earlier sweep at half of that and other initial weights, and superseded. Three bits of state "
    "are enough at every length. "
    "Counting opening brackets alone rejects most non-members, so below 90 % may be mere counting."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def answer(rows: list[Row]) -> Answer:
    """Whether three models are near perfect as far as they were run, and the wide layer needs more steps."""
    names = ("lstm-1-64", "mamba-1-64", "tf-2-64", "tf-1-256")
    ran = [row for row in done(rows) if row["series"] in names]
    ends = {
        series: max((row for row in ran if row["series"] == series), key=lambda row: int(row["length"]), default=None) for series in names
    }
    if None in ends.values():
        return NOTHING
    three = [row for series, row in ends.items() if row is not None and series != "tf-1-256"]
    wide = ends["tf-1-256"]
    assert wide is not None
    near = all(row["accuracy"] >= 99 for row in three)
    slower = wide["steps"] >= max(row["steps"] for row in three)
    said = ", ".join(f"{row['series']} {row['accuracy']:g} at N = {row['length']}" for row in (*three, wide))
    far = "" if min(row["length"] for row in three) >= 400 else "; lengths up to 400 were not all run"
    holds = not far and near and slower and wide["accuracy"] <= min(row["accuracy"] for row in three)
    return decided(holds, f"Accuracy, in %: {said}{far} ({seeds_of((*three, wide))}).", tested=False)
