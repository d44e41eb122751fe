"""`separatrix study`: its question, the cited prediction, its rows, its figure, and what determines each of its cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import STUDY_NAMES
from separatrix.cli.options import json_option
from separatrix.cli.printing import done, emit, progress, table
from separatrix.cli.reporting import progress_printer
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.studies.study import Study

FIGURES = ("svg", "png")
SHORT, WIDE = 12, 110  # digits of a key, and letters of a cell, in a table


@click.command()
@click.argument("name", shell_complete=STUDY_NAMES)
@click.option("--figure", type=click.Path(path_type=Path, dir_okay=False), help="Draw it too: a file that ends in .svg or .png.")
@click.option("--cell", metavar="KEY", help="Only what determines this cell, by the first digits of its key; `all` lists the keys.")
@click.option("--scale", help="With --cell: the cells of `separatrix sweep` at smoke, laptop or paper; without it those of the figure.")
@click.option("--store", type=click.Path(path_type=Path, dir_okay=False), help="Rows that `separatrix sweep` has put into this file.")
@click.option("--run", "run_it", is_flag=True, help="Train what the study has not trained yet; takes minutes.")
@click.option("--out", type=click.Path(path_type=Path), help="File for the rows of --run, which a later one continues, or of --store.")
@json_option
def study(
    name: str, figure: Path | None, cell: str | None, scale: str | None, store: Path | None, run_it: bool, out: Path | None, as_json: bool
) -> None:  # fmt: skip
    """A study: its question, the cited prediction, its rows and its figure. With --run, a study that trains is run again."""
    from separatrix.studies import study as find_study
    from separatrix.studies import study_rows

    chosen_study = find_study(name)
    kind = None if figure is None else figure.suffix.removeprefix(".").lower()
    if kind not in (None, *FIGURES):
        raise BadInput(f"study: --figure expects a file that ends in .svg or .png, found {str(figure)!r}")
    if scale is not None and cell is None:
        raise BadInput("study: --scale is for --cell; `separatrix sweep` runs the cells of a scale")
    if run_it and (figure or cell or store):
        raise BadInput("study: --figure, --cell and --store go without --run")
    if cell is not None:
        _print_cells(name, _cells(name, scale), cell, as_json)
        return
    if run_it:
        _run_study(name, out, as_json)
        return
    if out is not None and store is None:
        raise BadInput("study: --out is for --run and --store")
    rows = study_rows(chosen_study, progress) if store is None else _stored_rows(chosen_study, store, out)
    progress("")
    document = {
        "study": name, "question": chosen_study.question, "prediction": chosen_study.prediction,
        "cites": list(chosen_study.cites), "caption": chosen_study.caption, "rows": rows,
    }  # fmt: skip
    drawn = []
    if figure is not None and kind is not None:
        from separatrix.atlas.drawing import picture
        from separatrix.certificates.files import write_file

        write_file(figure, picture(chosen_study.figure(rows), kind))
        document["figure"], drawn = str(figure), [f"the figure is in {figure}"]
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    shown = table(columns, [["-" if row[name] is None else row[name] for name in columns] for row in rows])
    emit(document, [chosen_study.question, f"prediction: {chosen_study.prediction}", *shown, chosen_study.caption, *drawn], as_json)


def _stored_rows(study: Study, place: Path, out: Path | None) -> list[dict[str, Any]]:
    """The rows of a study from a store; with `out` its results are written too, in the form in which they are shipped."""
    from separatrix.certificates.files import write_file
    from separatrix.runs.store import read_store
    from separatrix.studies.from_store import results_in
    from separatrix.studies.stored import matched

    if not study.trains:
        raise BadInput(f"study {study.name} trains nothing: leave out --store, its rows are computed on demand")
    with read_store(place) as opened:
        found = results_in(opened, study)
    if out is not None:
        write_file(out, "".join(json.dumps(found[digest], allow_nan=False) + "\n" for digest in found).encode())
    return study.rows(matched(study, found))


def _cells(name: str, scale: str | None) -> dict[str, Any]:
    """Key -> everything that determines a cell: of the study's figure, or the trials of a scale."""
    from separatrix.studies import study as find_study
    from separatrix.studies.cells import study_cells
    from separatrix.studies.study import cell_digest

    if scale is None:
        return {cell_digest(cell): dict(cell) for cell in find_study(name).cells}
    from separatrix.runs.trial import make_trial

    return {make_trial(configuration).key: configuration for configuration in study_cells(name, scale)}


def _in_short(cell: dict[str, Any]) -> str:
    """A training run by what differs between runs; another cell as it is."""
    run = cell.get("run")
    if not isinstance(run, dict) or "budget" not in run:
        return json.dumps(cell)[:WIDE]
    parameters = [f"{key}={value}" for key, value in {**run["task_parameters"], **run["model_parameters"]}.items()]
    budget = run["budget"]
    return f"{run['model']} on {run['task']}, {', '.join(parameters)}; rate {budget['rate']:g}, {budget['steps']} steps, seed {run['seed']}"


def _print_cells(name: str, cells: dict[str, Any], start: str, as_json: bool) -> None:
    """The one cell whose key begins so, or the keys of all."""
    if start == "all":
        rows = [{"key": key, "cell": cell} for key, cell in cells.items()]
        short = [(key[:SHORT], _in_short(cell)) for key, cell in cells.items()]
        emit({"study": name, "cells": rows}, table(("key", "cell"), short), as_json)
        return
    found = [key for key in cells if key.startswith(start)]
    if len(found) != 1:
        raise BadInput(
            f"study {name}: {'no cell' if not found else 'more than one cell'} has a key that begins with {start!r}; --cell all lists"
        )
    (key,) = found
    emit({"study": name, "key": key, "cell": cells[key]}, [f"cell {key}", *json.dumps(cells[key], indent=1).splitlines()], as_json)


def _run_study(name: str, out: Path | None, as_json: bool) -> None:
    """Train the cells of a study, one after the other."""
    from importlib import import_module

    from separatrix.runs.machine import settle
    from separatrix.studies import STUDIES
    from separatrix.studies import study as find_study
    from separatrix.studies.learned import sweep

    cells = getattr(import_module(STUDIES[name]), "SWEEP", None)
    if cells is None and find_study(name).trains:
        raise BadInput(f"study {name} is trained by `separatrix sweep {name}`: leave out --run")
    if cells is None:
        raise BadInput(f"study {name} trains nothing: leave out --run, its rows are computed on demand")
    if out is None:
        raise BadInput("study: --run needs --out, the file for the rows")
    settle()
    trained = []
    for row in sweep(cells, out, lambda cell: progress_printer(cell.budget.steps)):
        trained.append(row)
        test, run = row["test"], row["run"]
        reached = f"{100 * test['accuracy']:.1f} % after {test['step']} steps, {row['seconds']} s"
        done(f"{run['model']} at N = {run['task_parameters']['length']}: {reached}")
    emit({"study": name, "file": str(out), "rows": trained}, [f"{len(trained)} runs were missing; rows are in {out}"], as_json)
