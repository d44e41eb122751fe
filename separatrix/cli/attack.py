"""`separatrix attack`: an input on which a model fails, as a certificate or a record, or what was tried."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.grammar import model_and_task
from separatrix.cli.options import LENGTH_HELP, json_option, set_option
from separatrix.cli.outputs import try_file
from separatrix.cli.printing import counted, done, emit, progress
from separatrix.cli.scores import label_lines
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.refuters.attack import Attack


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--lengths", "further", help="Further lengths to try, as in 10,20,40.")
@click.option("--evaluations", type=int, default=20_000, show_default=True, help="The most inputs to run the model on.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda, cuda:N or mps.")
@click.option("--dtype", help="The number type to run the model in: float64, float32, bfloat16 or float16.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the model needs and may run.")
@click.option("--replay", type=click.Path(path_type=Path, dir_okay=False), help="Replay the input of a record instead of searching.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the certificate or record.")
@set_option
@json_option
def attack(
    model: str, task: str, length: int, further: str | None, evaluations: int, seed: int, device: str, dtype: str | None,
    code: tuple[str, ...], replay: Path | None, out: Path | None, chosen: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Search for an input on which a model fails. Exit code 1: found, with a certificate or record; 0: none found, with what was tried.

    MODEL is a built folder, a run, a Hugging Face folder with safetensors, or file.py:Name; ids of the task are ids of the model.
    A name such as mamba-2-64 means fresh, untrained weights.
    """
    from separatrix.refuters.attack import attack as search
    from separatrix.runs.load import fresh_note, load_program
    from separatrix.runs.process_settings import configure_process
    from separatrix.tasks import make_task

    model, task = model_and_task(model, task)
    if out is not None:
        try_file(out)
    subject = make_task(task, **{**settings(chosen), "length": length})
    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    lengths = _lengths(further)
    configure_process(device=device)
    loaded = load_program(model, subject.at(max((length, *lengths))), code, dtype)
    if replay is not None:
        return _replayed(replay, loaded, as_json)
    result = search(loaded, model, subject, evaluations, seed, lengths, progress)
    progress("")
    if result.found is not None and out is not None:
        result.found.write(out)
    note = fresh_note(model)
    emit(result.document(), [*_lines(result, model, out), *([f"  {note}"] if note else [])], as_json)
    if as_json and result.found is not None and result.found.why_not:
        done(f"a record, not a certificate: {result.found.why_not}")
    return 0 if result.found is None else 1


def _replayed(path: Path, loaded: object, as_json: bool) -> int:
    """Exit code 1 if the model fails again as the record says, as any attack that finds a failure does; else bad input."""
    from torch import nn

    from separatrix.certificates.program import Program
    from separatrix.refuters.failures import read_record, replay

    module = loaded.model if isinstance(loaded, Program) else loaded
    assert isinstance(module, nn.Module)
    record = read_record(path)
    difference = replay(record, module)
    if difference:
        raise BadInput(f"{path}: {difference}")
    emit(record, [f"{path}: the model says {record['said']} where {record['expected']} is right, as recorded"], as_json)
    return 1


def _lines(result: Attack, model: str, out: Path | None) -> list[str]:
    task = result.task
    head = f"{model} on {task.name}, N = {task.length}"
    counts = ", ".join(f"{value:,} {name}" for name, value in result.tried.items() if isinstance(value, int))
    if result.found is None:
        least = "" if result.least_margin is None else f"; the right answer leads by {result.least_margin:.6g} or more"
        return [f"{head}: no failure found{least}", f"  tried: {counts}"]
    document = result.found.document
    lines = [f"{head}: FAILS after {counted(result.tried['evaluations'], 'evaluation')}"]
    if result.failure is None:
        lines.append(f"  {document['kind']}: `separatrix check` says what it shows")
    else:
        failure = result.failure
        lines.append(f"  on {task.text(document['tokens'])}")
        lines.append(f"  at token {document['position']} it says {task.target_text(document['said'])}, the answer is "
                     f"{task.target_text(document['expected'])}; it leads by {failure.margin:.6g}")  # fmt: skip
        lines += [f"  {line}" for line in label_lines(task)]
    why = result.found.why_not
    kind = f"a record, not a certificate: {why}" if why else "a certificate: `separatrix check` runs it again"
    lines += [f"  {kind}", *([f"  {result.found.note}"] if result.found.note else [])]
    return lines if out is None else [*lines, f"wrote {out}"]


def _lengths(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise BadInput(f"--lengths expects numbers, as in 10,20,40; found {text!r}") from error
