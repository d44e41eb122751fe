"""Studies that redraw a printed figure: accuracy against length, a paper's numbers beside ours, if it prints any.

A curve of the paper has a configuration that a laptop can train in its place; at the scale `paper` it is the printed one, with the paper's
own grid. The rate is chosen on validation examples, for each cell, and recorded. A cell that has not been run yet is listed as such.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean
from typing import Any

from separatrix.models.configurations import plain_label
from separatrix.studies.learned import PRINTED, TrainingRun, cells_of, learn, percent, percentages, trial
from separatrix.studies.panel import HEIGHT, WIDTH, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

Ceiling = Callable[[int, int], float | None]  # of a length and the bits of a state: the best accuracy, a share


@dataclass(frozen=True)
class Curve:
    """A curve of the figure, and what is trained here for it."""

    label: str  # as printed: LSTM-(3,256)
    printed: (
        tuple[float | None, ...] | None
    )  # percent, at the lengths of the figure, None where nothing is; None for a curve without numbers
    ours: str | None = None  # a configuration; None if it takes more than a laptop
    rates: tuple[float, ...] = (1e-3,)
    parameters: tuple[tuple[str, Any], ...] = ()  # of ours
    task: tuple[tuple[str, Any], ...] = ()  # parameters of the task that belong to the curve
    named: str = ""  # beside the model, where several curves have one
    budget: Budget | None = None  # instead of that of the figure

    def numbers(self, lengths: Sequence[int]) -> dict[int, float]:
        """What is printed, by length."""
        return {N: number for N, number in zip(lengths, self.printed or (), strict=self.printed is not None) if number is not None}


@dataclass(frozen=True)
class Grid:
    """What the paper trained: every rate, for so many steps."""

    rates: tuple[float, ...]
    budget: Budget


BHATTAMISHRA2024 = Grid(
    (1e-2, 5e-3, 1e-3, 5e-4, 1e-4, 5e-5, 1e-5, 5e-6, 1e-6),
    Budget(steps=250_000, batch=64, validate_every=1000, validation=1000, enough=0.9995),
)


@dataclass(frozen=True)
class PrintedFigure:
    """A figure of a paper as a study."""

    title: str
    task: str
    lengths: tuple[int, ...]  # of the paper
    curves: tuple[Curve, ...]
    here: tuple[int, ...]  # lengths that a laptop trains
    budget: Budget
    seeds: int
    paper: Grid
    ceiling: Ceiling = lambda length, bits: None  # noqa: ARG005

    def runs(self, scale: str = "laptop") -> list[TrainingRun]:
        """Every run of a scale, in the order in which results are given."""
        if scale == "paper":
            return [
                TrainingRun(self.task, length, plain_label(curve.label), replace(self.paper.budget, rate=rate), 0, (), curve.task)
                for curve in self.curves
                for length in (self.lengths if curve.printed is None else curve.numbers(self.lengths))
                for rate in self.paper.rates
            ]
        if scale == "smoke":
            few = {"steps": 20, "batch": 16, "warmup": 0, "validate_every": 10, "validation": 50, "test": 50}
            return [replace(run, length=min(self.here), budget=replace(run.budget, **few)) for run in self._first_runs()]  # type: ignore[arg-type]
        return [
            TrainingRun(self.task, length, curve.ours, replace(curve.budget or self.budget, rate=rate), seed, curve.parameters, curve.task)
            for curve in self.curves
            if curve.ours is not None
            for length in self.here
            for rate in curve.rates
            for seed in range(self.seeds)
        ]

    def _first_runs(self) -> list[TrainingRun]:
        by_model = groupby(self.runs(), key=lambda run: (run.model, run.task_parameters))
        return [next(runs) for _, runs in by_model]

    @property
    def data(self) -> tuple[Cell, ...]:
        """The cells of the figure: the runs of the laptop."""
        return cells_of(self.runs())

    def cells(self, scale: str) -> list[dict[str, Any]]:
        """The runs of a scale as trials."""
        return [trial(run) for run in self.runs(scale)]

    def run(self, cell: Cell) -> Result:
        """Train one cell; the row of its run."""
        return learn(next(one for one in self.runs() if one.spec.document() == cell["run"]))

    def rows(self, results: Sequence[Result | None]) -> list[Row]:
        """The paper's numbers, and for each cell of ours the mean over seeds at the rate that was best on validation examples."""
        done: dict[Any, dict[float, list[Result]]] = {}
        for run, result in zip(self.runs(), results, strict=True):
            if result is not None:
                done.setdefault((run.model, run.task_parameters, run.length), {}).setdefault(run.budget.rate, []).append(result)
        rows = []
        for curve in self.curves:
            named = f"{curve.label} {PRINTED}"
            rows += [self._row(named, curve, length, number) for length, number in curve.numbers(self.lengths).items()]
        for curve in self.curves:
            if curve.ours is not None:
                mine = {N: done.get((curve.ours, curve.task, N), {}) for N in self.here}
                rows += [self._of_ours(f"{curve.ours}{curve.named}", curve, N, by_rate) for N, by_rate in mine.items()]
        return rows

    def _of_ours(self, model: str, curve: Curve, length: int, by_rate: Mapping[float, list[Result]]) -> Row:
        row = self._row(model, curve, length, None)
        if not by_rate:
            return row | {"status": "not run"}
        rate, chosen = max(by_rate.items(), key=lambda entry: fmean(_validated(result) for result in entry[1]))
        tests = [percent(_answered(result)) for result in chosen]
        first = chosen[0]
        ceiling = None if first["state_bits"] is None else self.ceiling(length, first["state_bits"])
        return row | {
            "accuracy": round(fmean(tests), 1),
            "least": min(tests),
            "most": max(tests),
            "seeds": len(tests),
            "rate": rate,
            "steps": max(result["test"]["step"] for result in chosen),
            "seconds": sum(result["seconds"] for result in chosen),
            "parameters": first["parameters"],
            "state_bits": first["state_bits"],
            "ceiling": None if ceiling is None else percent(ceiling),
            "status": "run",
            "difference": None if row["printed"] is None else round(fmean(tests) - row["printed"], 1),
        }

    def _row(self, series: str, curve: Curve, length: int, accuracy: float | None) -> Row:
        printed = curve.numbers(self.lengths).get(length)
        blank = dict.fromkeys(("least", "most", "seeds", "rate", "steps", "seconds", "parameters", "state_bits", "ceiling", "difference"))
        return {"series": series, "length": length, "accuracy": accuracy, "printed": printed, **blank, "status": "printed"}

    def figure(self, rows: list[Row]) -> dict[str, Any]:
        """The paper's panel, and ours beside it, over the same axes."""
        printed, ours = ([row for row in rows if row["status"] == status] for status in ("printed", "run"))
        panels = ((printed, "the paper"), (ours, "here"))
        if not printed and not ours:
            words = {"mark": "text", "encoding": {"text": {"value": "nothing has been run yet"}}, "data": {"values": [{}]}}
            return side_by_side({"title": {"text": self.title, "anchor": "start"}, "width": WIDTH, "height": HEIGHT, **words})
        drawn = [percentages(some, f"{self.title}: {where}", ("length", "N"), "series") for some, where in panels if some]
        return side_by_side(*drawn)


def _answered(result: Result) -> float:
    """Right answers; of a task that thinks, those at the end of chains that the model wrote alone."""
    test = result["test"]
    return float(test["accuracy"] if test.get("greedy") is None else max(test["greedy"], test["accuracy"]))


def _validated(result: Result) -> float:
    """The best validation accuracy of a run."""
    return max((accuracy for _, accuracy in result["validations"]), default=0.0)
