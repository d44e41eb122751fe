"""`separatrix train`: train a model on a task."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import model_or_file
from separatrix.cli.grammar import model_and_task
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.outputs import try_folder
from separatrix.cli.printing import counted, done, emit
from separatrix.cli.scores import progress_printer, scores_table, training_warnings
from separatrix.errors import BadInput
from separatrix.parameters import typed


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="MODEL TASK", shell_complete=model_or_file)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--model", "named", shell_complete=model_or_file, help="MODEL, for the older order `train TASK --model MODEL`.")
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
    words: tuple[str, ...], length: int, named: str | None, steps: int | None, batch: int | None, rate: float | None, seed: int,
    test_lengths: tuple[int, ...], threads: int, device: str, out: Path | None, store: Path | None, chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Train MODEL on TASK. --set key=value sets the task, model.key=value the model, budget.key=value the training.

    MODEL is an architecture, a configuration such as tf-1-64, or file.py:Name.
    """
    from separatrix.runs.kinds.train import sizes_row, train_trial
    from separatrix.runs.process_settings import configure_process
    from separatrix.runs.run import record, require_store, run
    from separatrix.runs.spec import RunSpec
    from separatrix.runs.trial import make_trial
    from separatrix.training.budget import Budget

    model, task = _model_and_task(words, named)
    of_task, of_model, of_budget = sorted_settings(with_length(chosen, length))
    budget_options = {key: value for key, value in (("steps", steps), ("batch", batch), ("rate", rate)) if value is not None}
    for key in budget_options.keys() & of_budget.keys():
        raise BadInput(f"--{key} and --set budget.{key} set the same parameter: use one")
    budget = Budget(**typed(Budget, {**budget_options, **of_budget}, "budget"))
    spec = RunSpec(task, of_task, model, of_model, budget, seed, test_lengths)
    if store is not None:
        require_store(store)
    if out is not None:
        try_folder(out)
    judged = spec.judged_task()
    for line in training_warnings(judged, [], seed):
        done(f"warning: {line}")
    configure_process(threads, device)
    start = time.monotonic()
    trained, rows = run(spec, out, progress_printer(budget.steps))
    if store is not None:
        trial = make_trial(train_trial(spec), spec.user_code())
        record(store, trial, "train", [sizes_row(trained, spec), *rows], time.monotonic() - start)
    tests = [row for row in rows if row["kind"] == "test"]
    sizes = {"parameters": sum(p.numel() for p in trained.parameters())}
    warnings = training_warnings(judged, rows, seed)
    document = {"run": spec.document(), "digest": spec.digest, "sizes": sizes, "rows": rows, "warnings": warnings}
    lines = [
        f"{model} on {task}, N = {length}: {sizes['parameters']:,} parameters, "
        f"{counted(rows[-1]['step'] if rows else 0, 'step')} of {counted(budget.batch, 'example')}"
    ]
    emit(
        document,
        [
            *lines,
            *scores_table(tests).lines(),
            *(f"WARNING: {line}" for line in warnings),
            *([f"rows and snapshot are in {out}"] if out else []),
        ],
        as_json,
    )


def _model_and_task(words: tuple[str, ...], named: str | None) -> tuple[str, str]:
    """`MODEL TASK`, in either order, or `TASK --model MODEL`."""
    if named is not None and len(words) == 1:
        return named, words[0]
    if named is None and len(words) == 2:
        return model_and_task(*words)
    found = " ".join(words) + ("" if named is None else f" --model {named}")
    raise BadInput(f"train expects MODEL TASK, as in `separatrix train tf-1-64 parity --length 8`, found {found!r}")


def sorted_settings(chosen: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """`key=value` for the task, `model.key=value` for the model, `budget.key=value` for the training."""
    groups: dict[str, dict[str, Any]] = {"": {}, "model": {}, "budget": {}}
    for key, value in chosen.items():
        room, dot, name = key.rpartition(".")
        if room not in groups or (dot and not room):
            raise BadInput(f"--set {key}: expected key, model.key or budget.key")
        groups[room][name] = value
    return groups[""], groups["model"], groups["budget"]
