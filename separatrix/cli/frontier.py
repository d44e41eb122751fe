"""`separatrix frontier`: the least width that learns a task at each length, and how it grows."""

from __future__ import annotations

import math
import sys
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import json_option, set_option, store_option
from separatrix.cli.printing import counted, done, emit, table
from separatrix.cli.sweep import engine_settings, progress_printer
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from separatrix.studies.frontier import Outcome, Trial

WIDTHS = "8,16,24,32,48,64,96,128"
HEAD = ("model", "N", "least width", "state bits", "accuracy", "bits needed", "attempts")


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--models", required=True, metavar="NAME-LAYERS,..", help="Families of models, such as tf-1,lstm-1,file.py:Mixer-1.")
@click.option("--lengths", required=True, metavar="N,..", help="Lengths of the task.")
@click.option("--target", type=float, default=0.99, show_default=True, help="Accuracy on the test inputs that counts as learned.")
@click.option("--widths", default=WIDTHS, show_default=True, metavar="W,..", help="Widths to search among.")
@click.option("--rates", default="0.001,0.003", show_default=True, help="Learning rates to try.")
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, help="Seeds tried with every rate.")
@click.option("--steps", type=click.IntRange(min=1), default=4000, show_default=True, help="The most steps of one attempt.")
@click.option("--batch", type=click.IntRange(min=1), default=128, show_default=True, help="Examples of a step.")
@click.option("--patience", type=click.IntRange(min=0), default=8, show_default=True,
              help="End an attempt after this many validations without improvement; 0: never.")  # fmt: skip
@click.option(
    "--measure",
    type=click.Choice(["width", "state-bits"]),
    default="width",
    show_default=True,
    help="What grows: the quantity whose exponent is fitted.",
)
@click.option("--engine", default="local", show_default=True, help="local, ray or slurm.")
@click.option("--workers", type=click.IntRange(min=1), help="Attempts at once; default: all cores, or all CPUs of the cluster.")
@click.option("--address", help="HOST:PORT of a Ray head node.")
@store_option
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the attempts may run.")
@set_option
@json_option
def frontier(
    task: str, models: str, lengths: str, target: float, widths: str, rates: str, seeds: int, steps: int, batch: int, patience: int,
    measure: Any, engine: str, workers: int | None, address: str | None, store: Path, code: tuple[str, ...], chosen: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """The least width that learns TASK at each length, for each family of models, by bisection; and how it grows.

    An attempt ends at --steps, well above the target, or when it stops improving (--patience); one success is enough for a width.
    --set key=value sets a parameter of the task.
    """
    from separatrix.studies.frontier import Question, families, fits, lines, search
    from separatrix.training.budget import Budget

    every = max(1, min(250, steps // 4))
    budget = Budget(
        steps=steps, batch=batch, schedule="cosine", warmup=min(200, steps // 10), clip=1.0, validate_every=every, patience=patience,
        validation=1000, report_every=every, snapshot_every=every,
    )  # fmt: skip
    parameters: dict[str, Any] = dict(settings(chosen))
    if "length" in parameters:
        raise BadInput("frontier: --lengths lists the lengths, found --set length")
    question = Question(
        task, parameters, families(_listed(models, str, "models")), _listed(lengths, int, "lengths"), target,
        _listed(widths, int, "widths"), budget, _listed(rates, float, "rates"), seeds,
    )  # fmt: skip
    question.require_models()
    own = tuple(family.model for family in question.families if ":" in family.model)  # the user has just named it
    most = len(question.attempts()) * math.ceil(math.log2(len(question.widths) + 1))
    run = _runner(store, engine, engine_settings({}, workers, address), tuple(dict.fromkeys((*code, *own))), most)
    rows = search(question, run)
    fitted = fits(question, rows, measure)
    emit({"rows": rows, "fits": fitted}, [*table(HEAD, list(lines(rows))), *map(_sentence, fitted), f"rows are in {store}"], as_json)


def _runner(
    store: Path, engine: str, parameters: dict[str, Any], code: tuple[str, ...], most: int
) -> Callable[[list[Trial]], list[Outcome]]:
    """Runs those of a list of trials that the store lacks, in `most` rounds at most; the rows of all of them, or why one has none."""
    from separatrix.runs.engines import make_engine
    from separatrix.runs.integrity import require_sound_pages
    from separatrix.runs.launcher import Launch, Limits, launch
    from separatrix.runs.store import open_store
    from separatrix.runs.stored_trials import rows_of
    from separatrix.runs.trial import make_trial

    folder = store.with_name(f"{store.name}-work")
    rounds = [0]

    def run(configurations: list[Trial]) -> list[Outcome]:
        trials = [make_trial(configuration, code) for configuration in configurations]
        with (
            redirect_stdout(sys.stderr),  # an engine may print; stdout is reserved for the one document
            closing(make_engine(engine, parameters, folder)) as place,
            open_store(store) as opened,
        ):
            require_sound_pages(opened)
            rounds[0] += 1
            done(f"round {rounds[0]} of at most {most}: {counted(len(configurations), 'attempt')}")
            counts = launch(Launch(opened, place, engine, folder.resolve(), Limits(), code, report=progress_printer()), trials)
            failures = dict(counts.failures)
            return [failures[trial.key] if trial.key in failures else list(rows_of(opened, trial.key)) for trial in trials]

    return run


def _listed(text: str, kind: Any, option: str) -> tuple[Any, ...]:
    """The values of an option that lists them with commas."""
    try:
        return tuple(kind(part.strip()) for part in text.split(","))
    except ValueError:
        what = {int: "whole numbers", float: "numbers"}[kind]
        raise BadInput(f"--{option}: expected {what} separated by commas, found {text!r}") from None


def _sentence(fit: dict[str, Any]) -> str:
    """A fitted exponent with its interval and the theorem's, in one line."""
    theorem = "no theorem is known" if fit["theorem"] is None else f"by theorem at least N^{fit['theorem']:.2f}"
    unlearned = f"; not learned at N = {', '.join(map(str, fit['unlearned']))}" if fit["unlearned"] else ""
    if fit["exponent"] is None:
        return f"{fit['model']}: fewer than two lengths were learned, so there is nothing to fit; {theorem}{unlearned}"
    low, high = fit["interval"]
    return f"{fit['model']}: {fit['measure']} ~ N^{fit['exponent']:.2f}, between {low:.2f} and {high:.2f}; {theorem}{unlearned}"
