"""`separatrix evaluate`: how well a model does: all of a row right, single positions, and with its own predictions fed back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from separatrix.cli.options import json_option, set_option
from separatrix.cli.printing import emit, progress
from separatrix.cli.reporting import score_lines
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.tasks import Task


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
    """How well a model does: all of a row right, single positions, and with its own predictions fed back. Default task: the run's own."""
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
    emit(document, [f"{model} on {tasks[0].name}", *score_lines(scores)], as_json)


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
