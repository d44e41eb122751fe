"""`separatrix evaluate`: accuracy of a model: whole rows, single positions, and with its own predictions fed back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.grammar import model_and_task
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.printing import done, progress
from separatrix.cli.report import Report, reporting
from separatrix.cli.scores import scores_table
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.tasks import Task
    from separatrix.training.evaluation import Scores


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.argument("task", required=False, shell_complete=TASK_NAMES)
@click.option("--length", "lengths", type=int, multiple=True, help=f"{LENGTH_HELP} May be repeated.")
@click.option("--examples", type=int, default=2000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the examples, which never overlap with training data.")
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda, cuda:N or mps.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the model needs and may run.")
@set_option
@reporting
def evaluate(
    model: str, task: str | None, lengths: tuple[int, ...], examples: int, seed: int, device: str,
    code: tuple[str, ...], chosen: tuple[str, ...],
) -> Report:  # fmt: skip
    """Accuracy of a model: exact matches, single answers, and with its own predictions fed back. Default: the task it was trained on."""
    from separatrix.runs.load import fresh_note, load_model, origin
    from separatrix.runs.process_settings import configure_process
    from separatrix.training.evaluation import evaluate as measure
    from separatrix.training.loop import split_seed

    if task is not None:
        model, task = model_and_task(model, task)
    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    configure_process(device=device)
    tasks = _tasks(model, task, lengths, chosen, code)
    known = origin(model, code)
    loaded = load_model(model, max(tasks, key=lambda each: each.length), code)
    scores, refusals = [], []
    for evaluated in tasks:
        progress(f"{evaluated.name}, N = {evaluated.length}")
        try:
            if known is not None:
                known.need(evaluated)
            scores.append(_row(measure(loaded, evaluated, examples, split_seed("evaluate", seed))))
        except BadInput as error:  # one length that the model cannot read does not cost the others their rows
            refusals.append(error)
            scores.append(_refused(evaluated.length, str(error)))
    if len(refusals) == len(tasks):
        raise refusals[0]
    progress("")
    warning = known.warning(tasks[0]) if known is not None else fresh_note(model)
    for line in (*([warning] if warning else ()), *(f"N = {row['length']}: {row['refused']}" for row in scores if row["refused"])):
        done(line)
    document = {
        "model": model, "task": tasks[0].name, "task_parameters": tasks[0].parameters, "seed": seed, "scores": scores, "warning": warning,
    }  # fmt: skip
    return Report(document, [f"{model} on {tasks[0].name}", scores_table(scores)])


def _row(scores: Scores) -> dict[str, Any]:
    return {
        "length": scores.length, "examples": scores.examples, "accuracy": scores.accuracy, "positions": scores.positions,
        "greedy": scores.greedy, "asked": [list(entry) for entry in scores.asked], "refused": None,
    }  # fmt: skip


def _refused(length: int, reason: str) -> dict[str, Any]:
    """The row of a length at which the model could not be asked."""
    nothing = dict.fromkeys(("accuracy", "positions", "greedy"))
    return {"length": length, "examples": 0, **nothing, "asked": [], "refused": reason}


def _tasks(model: str, task: str | None, lengths: tuple[int, ...], chosen: tuple[str, ...], code: tuple[str, ...]) -> list[Task]:
    """What to evaluate on: the named task, or the task that the run was trained on."""
    from separatrix.runs.run import run_description
    from separatrix.tasks import make_task

    if task is not None:
        if not lengths:
            raise BadInput("evaluate needs --length with a TASK")
        return [make_task(task, **with_length(chosen, length)) for length in lengths]
    spec = run_description(Path(model), code)
    if chosen:
        raise BadInput("evaluate: --set needs a TASK; a run has its own settings")
    judged = spec.judged_task()
    return [judged.at(length) for length in lengths] if lengths else list(spec.test_tasks())
