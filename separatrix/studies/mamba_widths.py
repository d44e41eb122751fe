"""How far does width carry two layers of Mamba on index lookup?

[bhattamishra2024 Figure 3; bhattamishra2024 Theorem 3]

Shipped rows are made by `separatrix sweep mamba-widths --overnight --store FILE`,
then `separatrix study mamba-widths --store FILE --out FILE`.
"""

from __future__ import annotations

import itertools

from separatrix.studies.answer import Answer, by, decided, done, listed, seeds_of
from separatrix.studies.lookup_printed import LOOK, SYMBOLS, lookup_ceiling
from separatrix.studies.printed import BHATTAMISHRA2024, Curve, PrintedFigure
from separatrix.studies.study import Row

QUESTION = "How far does width carry two layers of Mamba on index lookup?"
PREDICTION = "A wider state holds more symbols: the length that is still learned grows with the width."
CITES = ("bhattamishra2024 Figure 3", "bhattamishra2024 Theorem 3")
FIGURE = PrintedFigure(
    title="Mamba by width",
    task="index-lookup",
    lengths=(20, 50, 75, 100, 200, 400),
    curves=(
        Curve("Mamba-(2,32)", (97.7, 34.3, 28.4, 18.8, 9.8, 3.6), "mamba-2-32", (2e-3,), hours=(0.22, 0.5)),
        Curve("Mamba-(2,64)", (99.6, 78.9, 47.7, 34.6, 13.5, 6.0), "mamba-2-64", (2e-3,), hours=(0.43, 0.97)),
        Curve("Mamba-(2,256)", (99.7, 98.7, 87.5, 52.8, 30.4, 11.5), "mamba-2-256", (1e-3,), hours=(0.91, 2.2)),
        Curve("Mamba-(2,512)", (99.6, 99.6, 98.2, 70.5, 29.8, 9.8), "mamba-2-512", (1e-3,), hours=(2.6, 6.5)),
        Curve("Mamba-(2,1024)", (99.8, 99.4, 97.8, 82.1, 34.1, 12.6), "mamba-2-1024", (5e-4,), hours=(8.9, 23)),
    ),
    here=(20, 50, 75, 100, 200, 400),
    budget=LOOK,
    seeds=1,
    chance=100 / SYMBOLS,
    paper=BHATTAMISHRA2024,
    ceiling=lookup_ceiling,
)


def printed_falls() -> str:
    """From which width to the next, and at which lengths, a printed accuracy falls."""
    said = []
    for narrow, wide in itertools.pairwise(FIGURE.curves):
        printed = narrow.numbers(FIGURE.lengths), wide.numbers(FIGURE.lengths)
        where = [str(N) for N in FIGURE.lengths if printed[1][N] < printed[0][N]]
        widths = [curve.label.removesuffix(")").rpartition(",")[2] for curve in (narrow, wide)]
        said += [f"from {widths[0]} to {widths[1]} at N = {listed(where)}"] if where else []
    return listed(said)


CAPTION = (
    "Trained on lengths drawn from 10 to N, tested on inputs of length N. The printed accuracy is said to grow with the width; it falls "
    f"{printed_falls()}. Here at most {LOOK.steps:,} steps of {LOOK.batch} examples."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows, figure = FIGURE.cells, FIGURE.run, FIGURE.rows, FIGURE.figure


def rise_with_width(rows: list[Row]) -> tuple[list[bool], str]:
    """For each length that was run at two widths or more whether the accuracy rises with the width, and the accuracies in words."""
    of_lengths = {N: [row["accuracy"] for row in some] for (N,), some in by(done(rows), "length").items() if len(some) > 1}
    rises = [all(a < b for a, b in itertools.pairwise(shares)) for shares in of_lengths.values()]
    return rises, "; ".join(f"{', '.join(f'{share:g}' for share in shares)} at N = {N}" for N, shares in of_lengths.items())


def answer(rows: list[Row]) -> Answer:
    """Whether accuracy rises with the width, at each length where two widths were run."""
    rises, said = rise_with_width(rows)
    if not rises:
        return Answer("untested", "No length was run at two widths yet.")
    return decided(all(rises), f"By width, in %: {said} ({seeds_of(done(rows))}).", tested=False)
