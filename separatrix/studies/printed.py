"""Studies that redraw a printed figure: accuracy against length, a paper's numbers beside ours, if it prints any.

A curve of the paper has a configuration that a laptop can train in its place; at the scale `paper` it is the printed one, with the paper's
own grid. The rate is chosen on validation examples, for each cell, and recorded. Every cell of the figure is a row. One that has not been
run yet is listed as such, and as `overnight` if it takes three minutes or more; its core-hours are those of one run of all its steps, from
the time of its first ones, and at lengths that were not timed in proportion to the length.
What takes less than three minutes is run with three seeds, unless a figure says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from separatrix.models.model_names import plain_label
from separatrix.studies.learned import (
    OVERNIGHT,
    QUICK,
    REACHED,
    REPEATS,
    TrainingRun,
    cells_of,
    compared,
    few_steps,
    first_step,
    learn,
    not_run,
    over_lengths,
    percent,
    percentages,
    trial,
)
from separatrix.studies.panel import PRINTED, nothing_run, side_by_side
from separatrix.studies.study import DURING, Cell, Result, Row, answered_share
from separatrix.training.budget import Budget

Ceiling = Callable[[int, int], float | None]  # of a length and the bits of a state: the best accuracy, a share
CEILING = "ceiling for the state here"
POINTS = 20  # of a curve of validations that are drawn
CLOSE = 1.0  # percentage points from the paper that need no explanation


def with_room_for(needed: Callable[[int], int]) -> Ceiling:
    """The ceiling where it is plain: with as many bits as a length needs everything can be right; fewer are not judged."""
    return lambda length, bits: 1.0 if bits >= needed(length) else None


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
    title: str = ""  # of its panel, where the label is not a name to read
    budget: Budget | None = None  # instead of that of the figure
    seeds: int = 0  # instead of three if runs are quick, and those of the figure if not
    hours: tuple[float, ...] = ()  # core-hours of one run with all its steps, at the first of the lengths that a laptop trains
    here: tuple[int, ...] = ()  # instead of the lengths of the figure that a laptop trains

    @property
    def series(self) -> str:
        """What is trained here, by name."""
        return f"{self.ours}{self.named}"

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
    repeats: int = REPEATS  # seeds of a quick run
    counts: str = "N, symbols"  # what a length counts
    steps: tuple[int, ...] = ()  # at each length that a laptop trains, instead of those of the budget
    watched: int = 0  # the length whose validations during training are drawn too; 0 for none
    chance: float = 0.0  # what a guess has, percent; drawn in every panel against the length
    overview: bool = False  # whether unnamed curves, of one protocol, have two panels of their own: the paper, and here

    def runs(self, scale: str = "laptop") -> list[TrainingRun]:
        """Every run of a scale, in the order in which results are given."""
        if scale == "paper":
            runs = [
                TrainingRun(self.task, length, plain_label(curve.label), replace(self.paper.budget, rate=rate), 0, (), curve.task)
                for curve in self.curves
                for length in (self.lengths if curve.printed is None else curve.numbers(self.lengths))
                for rate in self.paper.rates
            ]
            return list(dict.fromkeys(runs))  # two of ours may stand for one of the paper
        if scale == "smoke":
            return [few_steps(run, min(self.here)) for run in self._first_runs()]
        return [run for _, run in self.planned()]

    def planned(self) -> list[tuple[Curve, TrainingRun]]:
        """The runs of a laptop, each with the curve that it belongs to."""
        return [
            (curve, TrainingRun(self.task, length, curve.ours, replace(budget, rate=rate), seed, curve.parameters, curve.task))
            for curve in self.curves
            if curve.ours is not None
            for place, length in enumerate(self.lengths_of(curve))
            for budget in (self._budget(curve, place),)
            for rate in curve.rates
            for seed in range(self._seeds(curve, place))
        ]

    def lengths_of(self, curve: Curve) -> tuple[int, ...]:
        """The lengths at which a laptop trains a curve."""
        return curve.here or self.here

    def hours_of(self, curve: Curve, place: int) -> float | None:
        """Core-hours at a length: as timed, or in proportion to the longest that was."""
        if not curve.hours or place < len(curve.hours):
            return curve.hours[place] if curve.hours else None
        lengths = self.lengths_of(curve)
        return round(curve.hours[-1] * lengths[place] / lengths[len(curve.hours) - 1], 2)

    def _budget(self, curve: Curve, place: int) -> Budget:
        """Budget for a curve of the figure at a length that a laptop trains."""
        if curve.budget is not None:
            return curve.budget
        return replace(self.budget, steps=self.steps[min(place, len(self.steps) - 1)]) if self.steps else self.budget

    def _seeds(self, curve: Curve, place: int) -> int:
        quick = bool(curve.hours) and (self.hours_of(curve, place) or 0) < QUICK
        return curve.seeds or (max(self.repeats, self.seeds) if quick else self.seeds)

    def _first_runs(self) -> list[TrainingRun]:
        firsts = {id(curve): run for curve, run in reversed(self.planned())}
        return list({(run.model, run.model_parameters, run.task_parameters): run for run in reversed(firsts.values())}.values())

    @property
    def data(self) -> tuple[Cell, ...]:
        """The cells of the figure: the runs of the laptop."""
        return cells_of(self.runs())

    def cells(self, scale: str) -> list[dict[str, Any]]:
        """The runs of a scale as trials."""
        return [trial(run) for run in self.runs(scale)]

    @property
    def hours(self) -> dict[str, float]:
        """Core-hours of one run with all its steps, by the digest of its description."""
        runs = ((run.spec.digest, self.hours_of(curve, self.lengths_of(curve).index(run.length))) for curve, run in self.planned())
        return {digest: hours for digest, hours in runs if hours is not None}

    def run(self, cell: Cell) -> Result:
        """Train one cell; the row of its run."""
        return learn(next(one for one in self.runs() if one.spec.document() == cell["run"]))

    def rows(self, results: Sequence[Result | None]) -> list[Row]:
        """The paper's numbers, and for each cell of ours the mean over seeds at the rate that was best on validation examples."""
        done: dict[tuple[str, int], dict[float, list[Result]]] = {}
        for (curve, run), result in zip(self.planned(), results, strict=True):
            if result is not None:
                done.setdefault((curve.series, run.length), {}).setdefault(run.budget.rate, []).append(result)
        rows, watched = [], []
        for curve in {curve.label: curve for curve in self.curves}.values():
            named = f"{curve.label} {PRINTED}"
            rows += [self._row(named, curve, length, number) for length, number in curve.numbers(self.lengths).items()]
        for curve in self.curves:
            if curve.ours is None:
                continue
            series = curve.series
            for place, N in enumerate(self.lengths_of(curve)):
                by_rate = done.get((series, N), {})
                rows.append(self._of_ours(series, curve, N, by_rate, self.hours_of(curve, place)))
                if by_rate and self.watched == N:
                    first = _chosen(by_rate)[1][0]
                    watched += [self._during(series, curve, N, step, accuracy) for step, accuracy in first["validations"]]
        return rows + watched

    def _of_ours(self, series: str, curve: Curve, length: int, by_rate: Mapping[float, list[Result]], hours: float | None) -> Row:
        row = self._row(series, curve, length, None)
        if not by_rate:
            overnight = hours is not None and hours >= OVERNIGHT
            return row | {"status": "not run (overnight)" if overnight else "not run", "core_hours": hours}
        rate, chosen = _chosen(by_rate)
        tests = [percent(answered_share(result)) for result in chosen]
        first = chosen[0]
        ceiling = None if first["state_bits"] is None else self.ceiling(length, first["state_bits"])
        difference = None if row["printed"] is None else round(fmean(tests) - row["printed"], 1)
        seconds = sum(result["seconds"] for result in chosen)
        return row | {
            "accuracy": round(fmean(tests), 1),
            "least": min(tests),
            "most": max(tests),
            "seeds": len(tests),
            "rate": rate,
            "steps": max(result["test"]["step"] for result in chosen),
            **{f"to_{goal}": first_step(chosen, goal / 100) for goal in REACHED},
            "seconds": seconds,
            "core_hours": round(seconds / 3600 / len(chosen), 2),
            "parameters": first["parameters"],
            "state_bits": first["state_bits"],
            "ceiling": None if ceiling is None else percent(ceiling),
            "difference": difference,
            "rising": _rising(first),
            "why": self._why(curve, first) if difference is not None and abs(difference) > CLOSE else None,
            "status": "run",
        }

    def _by_label(self) -> dict[str, list[Curve]]:
        """The curves of ours that stand for each of the paper's."""
        by_label: dict[str, list[Curve]] = {}
        for curve in self.curves:
            by_label.setdefault(curve.label, []).append(curve)
        return by_label

    def _title(self, curve: Curve) -> str:
        """The architecture, with its sizes where the figure compares sizes."""
        name = curve.label.split("-(")[0]
        shared = sum(label.split("-(")[0] == name for label in self._by_label())
        return curve.title or (name if shared == 1 else curve.label)

    def _why(self, curve: Curve, result: Result) -> str:
        """What differs from the paper where we are below or above it, and whether the run was still getting better."""
        mine, theirs = (curve.budget or self.budget), self.paper.budget
        sizes = [] if plain_label(curve.label) == curve.ours else [f"{curve.ours} here"]
        examples = f"{result['test']['step'] * mine.batch:,} examples of up to {theirs.steps * theirs.batch:,} there"
        return "; ".join([*sizes, examples, "still rising" if _rising(result) else "no longer rising"])

    def _during(self, series: str, curve: Curve, length: int, step: int, accuracy: float) -> Row:
        return self._row(series, curve, length, percent(accuracy)) | {"printed": None, "steps": step, "status": DURING}

    def _row(self, series: str, curve: Curve, length: int, accuracy: float | None) -> Row:
        printed = curve.numbers(self.lengths).get(length)
        reached = [f"to_{goal}" for goal in REACHED]
        sizes = ("seconds", "core_hours", "parameters", "state_bits", "rising", "why")
        empty = dict.fromkeys(("difference", "ceiling", "least", "most", "seeds", "rate", "steps", *reached, *sizes))
        return {"series": series, "length": length, "accuracy": accuracy, "printed": printed, **empty, "status": "printed"}

    def figure(self, rows: list[Row]) -> dict[str, Any]:
        """A panel for each label: the paper, all that stands for it here with the spread over seeds, and the ceiling of our state."""
        by_series: dict[str, list[Row]] = {}
        of_ours: dict[str, list[Row]] = {}
        for row in rows:
            if row["status"] != DURING:
                of_ours.setdefault(row["series"], []).append(row)
            if row["status"] in ("printed", "run"):
                by_series.setdefault(row["series"], []).append(row)
        if all(row["status"] != "run" for row in rows):
            return nothing_run(self.title)
        panels, over = self._overview(by_series), sorted({row["length"] for row in rows})  # with what was not run
        empty: list[str] = []
        for label, every in self._by_label().items():
            curves = [curve for curve in every if not self.overview or curve.named]
            if not curves:
                continue
            of_label = [of_ours.get(curve.series, []) for curve in curves if curve.ours is not None]
            printed, ours = by_series.get(f"{label} {PRINTED}", []), [by_series.get(curve.series, []) for curve in curves]
            waiting = not_run(of_label[0], "length", "N = ") if len(of_label) == 1 else not_run([row for some in of_label for row in some])
            title = f"{self.title}: {self._title(curves[0])}"
            if any(ours):
                drawn = [*printed, *(row for some in ours for row in _with_bits(some)), *_ceilings(ours)]
                panels.append(compared(drawn, title, ("length", self.counts), over, waiting, self.chance))
            else:
                empty.append(self._title(curves[0]))
        for named in dict.fromkeys(curve.named for curve in self.curves):
            of_these = {curve.series: (curve.budget or self.budget).batch for curve in self.curves if curve.named == named}
            during = [row for name in of_these for row in _few([row for row in rows if (row["status"], row["series"]) == (DURING, name)])]
            if during:
                title = f"{self.title}{named}: validation during training, N = {self.watched}"
                batches = sorted({of_these[row["series"]] for row in during})
                steps = f"steps of {' or '.join(str(batch) for batch in batches)} examples"
                panels.append(percentages(during, title, ("steps", steps), "series", linear=True))
        drawn_titles = {panel["title"]["text"] for panel in panels}
        return side_by_side(*panels, left_out=[name for name in dict.fromkeys(empty) if f"{self.title}: {name}" not in drawn_titles])

    def _overview(self, by_series: Mapping[str, list[Row]]) -> list[dict[str, Any]]:
        """The paper's curves, and ours of one protocol, over the same axes and in the same colours."""
        if not self.overview:
            return []
        protocol = [curve for curve in self.curves if not curve.named]
        names = {curve.series: self._title(curve) for curve in protocol}
        ours = [{**row, "series": names[series]} for series in names for row in by_series.get(series, [])]
        if not ours:
            return []
        theirs = [{**row, "series": self._title(curve)} for curve in protocol for row in by_series.get(f"{curve.label} {PRINTED}", [])]
        cells = len(protocol) * len(self.lengths)
        missing = f"{len(ours)} of {cells} cells run" if len(ours) < cells else ""
        x = ("length", self.counts)
        return [
            over_lengths(theirs, f"{self.title}, {PRINTED}", x, list(names.values()), hollow=True, chance=self.chance),
            over_lengths(
                ours, f"{self.title}, here: equal numbers of examples", x, list(names.values()), missing=missing, chance=self.chance
            ),
        ]


def _few(rows: list[Row]) -> list[Row]:
    """At most POINTS of these rows, evenly, with the last one."""
    return rows[:: -max(1, -(-len(rows) // POINTS))][::-1]


def _with_bits(rows: list[Row]) -> list[Row]:
    """Rows of ours, named with the bits of their state where these bound what is learned."""
    if all(row["ceiling"] is None for row in rows):
        return rows
    bits = [row["state_bits"] for row in rows]
    where = f" at N = {rows[-1]['length']}" if len(set(bits)) > 1 else ""
    held = f", {bits[-1]:,} bits{where}" if bits and None not in bits else ""
    return [{**row, "series": f"{row['series']}{held}"} for row in rows]


def _ceilings(ours: Sequence[list[Row]]) -> list[Row]:
    """The ceiling at each length, if it is below 100 % at any; several of ours have the same state."""
    at = {
        row["length"]: {**row, "series": CEILING, "accuracy": row["ceiling"]} for some in ours for row in some if row["ceiling"] is not None
    }
    return [at[length] for length in sorted(at)] if any(row["accuracy"] < 100 for row in at.values()) else []


def _chosen(by_rate: Mapping[float, list[Result]]) -> tuple[float, list[Result]]:
    """The rate that was best on validation examples, and its runs."""
    return max(by_rate.items(), key=lambda entry: fmean(_validated(result) for result in entry[1]))


def _rising(result: Result) -> bool:
    """Whether the last tenth of the validations is better than all before."""
    shares = [accuracy for _, accuracy in result["validations"]]
    last = max(1, len(shares) // 10)
    return len(shares) > last and max(shares[-last:]) > max(shares[:-last])


def _validated(result: Result) -> float:
    """The best validation accuracy of a run."""
    return max((accuracy for _, accuracy in result["validations"]), default=0.0)
