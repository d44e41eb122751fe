"""`separatrix evaluate`: accuracy of a model: whole rows, single positions, and with its own predictions fed back."""

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
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the examples, which never overlap with training data.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="Your own code that the model was built with and may run.")
@set_option
@json_option
def evaluate(
    model: str, task: str | None, lengths: tuple[int, ...], examples: int, seed: int,
    code: tuple[str, ...], chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Accuracy of a model: whole rows, single positions, and with its own predictions fed back. Default task: the run's own."""
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
    for evaluated in tasks:
        progress(f"{evaluated.name}, N = {evaluated.length}")
        result = measure(loaded, evaluated, examples, split_seed("evaluate", seed))
        scores.append({
            "length": result.length, "examples": result.examples, "accuracy": result.accuracy, "positions": result.positions,
            "greedy": result.greedy, "asked": [list(entry) for entry in result.asked],
        })  # fmt: skip
    progress("")
    document = {"model": model, "task": tasks[0].name, "task_parameters": tasks[0].parameters, "seed": seed, "scores": scores}
    emit(document, [f"{model} on {tasks[0].name}", *score_lines(scores)], as_json)


def _tasks(model: str, task: str | None, lengths: tuple[int, ...], parameters: Mapping[str, str], code: tuple[str, ...]) -> list[Task]:
    """What to evaluate on: the named task, or the task that the run was trained on."""
    from separatrix.runs.run import run_description
    from separatrix.tasks import make_task

    if task is not None:
        if not lengths:
            raise BadInput("evaluate needs --length with a TASK")
        return [make_task(task, length=length, **parameters) for length in lengths]
    spec = run_description(Path(model), code)
    if parameters:
        raise BadInput("evaluate: --set needs a TASK; a run has its own settings")
    judged = spec.judged_task()
    return [judged.at(length) for length in lengths] if lengths else list(spec.test_tasks())
