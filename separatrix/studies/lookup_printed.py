"""How far do the paper's six architectures, and two newer ones, get on index lookup?

[bhattamishra2024 Figure 2; bhattamishra2024 Experiment 2; bhattamishra2024 Theorem 3]

Shipped rows are made by `separatrix sweep lookup-printed --overnight --store FILE`,
then `separatrix study lookup-printed --store FILE --out FILE`.
"""

from __future__ import annotations

from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure
from separatrix.training.budget import Budget

QUESTION = "How far do the paper's six architectures, and two newer ones, get on index lookup?"
PREDICTION = "One layer of attention of width 64 learns it at every length; recurrent models of far larger width fall off as N grows."
CITES = ("bhattamishra2024 Figure 2", "bhattamishra2024 Experiment 2", "bhattamishra2024 Theorem 3")
CAPTION = (
    "Trained on lengths drawn from 10 to N, tested on 2000 inputs of length N. The paper trains 3 layers (LSTM) or 6 of width 256 for "
    "up to 250 thousand steps of 64 examples and keeps the best of its rates; here 2 layers of width 64 (LSTM: 128) have at most 20 "
    "thousand steps of 128 examples, on one core. Mamba-2 and DeltaNet are not in the paper, nor does it say which models have learned "
    "positions: those that usually have none are trained without and with them, which theorem 3 allows for (DSS also with feed-forward "
    "parts at width 128, and with gated outputs at width 256: it alone needs so much to get to 95 % at N = 20). At N = 10 all strings "
    "have the same length, so nothing has to be counted. A row whose status is `not run` waits for `separatrix sweep lookup-printed "
    "--overnight`; a run that has not reached the paper's number says how many steps it had."
)
SYMBOLS = 64
PLACED = (("positions", "learned"),)


def lookup_ceiling(length: int, bits: int) -> float:
    """The best accuracy with so many bits of state."""
    return index_lookup_ceiling(length, SYMBOLS, bits).accuracy


LOOK = Budget(
    steps=20000, batch=128, schedule="cosine", warmup=500, clip=1.0, validate_every=500, validation=1000, enough=0.998, patience=0
)
DSS = (100.0, 75.8, 39.6, 10.7, 5.3)  # in the paper
RECURRENT = (  # label, printed, ours, rate, core-hours without and with learned positions; runs of a minute stop early
    ("LSTM-(3,256)", (100.0, 49.8, 18.2, 9.4, 5.8), "lstm-2-128", 2e-3, (0.17, 0.3, 0.69, 1.3), (0.03, 0.3, 0.69, 1.3)),
    ("LinTF-(6,256)", (100.0, 71.6, 20.6, 9.4, 4.1), "lintf-2-64", 1e-3, (0.01, 0.02, 0.69, 1.3), ()),  # always has them
    ("RetNet-(6,256)", (100.0, 78.5, 27.0, 14.2, 5.2), "retnet-2-64", 1e-3, (0.2, 0.3, 0.75, 1.4), (0.01, 0.02, 0.75, 1.4)),
    ("DSS-(6,256)", DSS, "dss-2-64", 2e-3, (0.21, 0.24, 0.44, 0.84), ()),
    ("Mamba-(6,256)", (100.0, 99.3, 90.2, 28.9, 12.6), "mamba-2-64", 2e-3, (0.26, 0.43, 0.97, 2), (0.01, 0.04, 0.97, 2)),
    ("Mamba2-(6,256)", None, "mamba2-2-64", 2e-3, (0.03, 0.48, 1.3, 2.9), (0.01, 0.03, 1.3, 2.9)),
    ("DeltaNet-(6,256)", None, "deltanet-2-64", 1e-3, (0.04, 0.57, 1.4, 3.3), (0.01, 0.02, 1.4, 3.3)),
)
FIGURE = PrintedFigure(
    title="Index lookup",
    task="index-lookup",
    lengths=(20, 50, 100, 200, 400),
    curves=(
        *(
            Curve(label, printed, ours, (rate,), parameters, named=named, hours=hours)
            for label, printed, ours, rate, alone, placed in RECURRENT
            for parameters, named, hours in (((), "", alone), (PLACED, " + positions", placed))
            if hours
        ),
        Curve(
            "DSS-(6,256)",
            DSS,
            "dss-2-128",
            (2e-3,),
            (("feedforward", True), *PLACED),
            named=" + feed-forward, positions",
            hours=(0.1, 0.5, 1.2, 2.4),
        ),
        Curve(
            "DSS-(6,256)",
            DSS,
            "dss-2-256",
            (4e-3,),
            (("gated", True), ("state", 16), *PLACED),
            named=" + gates, positions",
            hours=(0.04, 0.55, 1.2, 2.4),
        ),
        Curve("TF-(1,64)", (100.0, 100.0, 100.0, 100.0, 99.9), "tf-1-64", (1e-3,), seeds=3, hours=(0.036, 0.045, 0.064, 0.11)),
    ),
    here=(10, 20, 50, 100),
    budget=LOOK,
    seeds=1,
    paper=BHATTAMISHRA2024,
    ceiling=lookup_ceiling,
    watched=20,
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure
