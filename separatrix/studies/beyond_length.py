"""Do trained models go on where they were never trained, as built machines do?

[hahn2020 Corollary 2; hahn2020 Remark 9]

Made by `separatrix study beyond-length --run --out separatrix/studies/data/beyond-length.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.studies.learned import TrainingRun, cells_of, learner, percent, percentages
from separatrix.studies.panel import side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "Trained at one length, how do an LSTM and a Transformer do at twice and four times that length, beside a built machine?"
PREDICTION = "The built machines, of a few bits, are right at every length, and a Transformer that counts by its places is not."
CITES = ("hahn2020 Corollary 2", "hahn2020 Remark 9")
CAPTION = (
    "Accuracy on 1000 words of N, 2 N and 4 N symbols after training on words of exactly N: PARITY and S3 with N = 8, Dyck-(2, 2) and"
    " counting modulo 5 with N = 12. One seed; at most 5000 steps of 64 words, 2000 for the Transformer (rate 0.003, for the LSTM on "
    "PARITY 0.01, for the Transformer 0.001), stopping at 99.8 % of 500 validation words. The LSTM has one layer of width 64, the "
    "Transformer two layers of width 64 with learned places; places beyond N were never trained. Machines are the weights of "
    "parity/recurrent, dyck/recurrent and regular/recurrent, which the checker proves at any length; their rows are that proof, not a"
    " measurement. Members and non-members are equally frequent, so 50 % is chance. The Transformer has not learned PARITY of 8 bits "
    "in this budget. Made by `separatrix study beyond-length --run`."
)

LOOK: dict[str, Any] = {"steps": 5000, "batch": 64, "validate_every": 250, "validation": 500, "enough": 0.998, "test": 1000}
RECURRENT, QUICK = Budget(rate=3e-3, clip=1.0, **LOOK), Budget(rate=1e-2, clip=1.0, **LOOK)
ATTENTION = Budget(rate=1e-3, warmup=100, **{**LOOK, "steps": 2000})
TASKS: tuple[tuple[str, str, int, tuple[tuple[str, Any], ...], int], ...] = (  # title, task, N, its parameters, bits of its machine
    ("PARITY", "parity", 8, (), 2),
    ("Dyck-(2, 2)", "dyck", 12, (), 3),
    ("modulo 5", "regular", 12, (("language", "@mod-5"),), 3),
    ("S3", "regular", 8, (("language", "@s3"),), 3),
)
MODELS = (
    ("lstm-1-64", RECURRENT, ()),
    ("tf-2-64", ATTENTION, (("deviation", 0.125),)),
)
SWEEP = tuple(
    TrainingRun(task, N, model, QUICK if (task, model) == ("parity", "lstm-1-64") else budget, 0, parameters, chosen, (N, 2 * N, 4 * N))
    for _, task, N, chosen, _ in TASKS
    for model, budget, parameters in MODELS
)

TRAINS = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
run = learner(SWEEP)


def rows(results: Sequence[Result]) -> list[Row]:
    """For each task: the machine, then both models, at three lengths."""
    listed, by_cell = [], dict(zip(SWEEP, results, strict=True))
    for title, task, N, chosen, bits in TASKS:
        listed += [_row(title, "built machine", N, times, 100.0, bits) for times in (1, 2, 4)]
        for one, result in by_cell.items():
            if (one.task, one.task_parameters) == (task, chosen):
                listed += [_row(title, one.model, N, n // N, percent(share), result["state_bits"]) for n, share in result["tests"]]
    return listed


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against the length, one panel for each task."""
    return side_by_side(
        *(
            percentages([row for row in rows if row["task"] == title], f"{title}, trained at N = {N}", ("length", "symbols"), "series")
            for title, _, N, _, _ in TASKS
        )
    )


def _row(task: str, series: str, trained: int, times: int, accuracy: float, bits: int) -> Row:
    return {"task": task, "series": series, "trained_at": trained, "length": trained * times, "accuracy": accuracy, "state_bits": bits}
