"""Do trained models go on where they were never trained, as built machines do?

[hahn2020 Corollary 2; hahn2020 Remark 9]

Made by `separatrix study beyond-length --run --out separatrix/studies/data/beyond-length.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.studies.answer import Answer, decided, listed
from separatrix.studies.learned import TrainingRun, cells_of, learner, percent, percentages
from separatrix.studies.panel import side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "Trained at one length, how do an LSTM and a Transformer do at twice and four times that length, beside a built machine?"
PREDICTION = "Built machines of a few bits are right at every length; a Transformer that counts by position is not."
CITES = ("hahn2020 Corollary 2", "hahn2020 Remark 9")
CAPTION = (
    "Accuracy on words of N, 2 N and 4 N symbols after training on words of exactly N. The LSTM has one layer of width 64, the "
    "Transformer two layers of width 64 with learned places; places beyond N were never trained. Machines are the weights of "
    "parity/recurrent, dyck/recurrent and regular/recurrent, which the checker proves at any length; their rows are that proof, not a "
    "measurement. Members and non-members are equally frequent, so one half is chance."
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
            percentages(
                [row for row in rows if row["task"] == title], f"{title}, trained at N = {N}", ("length", "symbols"), "series", chance=50
            )
            for title, _, N, _, _ in TASKS
        )
    )


def _row(task: str, series: str, trained: int, times: int, accuracy: float, bits: int) -> Row:
    return {"task": task, "series": series, "trained_at": trained, "length": trained * times, "accuracy": accuracy, "state_bits": bits}


def answer(rows: list[Row]) -> Answer:
    """The Transformer is right at the length it was trained at, where it learned the task, and falls off at four times that."""
    ends = {
        (row["task"], row["series"], row["length"] // row["trained_at"]): row["accuracy"]
        for row in rows
        if row["series"] != "built machine"
    }
    learned = [task for task, series, times in ends if (series, times) == ("tf-2-64", 1) and ends[task, series, 1] > 95]
    said = listed([f"{ends[task, 'tf-2-64', 1]:g} to {ends[task, 'tf-2-64', 4]:g} % on {task}" for task in learned] or ["nothing learned"])
    lstm = listed([f"{ends[task, 'lstm-1-64', 4]:g} % on {task}" for task, series, times in ends if (series, times) == ("lstm-1-64", 4)])
    holds = bool(learned) and all(ends[task, "tf-2-64", 4] < 95 for task in learned)
    return decided(holds, f"From N to 4 N the Transformer goes from {said}; the LSTM has {lstm} at 4 N (one seed).", tested=bool(learned))
