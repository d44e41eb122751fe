"""How far do the paper's six architectures, and newer ones, get on index lookup?

[bhattamishra2024 Figure 2; bhattamishra2024 Experiment 1; bhattamishra2024 Experiment 2;
bhattamishra2024 Theorem 3]

One protocol for all six: the same number of examples, one rate each, chosen at N = 50 (`separatrix study rates`), recurrent models without
learned positions, DSS with its gates. What was trained otherwise stands in panels of its own.
Shipped rows are made by `separatrix sweep lookup-printed --overnight --store FILE`,
then `separatrix study lookup-printed --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from math import log

from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.studies.answer import NOTHING, Answer, decided, done, listed, seeds_of
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure
from separatrix.studies.study import Row
from separatrix.training.budget import Budget

QUESTION = "How far do the paper's six architectures, and newer ones, get on index lookup?"
PREDICTION = "One layer of attention of width 64 learns it at every length; recurrent models of far larger width fall off as N grows."
CITES = ("bhattamishra2024 Figure 2", "bhattamishra2024 Experiment 2", "bhattamishra2024 Theorem 3")
SYMBOLS = 64
PLACED, GATED = (("positions", "learned"),), (("gated", True),)
LENGTHS = (20, 50, 100, 200, 400)
NOWHERE = (None,) * len(LENGTHS)  # no printed number was trained so


def lookup_ceiling(length: int, bits: int) -> float:
    """The best accuracy with so many bits of state."""
    return index_lookup_ceiling(length, SYMBOLS, bits).accuracy


SHORT = Budget(steps=2000, batch=64, warmup=100, clip=1.0, validate_every=100, validation=1000, enough=0.998)
LOOK = Budget(
    steps=20000, batch=128, schedule="cosine", warmup=500, clip=1.0, validate_every=500, validation=1000, enough=0.998, patience=0
)
WIDE_BATCH = Budget(steps=2000, batch=256, validate_every=250, validation=1000, enough=0.998)
PRINTED = {
    "LSTM-(3,256)": (100.0, 49.8, 18.2, 9.4, 5.8),
    "LinTF-(6,256)": (100.0, 71.6, 20.6, 9.4, 4.1),
    "RetNet-(6,256)": (100.0, 78.5, 27.0, 14.2, 5.2),
    "DSS-(6,256)": (100.0, 75.8, 39.6, 10.7, 5.3),
    "Mamba-(6,256)": (100.0, 99.3, 90.2, 28.9, 12.6),
    "TF-(1,64)": (100.0, 100.0, 100.0, 100.0, 99.9),
}
PROTOCOL = (  # label, ours, its rate at N = 50, parameters, core-hours of 2,000 steps by length
    ("LSTM-(3,256)", "lstm-2-64", 1e-2, (), (0.008, 0.017, 0.035, 0.079, 0.135)),
    ("LinTF-(6,256)", "lintf-2-64", 1e-3, (), (0.02, 0.035, 0.061, 0.124, 0.23)),
    ("RetNet-(6,256)", "retnet-2-64", 1e-3, (), (0.023, 0.043, 0.075, 0.138, 0.27)),
    ("DSS-(6,256)", "dss-2-64", 5e-3, GATED, (0.017, 0.027, 0.039, 0.083, 0.126)),
    ("Mamba-(6,256)", "mamba-2-64", 1e-3, (), (0.025, 0.051, 0.094, 0.194, 0.35)),
    ("TF-(1,64)", "tf-1-64", 5e-4, (), (0.003, 0.004, 0.007, 0.009, 0.017)),
)
LONGER = (  # label, ours, rate, core-hours of 20,000 steps without and with learned positions at N = 10 on; runs of a minute stop early
    ("LSTM-(3,256)", "lstm-2-128", 2e-3, (0.17, 0.3, 0.69, 1.3), (0.03, 0.3, 0.69, 1.3)),
    ("LinTF-(6,256)", "lintf-2-64", 1e-3, (0.01, 0.02, 0.69, 1.3), ()),  # always has them
    ("RetNet-(6,256)", "retnet-2-64", 1e-3, (0.2, 0.3, 0.75, 1.4), (0.01, 0.02, 0.75, 1.4)),
    ("DSS-(6,256)", "dss-2-64", 2e-3, (0.21, 0.24, 0.44, 0.84), ()),
    ("Mamba-(6,256)", "mamba-2-64", 2e-3, (0.26, 0.43, 0.97, 2), (0.01, 0.04, 0.97, 2)),
    ("Mamba2-(6,256)", "mamba2-2-64", 2e-3, (0.03, 0.48, 1.3, 2.9), (0.01, 0.03, 1.3, 2.9)),
    ("DeltaNet-(6,256)", "deltanet-2-64", 1e-3, (0.04, 0.57, 1.4, 3.3), (0.01, 0.02, 1.4, 3.3)),
)
EXACT = ", strings of exactly N"
EXACTLY = (  # label, ours, its rate, lengths, seeds, core-hours: every place is asked for alike
    ("TF-(1,64)", "tf-1-64", 5e-4, (100, 200, 400), 3, (0.01, 0.018, 0.034)),
    ("LinTF-(6,256)", "lintf-2-64", 1e-3, (100,), 1, (0.12,)),
    ("LSTM-(3,256)", "lstm-2-64", 1e-2, (100,), 1, (0.07,)),
)
EARLIER = (("LSTM-(3,256)", "lstm-1-64", 5e-3, 1.0), ("GRU-(1,64)", "gru-1-64", 5e-3, 1.0), ("TF-(1,64)", "tf-1-64", 1e-3, 0.0))
FIGURE = PrintedFigure(
    title="Index lookup",
    task="index-lookup",
    lengths=LENGTHS,
    curves=(
        *(
            Curve(label, PRINTED[label], ours, (rate,), parameters, budget=SHORT, hours=hours, here=LENGTHS)
            for label, ours, rate, parameters, hours in PROTOCOL
        ),
        Curve(
            "TF-(1,64)",
            PRINTED["TF-(1,64)"],
            "tf-1-64",
            (5e-4,),
            named=", five times as long",
            budget=replace(SHORT, steps=10000),
            seeds=1,
            hours=(0.046, 0.086),
            here=(200, 400),
        ),
        *(
            Curve(
                label,
                NOWHERE,
                ours,
                (rate,),
                task=(("distribution", "evaluation"),),
                named=EXACT,
                budget=replace(SHORT, steps=4000),
                seeds=seeds,
                hours=hours,
                here=here,
            )
            for label, ours, rate, here, seeds, hours in EXACTLY
        ),
        *(
            Curve(label, PRINTED.get(label), ours, (rate,), parameters, named=named, hours=hours)
            for label, ours, rate, alone, placed in LONGER
            for parameters, named, hours in (((), ", longer", alone), (PLACED, " + positions", placed))
            if hours
        ),
        Curve(
            "DSS-(6,256)",
            PRINTED["DSS-(6,256)"],
            "dss-2-128",
            (2e-3,),
            (("feedforward", True), *PLACED),
            named=" + feed-forward, positions",
            hours=(0.1, 0.5, 1.2, 2.4),
        ),
        Curve(
            "DSS-(6,256)",
            PRINTED["DSS-(6,256)"],
            "dss-2-256",
            (4e-3,),
            (*GATED, ("state", 16), *PLACED),
            named=" + gates, positions",
            hours=(0.04, 0.55, 1.2, 2.4),
        ),
        Curve(
            "TF-(1,64)",
            PRINTED["TF-(1,64)"],
            "tf-1-64",
            (1e-3,),
            named=", longer",
            seeds=3,
            hours=(0.036, 0.045, 0.064, 0.11, 0.14, 0.22),
            here=(10, 20, 50, 100, 200, 400),
        ),
        *(
            Curve(
                label,
                PRINTED.get(label),
                ours,
                (rate,),
                named=", batches of 256",
                budget=replace(WIDE_BATCH, clip=clip),
                seeds=1,
                hours=(0.02, 0.03, 0.05),
                here=(20, 50, 100),
            )
            for label, ours, rate, clip in EARLIER
        ),
    ),
    here=(10, 20, 50, 100),
    budget=LOOK,
    seeds=1,
    paper=BHATTAMISHRA2024,
    ceiling=lookup_ceiling,
    watched=200,
    chance=100 / SYMBOLS,
    overview=True,
)
CAPTION = (
    f"Trained on lengths drawn from 10 to N, tested on inputs of length N with {SYMBOLS} symbols. The paper trains 3 layers (LSTM) or 6 "
    f"of width 256 for up to {BHATTAMISHRA2024.budget.steps:,} steps of 64 examples and keeps the best of its rates. First panels: 2 "
    f"layers of width 64 (attention: one), {SHORT.steps:,} steps of {SHORT.batch} examples for every model at every length, one rate "
    "each: that of the best validation at N = 50 (`separatrix study rates`, which tried three slow models at fewer rates than attention). "
    f"Panels by architecture: what was trained otherwise, {LOOK.steps:,} steps of {LOOK.batch} examples at most unless said. The "
    "paper does not say which models have learned positions; theorem 3 allows for them. At N = 10 all strings have the same length, so "
    "nothing has to be counted. Place p is asked for by a share of about ln(N / p) / (N - 9) of the training examples, so attention learns "
    "the last places last (`separatrix study positions-asked`): at N = 400 by one example in "
    f"{(400 - 9) / log(400 / 200):,.0f} for place 200 and one in {(400 - 9) / log(400 / 396):,.0f} for place 396, up to which 99 % "
    "would be right. Strings of exactly N ask for every place alike, and have no short strings to begin with."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def agreement(at: Mapping[tuple[str, int], float]) -> dict[int, tuple[int, int]]:
    """At each length: of the pairs of models that differ in the paper, how many have the same order here, and how many there are."""
    theirs = {(ours, N): share for label, ours, *_ in PROTOCOL for N, share in zip(LENGTHS, PRINTED[label], strict=True)}
    counts: dict[int, tuple[int, int]] = {}
    for N in LENGTHS:
        models = [ours for _, ours, *_ in PROTOCOL if (ours, N) in at]
        pairs = [(a, b) for a, b in combinations(models, 2) if theirs[a, N] != theirs[b, N]]
        agreeing = sum((at[a, N] - at[b, N]) * (theirs[a, N] - theirs[b, N]) > 0 for a, b in pairs)
        if pairs:
            counts[N] = (agreeing, len(pairs))
    return counts


def _short_of_the_paper(at: Mapping[tuple[str, int], float]) -> str:
    """Which models have not learned the least length, which all of the paper's have: what stops them later may be the budget too."""
    N = min(LENGTHS)
    printed = {ours: PRINTED[label][0] for label, ours, *_ in PROTOCOL}
    short = {ours: at[ours, N] for ours in printed if (ours, N) in at and at[ours, N] < min(90, printed[ours])}
    if not short:
        return ""
    named = listed([f"{ours} ({share:g})" for ours, share in short.items()])
    return f"; at N = {N}, which every model of the paper learns, {named} did not: what stops them there is the budget"


def answer(rows: list[Row]) -> Answer:
    """Whether attention leads at every length under the protocol, and whether each recurrent model falls with N."""
    ours = {series: label for label, series, *_ in PROTOCOL}
    ran = [row for row in done(rows) if row["series"] in ours]
    at = {(row["series"], row["length"]): row["accuracy"] for row in ran}
    compared = sorted({N for series, N in at if series != "tf-1-64" and ("tf-1-64", N) in at})
    if not compared:
        return NOTHING
    behind = [N for N in compared if any(share >= at["tf-1-64", N] for (series, n), share in at.items() if n == N and series != "tf-1-64")]
    falls = [
        series
        for series in ours
        if series != "tf-1-64" and len(ends := [at[series, N] for N in LENGTHS if (series, N) in at]) > 1 and ends[0] > ends[-1]
    ]
    attention = ", ".join(f"{share:g} at {N}" for (series, N), share in at.items() if series == "tf-1-64")
    best = {N: max(share for (series, n), share in at.items() if n == N and series != "tf-1-64") for N in compared}
    recurrent = ", ".join(f"{share:g} at {N}" for N, share in best.items())
    said = f"After the same number of examples attention reaches, in %, {attention}; the best other model {recurrent}"
    alike = [f"{row['series'].removesuffix(EXACT)} {row['accuracy']:g} at {row['length']}" for row in done(rows) if EXACT in row["series"]]
    asked = f"trained on strings of exactly N, which ask for every place alike, {', '.join(alike)}; " if alike else ""
    ordered = ", ".join(f"{agreeing} of {pairs} at {N}" for N, (agreeing, pairs) in agreement(at).items())
    cells = f"{len(ran)} of {len(ours) * len(LENGTHS)} cells"
    further = f"pairs of models ordered as in the paper: {ordered}; {len(falls)} of 5 recurrent models are seen to fall with N, in {cells}"
    further += _short_of_the_paper(at)
    as_printed = [row for row in done(rows) if row["series"].startswith("tf-1-64") and EXACT not in row["series"]]
    far = [row for row in as_printed if row["length"] == max(LENGTHS)]
    learned = bool(far) and max(row["accuracy"] for row in far) >= 99
    return decided(
        not behind and len(falls) == 5 and learned,
        f"{said}; a guess {100 / SYMBOLS:.1f}; {asked}{further} ({seeds_of(ran)}).",
        tested=False,
    )
