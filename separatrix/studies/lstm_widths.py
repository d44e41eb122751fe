"""Does a wider LSTM look further back, as a wider Mamba does?

[bhattamishra2024 Experiment 5; bhattamishra2024 Theorem 3]

Shipped rows are made by `separatrix sweep lstm-widths --overnight --store FILE`,
then `separatrix study lstm-widths --store FILE --out FILE`.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies.answer import Answer, decided, done, seeds_of
from separatrix.studies.lookup_printed import LOOK, SYMBOLS, lookup_ceiling
from separatrix.studies.mamba_widths import rise_with_width
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure
from separatrix.studies.study import Row

QUESTION = "Does a wider LSTM look further back, as a wider Mamba does?"
PREDICTION = "No: the paper reports that a wider LSTM does not get further, and that above N = 100 it stays at chance."
CITES = ("bhattamishra2024 Experiment 5", "bhattamishra2024 Theorem 3")
CAPTION = (
    "Two layers of LSTM, trained on lengths drawn from 10 to N, tested on inputs of length N. The paper says so in words, beside its "
    "figure of Mamba by width, and prints no numbers. A ceiling is drawn where a state is too small for some length; below it, what fails "
    "is learning."
)
FIGURE = PrintedFigure(
    title="LSTM by width",
    task="index-lookup",
    lengths=(20, 50, 75, 100, 200, 400),
    curves=(
        Curve("LSTM-(2,32)", None, "lstm-2-32", (3e-3,), hours=(0.02, 0.04)),
        Curve("LSTM-(2,64)", None, "lstm-2-64", (3e-3,), hours=(0.05, 0.1)),
        Curve("LSTM-(2,128)", None, "lstm-2-128", (2e-3,), hours=(0.12, 0.3)),
        Curve("LSTM-(2,256)", None, "lstm-2-256", (1e-3,), hours=(0.4, 1.0)),
        Curve("LSTM-(2,512)", None, "lstm-2-512", (1e-3,), hours=(0.83, 2.2)),
        Curve("LSTM-(2,1024)", None, "lstm-2-1024", (5e-4,), hours=(3.4, 8.3)),
    ),
    here=(20, 50, 75, 100, 200, 400),
    budget=replace(LOOK, steps=10000),
    seeds=1,
    repeats=1,
    chance=100 / SYMBOLS,
    paper=BHATTAMISHRA2024,
    ceiling=lookup_ceiling,
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def answer(rows: list[Row]) -> Answer:
    """Whether accuracy rises with the width, at each length where two widths were run."""
    rises, said = rise_with_width(rows)
    if not rises:
        return Answer("untested", "No length was run at two widths yet.")
    against = "rises with the width, against the prediction (with far less training than in the paper)"
    words = against if all(rises) else "does not rise with the width at every length"
    return decided(not any(rises), f"Accuracy {words}: {said} % ({seeds_of(done(rows))}).", tested=False)
