"""Studies that train: the cells of a sweep, one run each, and the row stored for each run.

Training takes minutes, so the rows are stored beside the code, as written by `separatrix study NAME --run --out FILE`.
A row contains the whole description of its run, from which the run can be repeated, bit for bit on the same machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from separatrix.studies.panel import (
    HEIGHT,
    MANY,
    PAPER_INK,
    PRINTED,
    WIDTH,
    Axis,
    blank,
    chance_line,
    dashed,
    ends_of,
    headed,
    inks,
    legend,
    named_at_ends,
    over_numbers,
    over_values,
)
from separatrix.studies.study import Cell, Result, Row, answered_share
from separatrix.training.budget import Budget

if TYPE_CHECKING:
    from separatrix.runs.spec import RunSpec
    from separatrix.training.loop import Event

SCHEMA, VERSION = "separatrix/learned", 1
PREFIXES = 20_000  # of each length, on which a cross-entropy is measured
TESTED = ("step", "examples", "accuracy", "greedy", "asked")  # what is kept of the test of a run
REACHED = (50, 90, 99)  # percent of validation examples, whose first steps are listed
QUICK = 0.05  # core-hours: a run of less than three minutes is repeated with other seeds
OVERNIGHT = QUICK  # what is quick takes about two hours of two cores, all studies together; the rest is called so
REPEATS = 3  # seeds of a quick run
OWN_DASHES = ([1, 0], [9, 2, 2, 2], [2, 2], [12, 3], [4, 2, 1, 2], [1, 2])  # of ours beside a paper's curve
CEILING_INK = "#aaaaaa"
SHARE = {"field": "accuracy", "type": "quantitative", "title": "accuracy, %", "scale": {"domain": [0, 100]}}


@dataclass(frozen=True)
class TrainingRun:
    """One run of a sweep."""

    task: str
    length: int
    model: str
    budget: Budget
    seed: int = 0
    model_parameters: tuple[tuple[str, Any], ...] = ()
    task_parameters: tuple[tuple[str, Any], ...] = ()  # besides the length
    test_lengths: tuple[int, ...] = ()  # default: the length it is trained at

    @property
    def spec(self) -> RunSpec:
        """The description of the run."""
        from separatrix.runs.spec import RunSpec

        chosen = {"length": self.length, **dict(self.task_parameters)}
        return RunSpec(self.task, chosen, self.model, dict(self.model_parameters), self.budget, self.seed, self.test_lengths)


def trial(cell: TrainingRun) -> dict[str, Any]:
    """The cell as a trial that `separatrix sweep` runs."""
    from separatrix.runs.kinds.train import train_trial

    return train_trial(cell.spec)


def sweep(cells: Sequence[TrainingRun], path: Path, watch: Callable[[TrainingRun], Callable[[Event], None]]) -> Iterator[Row]:
    """Run the cells that are missing in the file at `path`, and append each as soon as it is done."""
    from separatrix.runs.row_file import open_rows, read_rows

    path.parent.mkdir(parents=True, exist_ok=True)
    with open_rows(path) as rows:
        done = {row["digest"] for row in read_rows(path)}
        for cell in cells:
            if cell.spec.digest not in done:
                row = learn(cell, watch(cell))
                rows.append(row)
                yield row


def learn(cell: TrainingRun, watch: Callable[[Event], None] | None = None) -> Row:
    """Train one cell; only the seconds, measured on one core, may differ between runs."""
    from separatrix.models.model import Model
    from separatrix.runs.run import run
    from separatrix.tasks.next_symbol import NextSymbol
    from separatrix.training.evaluation import measured_cross_entropy

    start = time.process_time()
    model, rows = run(cell.spec, None, watch)
    assert isinstance(model, Model)
    row = {
        "schema": SCHEMA,
        "version": VERSION,
        "digest": cell.spec.digest,
        "run": cell.spec.document(),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "state_bits": model.state_bits(cell.spec.judged_task().token_count),
        "seconds": round(time.process_time() - start),
        "validations": [[row["step"], row["accuracy"]] for row in rows if row["kind"] == "validation"],
        "test": {key: rows[-1][key] for key in TESTED},
    }
    if cell.test_lengths:
        row["tests"] = [[tested["length"], tested["accuracy"]] for tested in rows if tested["kind"] == "test"]
        row["nats"] = [
            [task.length, measured_cross_entropy(model, task, PREFIXES, cell.seed)]
            for task in cell.spec.test_tasks()
            if isinstance(task, NextSymbol)
        ]
    return row


def cells_of(runs: Sequence[TrainingRun]) -> tuple[Cell, ...]:
    """The sweep as data: each cell is the whole description of its run."""
    return tuple({"run": run.spec.document()} for run in runs)


def learner(runs: Sequence[TrainingRun]) -> Callable[[Cell], Result]:
    """`run` of a study with these runs: it trains the one that a cell describes."""

    def run(cell: Cell) -> Result:
        return learn(next(one for one in runs if one.spec.document() == cell["run"]))

    return run


def percent(share: float) -> float:
    """A share in percent, to one decimal as in the papers; one below 1 is not rounded up to 100."""
    return min(round(100 * share, 1), 100.0 if share == 1 else 99.9)


def first_step(results: list[Result], share: float) -> int | None:
    """The step at which validation first reached a share, on average over seeds; None unless all did."""
    first = [next((step for step, accuracy in result["validations"] if accuracy >= share), None) for result in results]
    reached = [step for step in first if step is not None]
    return round(fmean(reached)) if len(reached) == len(first) else None


def run_row(named: Row, result: Result | None, hours: float | None = None) -> Row:
    """What a run is called, and what came out of it, in the same columns whether or not it was run."""
    if result is None:
        columns = ("accuracy", "steps", *(f"to_{goal}" for goal in REACHED), "seconds", "parameters", "state_bits")
        overnight = hours is not None and hours >= OVERNIGHT
        status = "not run (overnight)" if overnight else "not run"
        return {**named, **dict.fromkeys(columns), "core_hours": hours, "status": status}
    return {
        **named,
        "accuracy": percent(answered_share(result)),
        "steps": result["test"]["step"],
        **{f"to_{goal}": first_step([result], goal / 100) for goal in REACHED},
        "seconds": result["seconds"],
        "parameters": result["parameters"],
        "state_bits": result["state_bits"],
        "core_hours": round(result["seconds"] / 3600, 2),
        "status": "run",
    }


def few_steps(run: TrainingRun, length: int) -> TrainingRun:
    """The run at the scale `smoke`: a few small steps at a small length."""
    few: dict[str, Any] = {"steps": 20, "batch": 16, "warmup": 0, "validate_every": 10, "validation": 50, "test": 50}
    return replace(run, length=length, budget=replace(run.budget, **few))


def not_run(rows: Sequence[Row], field: str = "", word: str = "") -> str:
    """Which of these rows wait for their run: by the values of a field where one tells them apart, else how many."""
    waiting = [row for row in rows if str(row.get("status", "")).startswith("not run")]
    if not waiting:
        return ""
    if not field:
        return f"not run yet: {len(waiting)} of {len(rows)}"
    return f"not run yet: {word}" + ", ".join(str(value) for value in dict.fromkeys(row[field] for row in waiting))


def seen(rows: Sequence[Row], title: str, x: Axis, by: str = "series", chance: float = 0.0) -> dict[str, Any]:
    """A point for each seed and a line through their means, one for each value of `by`; what was not run is counted."""
    ran = [row for row in rows if row["status"] == "run"]
    if not ran:
        return blank(title)
    points = [{by: row[by], x[0]: row[x[0]], "accuracy": row["accuracy"]} for row in ran]
    order = list(dict.fromkeys(row[by] for row in points))
    named = {"field": by, "type": "nominal", "scale": {"domain": order, "range": inks(order)}, "legend": legend(order)}
    mean = {"y": {**SHARE, "aggregate": "mean"}}
    layers: list[dict[str, Any]] = [
        *([chance_line(chance)] if chance else []),
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {**mean, "strokeDash": dashed(named)}},
        {"mark": {"type": "circle", "size": 40, "opacity": 0.8}},
    ]
    encoding = {"x": over_values(x, [row[x[0]] for row in points]), "y": SHARE, "color": named}
    return _with_names(points, headed(title, not_run(rows)), encoding, layers, by, x, chance)


def _with_names(
    rows: list[Row], title: dict[str, Any], encoding: dict[str, Any], layers: list[dict[str, Any]], by: str, x: Axis, chance: float
) -> dict[str, Any]:
    """A panel whose few curves are named at their ends; many have a legend."""
    frame = {"title": title, "width": WIDTH, "height": HEIGHT, "data": {"values": rows}}
    scale = encoding["color"]["scale"]
    if len(scale["domain"]) > MANY:
        return {**frame, "encoding": encoding, "layer": layers}
    ends = ends_of(rows, by, x[0], "accuracy") | ({"chance": (encoding["x"]["scale"]["domain"][1], chance)} if chance else {})
    ink = dict(zip(scale["domain"], scale["range"], strict=True)) | {"chance": PAPER_INK}
    unnamed = [
        {**layer, "encoding": {**layer["encoding"], "strokeDash": {**layer["encoding"]["strokeDash"], "legend": None}}}
        if "strokeDash" in layer.get("encoding", {})
        else layer
        for layer in layers
    ]
    return named_at_ends({**frame, "encoding": {**encoding, "color": {**encoding["color"], "legend": None}}, "layer": unnamed}, ends, ink)


def percentages(rows: list[Row], title: str, x: Axis, by: str, *, linear: bool = False, chance: float = 0.0) -> dict[str, Any]:
    """Accuracy in percent, one curve for each value of the field `by`, in the order of the rows; a paper's numbers are hollow diamonds.

    Numbers along x are logarithmic unless `linear`, words are in the order of the rows."""
    order, places = list(dict.fromkeys(row[by] for row in rows)), [row[x[0]] for row in rows]
    named = {"field": by, "type": "nominal", "scale": {"domain": order, "range": inks(order)}, "legend": legend(order)}
    layers: list[dict[str, Any]] = [
        *([chance_line(chance)] if chance else []),
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"strokeDash": dashed(named)}},  # not by colour alone
        {"mark": {"type": "circle", "size": 24, "opacity": 1}, "transform": [{"filter": f"indexof(datum.{by}, '{PRINTED}') < 0"}]},
        {
            "mark": {"type": "point", "shape": "diamond", "size": 90, "strokeWidth": 2, "opacity": 1},
            "transform": [{"filter": f"indexof(datum.{by}, '{PRINTED}') >= 0"}],
        },
    ]
    encoding: dict[str, Any] = {"y": SHARE, "color": named}
    if any(isinstance(place, str) for place in places):
        words = {"field": x[0], "title": x[1], "type": "ordinal", "axis": {"labelAngle": 0, "labelOverlap": "greedy", "labelSeparation": 4}}
        frame = {"title": headed(title), "width": WIDTH, "height": HEIGHT, "data": {"values": rows}}
        return {**frame, "encoding": {"x": words, **encoding}, "layer": layers}
    along = over_numbers(x, places) if linear or min(places) <= 0 else over_values(x, places)
    return _with_names(rows, headed(title), {"x": along, **encoding}, layers, by, x, chance)


def over_lengths(
    rows: list[Row], title: str, x: Axis, names: Sequence[str], *, hollow: bool = False, missing: str = "", chance: float = 0.0
) -> dict[str, Any]:
    """Accuracy against a logarithmic length, a model in its own colour; a paper's numbers hollow on thin lines, ours solid, with the worst
    and the best seed."""
    order = list(names)  # also without rows here, so that a model looks the same in every panel
    named = {"field": "series", "type": "nominal", "scale": {"domain": order, "range": inks(order)}, "legend": legend(order)}
    dots = {"type": "point", "shape": "diamond", "size": 60, "strokeWidth": 1.5} if hollow else {"type": "circle", "size": 50}
    layers: list[dict[str, Any]] = [
        *([chance_line(chance)] if chance else []),
        {"mark": {"type": "line", "strokeWidth": 1 if hollow else 2.5}, "encoding": {"strokeDash": dashed(named)}},
        {"mark": {**dots, "opacity": 1}},
        *([] if hollow else _seeds()),
    ]
    encoding = {"x": over_values(x, [row[x[0]] for row in rows] or [1, 10]), "y": SHARE, "color": named}
    return _with_names(rows, headed(title, missing), encoding, layers, "series", x, chance)


def compared(rows: list[Row], title: str, x: Axis, over: Sequence[Any], missing: str = "", chance: float = 0.0) -> dict[str, Any]:
    """Accuracy in percent of a few series: a paper's as hollow grey diamonds, ours solid with the worst and the best seed, a ceiling as a
    dotted line between ticks; panels over the same values of x can be compared."""
    order = list(dict.fromkeys(row["series"] for row in rows))
    own = iter(OWN_DASHES * len(order))
    dashes = [[6, 3] if PRINTED in series else [1, 3] if "ceiling" in series else next(own) for series in order]
    colours = [CEILING_INK if "ceiling" in series else ink for series, ink in zip(order, inks(order), strict=True)]
    named: dict[str, Any] = {"field": "series", "type": "nominal", "scale": {"domain": order, "range": colours}, "legend": legend(order)}
    printed, ceiling = f"indexof(datum.series, '{PRINTED}') >= 0", "indexof(datum.series, 'ceiling') >= 0"
    ours = f"!({printed}) && !({ceiling})"
    of_kind = {"strokeDash": {**named, "scale": {"domain": order, "range": dashes}}}
    layers: list[dict[str, Any]] = [
        *([chance_line(chance)] if chance else []),
        {"mark": {"type": "line", "strokeWidth": 1.5}, "transform": [{"filter": f"!({ours})"}], "encoding": of_kind},
        {"mark": {"type": "line", "strokeWidth": 2.5}, "transform": [{"filter": ours}], "encoding": of_kind},
        {"mark": {"type": "tick", "thickness": 2, "size": 18, "opacity": 1}, "transform": [{"filter": ceiling}]},
        {"mark": {"type": "circle", "size": 50, "opacity": 1}, "transform": [{"filter": ours}]},
        *({**layer, "transform": [{"filter": ours}]} for layer in _seeds()),
        {"mark": {"type": "point", "shape": "diamond", "size": 70, "strokeWidth": 1.5, "opacity": 1}, "transform": [{"filter": printed}]},
    ]
    encoding = {"x": over_values(x, over), "y": SHARE, "color": named}
    return _with_names(rows, headed(title, missing), encoding, layers, "series", x, chance)


def _seeds() -> list[dict[str, Any]]:
    """The worst and the best seed as points on a thin line."""
    points = ({"mark": {"type": "circle", "size": 14, "opacity": 0.8}, "encoding": {"y": {"field": end}}} for end in ("least", "most"))
    return [{"mark": {"type": "rule", "strokeWidth": 1}, "encoding": {"y": {"field": "least"}, "y2": {"field": "most"}}}, *points]
