"""`separatrix sweep`: the trials of a study that a store lacks, run on an engine."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import STUDY_NAMES
from separatrix.cli.options import json_option, set_option, store_option
from separatrix.cli.printing import done, emit, progress
from separatrix.cli.report import Table
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.runs.launcher import Counts
    from separatrix.runs.trial import Trial

QUIET = 30.0  # seconds between two lines of progress without a terminal
SHORT = 12


@click.command()
@click.argument("study", shell_complete=STUDY_NAMES)
@click.option("--scale", default="laptop", show_default=True, help="smoke, laptop or paper.")
@click.option("--engine", default="local", show_default=True, help="local, ray or slurm.")
@store_option
@click.option("--cell", "cells", multiple=True, metavar="KEY", help="Only this cell, by the first digits of its key; may be repeated.")
@click.option("--overnight", is_flag=True, help="At scale laptop: also run the cells that take three core-minutes or more.")
@click.option("--list", "only_list", is_flag=True, help="Print the cells with their keys; run nothing.")
@click.option("--workers", type=click.IntRange(min=1), help="Trials at once; default: all cores, or all CPUs of the cluster.")
@click.option("--address", help="HOST:PORT of a Ray head node.")
@click.option("--timeout", type=float, default=21600, show_default=True, help="Seconds allowed per attempt; 0: no limit.")
@click.option("--memory", type=float, help="The most memory per trial, in GiB of address space.")
@click.option("--retries", type=click.IntRange(min=0), default=1, show_default=True, help="How often to retry a failed trial.")
@click.option("--work", type=click.Path(path_type=Path, file_okay=False), help="Folder for snapshots; default: beside the store.")
@click.option("--keep", is_flag=True, help="Keep the folders of finished trials, with their weights.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the trials may run.")
@set_option
@json_option
@click.pass_context
def sweep(
    context: click.Context, study: str, scale: str, engine: str, store: Path, cells: tuple[str, ...], overnight: bool, only_list: bool,
    workers: int | None, address: str | None, timeout: float, memory: float | None, retries: int, work: Path | None, keep: bool,
    code: tuple[str, ...], chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Run the trials of STUDY that the store lacks. --set key=value sets a parameter of the engine. Exit code 1 if trials failed."""
    from separatrix.runs.engines import make_engine
    from separatrix.runs.integrity import require_sound_pages
    from separatrix.runs.launcher import Launch, Limits, launch
    from separatrix.runs.store import open_store
    from separatrix.runs.trial import make_trial
    from separatrix.studies.cells import study_cells

    limits = Limits(_positive(timeout, "--timeout", zero=True), _bytes(memory), retries)
    trials = [make_trial(configuration, code) for configuration in study_cells(study, scale)]
    trials = [trial for trial in trials if not cells or any(trial.key.startswith(start) for start in cells)]
    for start in cells:
        if not any(trial.key.startswith(start) for trial in trials):
            raise BadInput(f"study {study} has no cell {start!r} at scale {scale}: --list prints the keys")
    if only_list:
        rows = [{"key": trial.key, "configuration": trial.configuration} for trial in trials]
        emit({"cells": rows}, _listed(study, trials, store), as_json)
        return
    left = {} if overnight or cells or scale != "laptop" else _overnight(study, trials)
    trials = [trial for trial in trials if trial.key not in left]
    if work is not None:
        _require_writable(work)
    folder = work or store.with_name(f"{store.name}-work")
    with (
        redirect_stdout(sys.stderr),  # an engine may print; stdout is reserved for the one document
        closing(make_engine(engine, engine_settings(settings(chosen), workers, address), folder)) as place,
        open_store(store) as opened,
    ):
        require_sound_pages(opened)
        counts = launch(Launch(opened, place, engine, folder.resolve(), limits, code, keep, progress_printer()), trials)
    document = {"trials": counts.trials, "done": counts.done, "failed": counts.failed, "skipped": counts.skipped, "overnight": len(left)}
    failures = [{"key": key, "reason": reason} for key, reason in counts.failures]
    words = f"{counts.trials} trials: {counts.done} done, {counts.failed} failed, {counts.skipped} skipped (done before, or by others)"
    lines = [f"failed {key[:SHORT]}: {reason}" for key, reason in counts.failures]
    lines.append(f"{words}; rows are in {store}")
    if left:
        lines.append(f"left out: {len(left)} cells that take {sum(left.values()):.2g} core-hours together; --overnight runs them too")
    emit({**document, "failures": failures}, lines, as_json)
    context.exit(1 if counts.failed else 0)


def _overnight(study: str, trials: list[Trial]) -> dict[str, float]:
    """The core-hours of the trials that are known to take long, by their keys."""
    from separatrix.studies.cell_table import known_hours, run_digest
    from separatrix.studies.learned import OVERNIGHT

    hours = known_hours(study)
    of_trials = {trial.key: hours.get(run_digest(trial.configuration), 0.0) for trial in trials}
    return {key: each for key, each in of_trials.items() if each >= OVERNIGHT}


def _listed(study: str, trials: list[Trial], store: Path) -> list[str]:
    """The trials as a table: what tells them apart, the core-hours of one where known, and what the store has of it."""
    from separatrix.studies.cell_table import cell_rows, known_hours, run_digest, shipped_runs

    configurations = [trial.configuration for trial in trials]
    hours, states = known_hours(study), shipped_runs(study) | _states(store)
    rows = [{"key": trial.key[:SHORT], **row} for trial, row in zip(trials, cell_rows(configurations), strict=True)]
    for row, trial, configuration in zip(rows, trials, configurations, strict=True):
        digest = run_digest(configuration)
        row["core-hours"] = hours.get(digest)
        row["state"] = states.get(trial.key) or states.get(trial.text) or states.get(digest)
    return Table.of(rows).lines()


def _states(place: Path) -> dict[str, str]:
    """What a store has: the state of each trial by its key, and by its configuration what other code has done; nothing without a store."""
    from separatrix.checker.seal import canonical
    from separatrix.runs.store import read_store
    from separatrix.runs.stored_trials import listed

    if not place.exists():
        return {}
    with read_store(place) as opened:
        trials = listed(opened)
    elsewhere = {canonical(trial["configuration"]): "done by other code" for trial in trials if trial["state"] == "done"}
    return elsewhere | {trial["key"]: trial["state"] for trial in trials}


def engine_settings(chosen: dict[str, str], workers: int | None, address: str | None) -> dict[str, Any]:
    """The parameters of an engine: from their own options and from --set."""
    parameters: dict[str, Any] = dict(chosen)
    for name, value in (("workers", workers), ("address", address)):
        if value is not None and name in chosen:
            raise BadInput(f"--{name} and --set {name} set the same parameter: use one")
        if value is not None:
            parameters[name] = value
    return parameters


def progress_printer() -> Callable[[Counts], None]:
    """Prints counts and the time left to stderr; a failure as soon as it is final."""
    last, reported = [-math.inf], set[str]()

    def report(counts: Counts) -> None:
        for key, reason in counts.failures:
            if key not in reported:
                reported.add(key)
                done(f"failed {key[:SHORT]}: {reason}")
        left = counts.seconds_left()
        time_left = "" if left is None or not counts.left else f"  about {_duration(left)} left"
        line = f"{counts.done + counts.skipped}/{counts.trials} done, {counts.running} running, {counts.failed} failed{time_left}"
        if sys.stderr.isatty():
            progress(line)
        elif time.monotonic() - last[0] > QUIET or not counts.left:
            last[0] = time.monotonic()
            done(line)

    return report


def _require_writable(folder: Path) -> None:
    """Ask before anything runs: each trial would fail on its own."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise BadInput(f"--work: cannot write to the folder {str(folder)!r}: {error.strerror or error}") from error


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _positive(value: float, option: str, zero: bool = False) -> float | None:
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise BadInput(f"{option} must be a positive number, found {value:g}")
    return value or None


def _bytes(gigabytes: float | None) -> int | None:
    if gigabytes is None:
        return None
    return int((_positive(gigabytes, "--memory") or 0) * 2**30)
