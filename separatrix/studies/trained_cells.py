"""Studies that compare training runs, as data: every run with the fields of its row and its core-hours, and the panels that draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, run_row, seen, trial
from separatrix.studies.panel import Axis, nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row


@dataclass(frozen=True)
class NamedRun:
    """A run, what its row is called, and the core-hours of all its steps."""

    named: Mapping[str, Any]
    run: TrainingRun
    hours: float
    smoke: int = 0  # the length of a small run of it at the scale `smoke`; 0: none


@dataclass(frozen=True)
class Panel:
    """Accuracy against a field, of the rows that have these values."""

    title: str
    x: Axis
    where: tuple[tuple[str, Any], ...] = ()
    chance: float = 0.0  # what a guess has, percent; 0 if it is not drawn

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """The rows that this figure draws."""
        return [row for row in rows if all(row[name] == value for name, value in self.where)]


@dataclass(frozen=True)
class TrainedCells:
    """The cells, rows and figure of a study that no paper has a grid for."""

    title: str
    runs: tuple[NamedRun, ...]
    panels: tuple[Panel, ...]

    @property
    def sweep(self) -> tuple[TrainingRun, ...]:
        """The runs alone."""
        return tuple(one.run for one in self.runs)

    @property
    def data(self) -> tuple[Cell, ...]:
        """The cells of the study."""
        return cells_of(self.sweep)

    @property
    def hours(self) -> dict[str, float]:
        """Core-hours of one run, by the digest of its description."""
        return {one.run.spec.digest: one.hours for one in self.runs}

    def cells(self, scale: str) -> list[dict[str, Any]]:
        """The runs of a scale as trials."""
        if scale == "smoke":
            return [trial(few_steps(one.run, one.smoke)) for one in self.runs if one.smoke]
        return [trial(run) for run in self.sweep] if scale == "laptop" else []

    def run(self, cell: Cell) -> Result:
        """Train one cell and return its rows."""
        return learner(self.sweep)(cell)

    def rows(self, results: Sequence[Result | None]) -> list[Row]:
        """A row for each run, whether or not it was run."""
        return [run_row(dict(one.named), result, one.hours) for one, result in zip(self.runs, results, strict=True)]

    def figure(self, rows: list[Row]) -> dict[str, Any]:
        """Its panels: seeds as points, lines through their means; those without a run are left out."""
        if all(row["status"] != "run" for row in rows):
            return nothing_run(self.title)
        run = [panel for panel in self.panels if any(row["status"] == "run" for row in panel.rows(rows))]
        empty = [panel.title for panel in self.panels if panel not in run]
        return side_by_side(*(seen(one.rows(rows), one.title, one.x, chance=one.chance) for one in run), left_out=empty)
