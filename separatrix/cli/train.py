"""`separatrix train`: train a model on a task."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.printing import emit
from separatrix.cli.reporting import progress_printer, score_lines
from separatrix.errors import BadInput
from separatrix.parameters import typed


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option(
    "--model", required=True, shell_complete=model_or_file, help="An architecture, a configuration such as tf-1-64, or file.py:Name."
)
@click.option("--steps", type=int, help="Largest number of updates.")
@click.option("--batch", type=int, help="Examples per update.")
@click.option("--rate", type=float, help="Learning rate.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the weights and the data.")
@click.option(
    "--test-length", "test_lengths", type=int, multiple=True, help="Length to test at after training; may be repeated; default: N."
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda, cuda:N or mps.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for rows and snapshots; an interrupted run resumes from it.")
@click.option("--store", type=click.Path(path_type=Path, dir_okay=False), help="Store to add the rows to after the run.")
@set_option
@json_option
def train(
    task: str, length: int, model: str, steps: int | None, batch: int | None, rate: float | None, seed: int,
    test_lengths: tuple[int, ...], threads: int, device: str, out: Path | None, store: Path | None, chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Train a model on a task. --set key=value sets the task, model.key=value the model, budget.key=value the training."""
    from separatrix.runs.kinds.train import sizes_row, train_trial
    from separatrix.runs.machine import settle
    from separatrix.runs.recording import record, require_store
    from separatrix.runs.run import run
    from separatrix.runs.spec import RunSpec
    from separatrix.runs.trial import make_trial
    from separatrix.training.budget import Budget

    of_task, of_model, of_budget = sorted_settings(with_length(chosen, length))
    budget_options = {key: value for key, value in (("steps", steps), ("batch", batch), ("rate", rate)) if value is not None}
    for key in budget_options.keys() & of_budget.keys():
        raise BadInput(f"--{key} and --set budget.{key} set the same parameter: use one")
    budget = Budget(**typed(Budget, {**budget_options, **of_budget}, "budget"))
    spec = RunSpec(task, of_task, model, of_model, budget, seed, test_lengths)
    if store is not None:
        require_store(store)
    settle(threads, device)
    start = time.monotonic()
    trained, rows = run(spec, out, progress_printer(budget.steps))
    if store is not None:
        trial = make_trial(train_trial(spec), spec.user_code())
        record(store, trial, "train", [sizes_row(trained, spec), *rows], time.monotonic() - start)
    tests = [row for row in rows if row["kind"] == "test"]
    sizes = {"parameters": sum(p.numel() for p in trained.parameters())}
    document = {"run": spec.document(), "digest": spec.digest, "sizes": sizes, "rows": rows}
    lines = [
        f"{model} on {task}, N = {length}: {sizes['parameters']} parameters, {rows[-1]['step'] if rows else 0} steps of {budget.batch}"
    ]
    emit(document, [*lines, *score_lines(tests), *([f"rows and snapshot are in {out}"] if out else [])], as_json)


def sorted_settings(chosen: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """`key=value` for the task, `model.key=value` for the model, `budget.key=value` for the training."""
    groups: dict[str, dict[str, Any]] = {"": {}, "model": {}, "budget": {}}
    for key, value in chosen.items():
        room, dot, name = key.rpartition(".")
        if room not in groups or (dot and not room):
            raise BadInput(f"--set {key}: expected key, model.key or budget.key")
        groups[room][name] = value
    return groups[""], groups["model"], groups["budget"]
