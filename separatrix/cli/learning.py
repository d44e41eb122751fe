"""Training and evaluating models."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.printing import done, emit, json_option, progress, set_option, table
from separatrix.errors import BadInput
from separatrix.parameters import settings, typed

if TYPE_CHECKING:
    from separatrix.tasks import Task
    from separatrix.training.loop import Event


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help="The paper's N.")
@click.option("--model", required=True, help="An architecture, a configuration such as tf-1-64, or file.py:Name.")
@click.option("--steps", type=int, help="Updates at most.")
@click.option("--batch", type=int, help="Examples per update.")
@click.option("--rate", type=float, help="Learning rate.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the weights and of the data.")
@click.option("--test-length", "test_lengths", type=int, multiple=True, help="Length to test at when training is over; default N.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for rows and snapshots; a run that stopped there goes on.")
@click.option("--store", type=click.Path(path_type=Path, dir_okay=False), help="Store that the rows go to when the run is over.")
@set_option
@json_option
def train(
    task: str, length: int, model: str, steps: int | None, batch: int | None, rate: float | None, seed: int,
    test_lengths: tuple[int, ...], threads: int, out: Path | None, store: Path | None, chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Train a model on a task. --set key=value is for the task, model.key=value for the model, budget.key=value for the training."""
    from separatrix.runs.kinds.train import sizes_row, train_trial
    from separatrix.runs.machine import settle
    from separatrix.runs.recording import record, require_store
    from separatrix.runs.run import run
    from separatrix.runs.spec import RunSpec
    from separatrix.runs.trial import make_trial
    from separatrix.training.budget import Budget

    of_task, of_model, of_budget = sorted_settings(chosen)
    given = {key: value for key, value in (("steps", steps), ("batch", batch), ("rate", rate)) if value is not None}
    for key in given.keys() & of_budget.keys():
        raise BadInput(f"--{key} and --set budget.{key} are both given")
    budget = Budget(**typed(Budget, {**given, **of_budget}, "budget"))
    spec = RunSpec(task, {**of_task, "length": length}, model, of_model, budget, seed, test_lengths)
    if store is not None:
        require_store(store)
    settle(threads)
    start = time.monotonic()
    trained, rows = run(spec, out, told(budget.steps))
    if store is not None:
        trial = make_trial(train_trial(spec), spec.user_code())
        record(store, trial, "train", [sizes_row(trained, spec), *rows], time.monotonic() - start)
    tests = [row for row in rows if row["kind"] == "test"]
    sizes = {"parameters": sum(p.numel() for p in trained.parameters())}
    document = {"run": spec.document(), "digest": spec.digest, "sizes": sizes, "rows": rows}
    lines = [
        f"{model} on {task}, N = {length}: {sizes['parameters']} parameters, {rows[-1]['step'] if rows else 0} steps of {budget.batch}"
    ]
    emit(document, [*lines, *_scores(tests), *([f"rows and snapshot are in {out}"] if out else [])], as_json)


@click.command()
@click.argument("model")
@click.argument("task", required=False)
@click.option("--length", "lengths", type=int, multiple=True, help="The paper's N; may be repeated.")
@click.option("--examples", type=int, default=2000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the examples, which are never those of training.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="Code of yours that the model was made with and may run.")
@set_option
@json_option
def evaluate(
    model: str, task: str | None, lengths: tuple[int, ...], examples: int, seed: int,
    code: tuple[str, ...], chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """How well a model does: all of a row right, single positions, and with its own words fed back. Default task: the run's own."""
    from separatrix.runs.load import load_model
    from separatrix.runs.machine import settle
    from separatrix.training.evaluation import evaluate as measure
    from separatrix.training.loop import split_seed

    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    settle()
    tasks = _tasks(model, task, lengths, settings(chosen), code)
    loaded = load_model(model, tasks[0], code)
    scores = []
    for asked in tasks:
        progress(f"{asked.name}, N = {asked.length}")
        found = measure(loaded, asked, examples, split_seed("evaluate", seed))
        scores.append({
            "length": found.length, "examples": found.examples, "accuracy": found.accuracy, "positions": found.positions,
            "greedy": found.greedy, "asked": [list(entry) for entry in found.asked],
        })  # fmt: skip
    progress("")
    document = {"model": model, "task": tasks[0].name, "task_parameters": tasks[0].parameters, "seed": seed, "scores": scores}
    emit(document, [f"{model} on {tasks[0].name}", *_scores(scores)], as_json)


@click.command()
@click.argument("name")
@click.option("--run", "run_it", is_flag=True, help="Train what the study has not trained yet; takes minutes.")
@click.option("--out", type=click.Path(path_type=Path), help="File for the rows of --run, which goes on where it stopped.")
@json_option
def study(name: str, run_it: bool, out: Path | None, as_json: bool) -> None:
    """A study: its question, the cited prediction, and its rows. With --run, a study that trains is run again."""
    from separatrix.studies import study as find_study
    from separatrix.studies import study_rows

    asked = find_study(name)
    if run_it:
        _run_study(name, out)
        return
    if out is not None:
        raise BadInput("study: --out is for --run")
    rows = study_rows(asked)
    document = {
        "study": name, "question": asked.question, "prediction": asked.prediction,
        "cites": list(asked.cites), "caption": asked.caption, "rows": rows,
    }  # fmt: skip
    shown = table(list(rows[0]), [["-" if value is None else value for value in row.values()] for row in rows])
    emit(document, [asked.question, f"prediction: {asked.prediction}", *shown, asked.caption], as_json)


def _run_study(name: str, out: Path | None) -> None:
    """Train the cells of a study, one after the other."""
    from importlib import import_module

    from separatrix.runs.machine import settle
    from separatrix.studies import STUDIES
    from separatrix.studies.learned import sweep

    cells = getattr(import_module(STUDIES[name]), "SWEEP", None)
    if cells is None:
        raise BadInput(f"study {name} trains nothing: its rows are computed when they are asked for")
    if out is None:
        raise BadInput("study: --run needs --out, the file for the rows")
    settle()
    for row in sweep(cells, out, lambda cell: told(cell.budget.steps)):
        test, run = row["test"], row["run"]
        reached = f"{100 * test['accuracy']:.1f} % after {test['step']} steps, {row['seconds']} s"
        done(f"{run['model']} at N = {run['task_parameters']['length']}: {reached}")
    done(f"rows are in {out}")


def sorted_settings(chosen: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """`key=value` for the task, `model.key=value` for the model, `budget.key=value` for the training."""
    found: dict[str, dict[str, str]] = {"": {}, "model": {}, "budget": {}}
    for key, value in settings(chosen).items():
        room, dot, name = key.rpartition(".")
        if room not in found or (dot and not room):
            raise BadInput(f"--set {key}: expected key, model.key or budget.key")
        found[room][name] = value
    return found[""], found["model"], found["budget"]


def told(steps: int) -> Callable[[Event], None]:
    """Progress with the time that is left, judged by the speed of this process."""
    from separatrix.training.loop import LossRow, ScoreRow

    began: list[tuple[float, int]] = []

    def watch(event: Event) -> None:
        now = time.monotonic()
        step = event.step if isinstance(event, LossRow | ScoreRow) else event.progress.step
        if not began:
            began.append((now, step))
        start, first = began[0]
        over = step == first or (isinstance(event, ScoreRow) and event.split == "test")
        left = "" if over else f"  about {(now - start) / (step - first) * (steps - step):.0f} s left"
        if isinstance(event, LossRow):
            progress(f"step {step}/{steps}  loss {event.loss:.4f}{left}")
        elif isinstance(event, ScoreRow):
            done(f"step {step}/{steps}  {event.split} at N = {event.scores.length}: {100 * event.scores.accuracy:.2f} %{left}")

    return watch


def _tasks(model: str, task: str | None, lengths: tuple[int, ...], given: Mapping[str, str], code: tuple[str, ...]) -> list[Task]:
    """What to evaluate on: the task that is named, or what the run was made for."""
    from separatrix.runs.run import run_description
    from separatrix.tasks import make_task

    if task is not None:
        if not lengths:
            raise BadInput("evaluate needs --length with a task")
        return [make_task(task, length=length, **given) for length in lengths]
    spec = run_description(Path(model), code)
    if given:
        raise BadInput("evaluate: --set is for a task that is named; a run brings its own")
    judged = spec.judged_task()
    return [judged.at(length) for length in lengths] if lengths else list(spec.test_tasks())


def _scores(rows: list[dict[str, Any]]) -> list[str]:
    shown = []
    for row in rows:
        weak = sorted((right / count, position) for position, count, right in row["asked"] if right < count)[:3]
        told_weak = ", ".join(f"{position} ({100 * share:.0f} %)" for share, position in weak) or "none"
        shares = ["-" if row[key] is None else f"{100 * row[key]:.2f} %" for key in ("accuracy", "positions", "greedy")]
        shown.append((row["length"], row["examples"], *shares, told_weak))
    return table(("N", "examples", "accuracy", "positions", "greedy", "weakest positions asked"), shown)
