"""`separatrix study`: its question, the cited prediction, its rows, its figure, and what determines each of its cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import STUDY_NAMES
from separatrix.cli.outputs import FIGURES, picture_kind, write_picture
from separatrix.cli.printing import counted, done, progress
from separatrix.cli.report import Report, Table, reporting
from separatrix.cli.scores import progress_printer
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.studies.answer import Answer
    from separatrix.studies.study import Study

PAPER = "printed"  # rows that stand apart from ours, as those of DURING do
SHORT = 12  # digits of a key in a table


@click.command()
@click.argument("name", shell_complete=STUDY_NAMES)
@click.option("--figure", type=click.Path(path_type=Path, dir_okay=False), help=f"Draw it too: a file {FIGURES}.")
@click.option("--cell", metavar="KEY", help="Show what determines one cell, by the first digits of its key; `all` lists the keys.")
@click.option("--scale", help="With --cell: the cells of `separatrix sweep` at smoke, laptop or paper; without it those of the figure.")
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Use the rows of this store, from `separatrix sweep`, before the shipped ones.",
)
@click.option("--run", "run_it", is_flag=True, help="Train what the study has not trained yet; takes minutes.")
@click.option("--out", type=click.Path(path_type=Path), help="File for the rows of --run (a later run continues it) or of --store.")
@reporting
def study(
    name: str, figure: Path | None, cell: str | None, scale: str | None, store: Path | None, run_it: bool, out: Path | None
) -> Report:
    """A study: its question, the prediction, the answer, its rows and its figure. --run trains it again."""
    from separatrix.studies import study as find_study
    from separatrix.studies import study_rows
    from separatrix.studies.panel import left_out

    chosen_study = find_study(name)
    kind = None if figure is None else picture_kind(figure)
    if scale is not None and cell is None:
        raise BadInput("study: --scale is for --cell; `separatrix sweep` runs the cells of a scale")
    if run_it and (figure or cell or store):
        raise BadInput("study: --figure, --cell and --store go without --run")
    if cell is not None:
        return _cell_report(name, _cells(name, scale, cell), cell)
    if run_it:
        return _run_study(name, out)
    if out is not None and store is None:
        raise BadInput("study: --out is for --run and --store")
    rows = study_rows(chosen_study, progress) if store is None else _stored_rows(chosen_study, store, out)
    progress("")
    answer = chosen_study.answer(rows)
    document = {
        "study": name, "question": chosen_study.question, "prediction": chosen_study.prediction,
        "answer": {"verdict": answer.verdict, "sentence": answer.sentence},
        "cites": list(chosen_study.cites), "caption": chosen_study.caption, "rows": rows,
    }  # fmt: skip
    drawing = chosen_study.figure(rows)
    drawn = [left_out(drawing)] if left_out(drawing) else []
    if figure is not None and kind is not None:
        write_picture(figure, kind, drawing, answer.finding, chosen_study.measured)
        document["figure"], drawn = str(figure), [*drawn, f"the figure is in {figure}"]
    head = [chosen_study.question, f"prediction: {chosen_study.prediction}", *_answer(answer)]
    return Report(document, [*head, *_shown(rows), chosen_study.caption, *drawn])


def _answer(answer: Answer) -> list[str]:
    """The finding, and below it what qualifies it."""
    return [f"{answer.verdict}: {answer.finding}.", *([f"  {answer.details}"] if answer.details else [])]


def _shown(rows: list[dict[str, Any]]) -> list[Table | str]:
    """Rows as tables without what they cost, ours and then a paper's; below them why we differ, and how many rows are left out."""
    from separatrix.studies.study import DURING

    apart = {status: [row for row in rows if row.get("status") == status] for status in (PAPER, DURING)}
    ours = [{**row, "why": None, "core_hours": None} for row in rows if row.get("status") not in apart]
    if {row.get("status") for row in ours} == {"run"}:
        ours = [{**row, "status": None} for row in ours]
    reasons = [f"{row['series']} at N = {row['length']}: {row['difference']:+g} because of {row['why']}" for row in rows if row.get("why")]
    printed: list[Table | str] = ["", "in the paper:", Table.of(apart[PAPER])]
    return [
        *([Table.of(ours)] if ours else []),
        *(printed if apart[PAPER] else []),
        *(["", "differences from the paper:", *reasons] if reasons else []),
        *(["", f"{counted(len(apart[DURING]), 'row')} of validation during training in the figure and in --json"] if apart[DURING] else []),
        *([""] if any(apart.values()) else []),
    ]


def _stored_rows(study: Study, place: Path, out: Path | None) -> list[dict[str, Any]]:
    """The rows of a study: those of a store, and shipped ones of other cells; with `out` the former are written as they are shipped."""
    from separatrix.certificates.files import write_file
    from separatrix.runs.store import read_store
    from separatrix.studies.from_store import results_in
    from separatrix.studies.stored import matched, shipped

    if not study.trains:
        raise BadInput(f"study {study.name} trains nothing: leave out --store, its rows are computed on demand")
    with read_store(place) as opened:
        found = results_in(opened, study)
    if out is not None:
        write_file(out, "".join(json.dumps(found[digest], allow_nan=False) + "\n" for digest in found).encode())
    return study.rows(matched(study, {**shipped(), **found}))


def _cells(name: str, scale: str | None, start: str) -> dict[str, Any]:
    """Key, as `separatrix sweep` has it -> everything that determines a cell: of the study's figure, or the trials of a scale."""
    from separatrix.runs.kinds.recover import SCHEMA as RECOVERY
    from separatrix.runs.trial import make_trial
    from separatrix.studies import study as find_study
    from separatrix.studies.study import cell_digest

    if scale is not None:
        return _swept(name, scale)

    if not find_study(name).trains:
        return {cell_digest(cell): dict(cell) for cell in find_study(name).cells}
    kinds = ("recover" if cell["run"]["schema"] == RECOVERY else "train" for cell in find_study(name).cells)
    configurations = [{"kind": kind, **cell} for kind, cell in zip(kinds, find_study(name).cells, strict=True)]
    cells = {make_trial(configuration).key: configuration for configuration in configurations}
    unknown = start != "all" and not any(key.startswith(start) for key in cells)
    return _swept(name, "laptop") if unknown else cells


def _swept(name: str, scale: str) -> dict[str, Any]:
    from separatrix.runs.trial import make_trial
    from separatrix.studies.cells import study_cells

    return {make_trial(configuration).key: configuration for configuration in study_cells(name, scale)}


def _cell_report(name: str, cells: dict[str, Any], start: str) -> Report:
    """The one cell whose key begins so, or the keys of all."""
    from separatrix.studies.cell_table import cell_rows

    if start == "all":
        rows = [{"key": key, "cell": cell} for key, cell in cells.items()]
        short = [{"key": key[:SHORT], **row} for key, row in zip(cells, cell_rows(list(cells.values())), strict=True)]
        return Report({"study": name, "cells": rows}, [Table.of(short), f"`separatrix study {name} --cell KEY` prints all of one"])
    found = [key for key in cells if key.startswith(start)]
    if len(found) != 1:
        raise BadInput(
            f"study {name}: {'no cell' if not found else 'more than one cell'} has a key that begins with {start!r}; --cell all lists"
        )
    (key,) = found
    return Report({"study": name, "key": key, "cell": cells[key]}, [f"cell {key}", *json.dumps(cells[key], indent=1).splitlines()])


def _run_study(name: str, out: Path | None) -> Report:
    """Train the cells of a study, one after the other."""
    from importlib import import_module

    from separatrix.runs.process_settings import configure_process
    from separatrix.studies import STUDIES
    from separatrix.studies import study as find_study
    from separatrix.studies.learned import sweep

    cells = getattr(import_module(STUDIES[name]), "SWEEP", None)
    if find_study(name).results_of:
        raise BadInput(f"study {name} reads the rows of {find_study(name).results_of}: leave out --run")
    if cells is None and find_study(name).trains:
        raise BadInput(f"study {name} is trained by `separatrix sweep {name}`: leave out --run")
    if cells is None:
        raise BadInput(f"study {name} trains nothing: leave out --run, its rows are computed on demand")
    if out is None:
        raise BadInput("study: --run needs --out, the file for the rows")
    configure_process()
    trained = []
    for row in sweep(cells, out, lambda cell: progress_printer(cell.budget.steps)):
        trained.append(row)
        test, run = row["test"], row["run"]
        reached = f"{100 * test['accuracy']:.1f} % after {test['step']} steps, {row['seconds']} s"
        done(f"{run['model']} at N = {run['task_parameters']['length']}: {reached}")
    missing = f"{counted(len(trained), 'run')} {'was' if len(trained) == 1 else 'were'} missing"
    return Report({"study": name, "file": str(out), "rows": trained}, [f"{missing}; rows are in {out}"])
