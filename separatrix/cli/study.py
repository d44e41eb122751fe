"""`separatrix study`: a study: its question, the cited prediction, and its rows. With --run, a study that trains is run again."""

from __future__ import annotations

from pathlib import Path

import click

from separatrix.cli.completion import STUDY_NAMES
from separatrix.cli.options import json_option
from separatrix.cli.printing import done, emit, progress, table
from separatrix.cli.reporting import progress_printer
from separatrix.errors import BadInput


@click.command()
@click.argument("name", shell_complete=STUDY_NAMES)
@click.option("--run", "run_it", is_flag=True, help="Train what the study has not trained yet; takes minutes.")
@click.option("--out", type=click.Path(path_type=Path), help="File for the rows of --run; a later --run continues from it.")
@json_option
def study(name: str, run_it: bool, out: Path | None, as_json: bool) -> None:
    """A study: its question, the cited prediction, and its rows. With --run, a study that trains is run again."""
    from separatrix.studies import study as find_study
    from separatrix.studies import study_rows

    chosen_study = find_study(name)
    if run_it:
        _run_study(name, out, as_json)
        return
    if out is not None:
        raise BadInput("study: --out is for --run")
    rows = study_rows(chosen_study, progress)
    progress("")
    document = {
        "study": name, "question": chosen_study.question, "prediction": chosen_study.prediction,
        "cites": list(chosen_study.cites), "caption": chosen_study.caption, "rows": rows,
    }  # fmt: skip
    shown = table(list(rows[0]), [["-" if value is None else value for value in row.values()] for row in rows])
    emit(document, [chosen_study.question, f"prediction: {chosen_study.prediction}", *shown, chosen_study.caption], as_json)


def _run_study(name: str, out: Path | None, as_json: bool) -> None:
    """Train the cells of a study, one after the other."""
    from importlib import import_module

    from separatrix.runs.machine import settle
    from separatrix.studies import STUDIES
    from separatrix.studies.learned import sweep

    cells = getattr(import_module(STUDIES[name]), "SWEEP", None)
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
