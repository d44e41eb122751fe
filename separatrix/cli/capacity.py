"""`separatrix capacity`: bits about the input that a model really retains, per position, beside what it carries and what is needed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.grammar import model_and_task
from separatrix.cli.options import LENGTH_HELP, set_option
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput
from separatrix.parameters import settings


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.argument("task", required=False, shell_complete=TASK_NAMES)
@click.option("--length", type=int, help=LENGTH_HELP)
@click.option(
    "--inputs", type=int, default=256, show_default=True, help="How many inputs to ask about; best a multiple of the alphabet's size."
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--quantise", type=int, help="Round every number of the state to this many bits after every token.")
@click.option(
    "--rows", type=click.Path(path_type=Path, dir_okay=False), help="Stored accuracies instead of a model: `capacity TASK --rows FILE`."
)
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda, cuda:N or mps.")
@click.option("--dtype", help="The number type to run the model in: float64, float32, bfloat16 or float16.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the model needs and may run.")
@set_option
@reporting
def capacity(
    model: str, task: str | None, length: int | None, inputs: int, seed: int, quantise: int | None, rows: Path | None, device: str,
    dtype: str | None, code: tuple[str, ...], chosen: tuple[str, ...],
) -> Report:  # fmt: skip
    """How many bits about its input a model retains, per position: one state, every question, accuracy turned into bits.

    With --rows FILE the accuracies are read from a file (CSV, JSON or JSON lines with model, length, accuracy and, if known, examples).
    """
    from separatrix.runs.process_settings import configure_process
    from separatrix.tasks import make_task

    if rows is not None:
        return _reread(task or model, rows, settings(chosen), length)
    if task is None or length is None:
        raise BadInput("capacity needs MODEL TASK --length N, or TASK --rows FILE")
    model, task = model_and_task(model, task)
    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    from separatrix.certificates.program import Program
    from separatrix.refuters.capacity import capacity as measure
    from separatrix.runs.load import fresh_note, load_program

    subject = make_task(task, **{**settings(chosen), "length": length})
    configure_process(device=device)
    loaded = load_program(model, subject, code, dtype)
    if isinstance(loaded, Program):
        if loaded.writes:
            raise BadInput(f"{model} writes a chain of thought: capacity needs a model that answers without one")
        loaded = loaded.model
    result = measure(loaded, subject, inputs, seed, quantise)
    document = {"model": model, "task": task, "length": length, "quantise": quantise, **result.document()}
    needed = "unknown" if result.needed is None else f"{result.needed:,}"
    state = "unknown" if result.state_bits is None else f"{result.state_bits:,}"
    ceiling = "" if result.ceiling is None else f"; at most {100 * result.ceiling:.2f} % with that state"
    parts: list[Table | str] = [
        f"{model} on {task}, N = {length}" + ("" if quantise is None else f", every number of the state rounded to {quantise} bits"),
        f"retains   {result.retained.bits:,.1f} bits   (95 % interval {result.retained.low:,.1f} .. {result.retained.high:,.1f})",
        f"needed    {needed} bits for zero error",
        f"carries   {state} bits of state",
        f"accuracy  {100 * result.accuracy:.2f} %{ceiling}",
        f"by        {result.method}",
        *([Table(("position", "accuracy", "bits"), _groups(result.per_position))] if result.per_position else ()),
        *([note] if (note := fresh_note(model)) else ()),
    ]
    return Report(document, parts)


def _groups(rows: tuple[dict[str, Any], ...]) -> list[tuple[str, str, str]]:
    """At most twenty lines: neighbouring positions together."""
    size = -(-len(rows) // 20)
    lines = []
    for first in range(0, len(rows), size):
        part = rows[first : first + size]
        places = f"{part[0]['position']}" if len(part) == 1 else f"{part[0]['position']}-{part[-1]['position']}"
        share = sum(row["accuracy"] for row in part) / len(part)
        lines.append((places, f"{100 * share:.1f} %", f"{sum(row['bits'] for row in part):.2f}"))
    return lines


def _reread(name: str, path: Path, chosen: dict[str, Any], length: int | None) -> Report:
    """Stored accuracies as bits; needs neither torch nor a model."""
    from separatrix.bounds.accuracy.retained import reread
    from separatrix.tasks import make_task

    stored = [row for row in _stored(path) if length is None or int(row["length"]) == length]
    if not stored:
        raise BadInput(f"{path}: no row" + ("" if length is None else f" of length {length}"))
    task = make_task(name, **{**chosen, "length": int(stored[0]["length"])})
    rows = [reread(task, row) for row in stored]
    cells = [(r["model"], r["length"], f"{100 * r['accuracy']:.1f} %", f"{r['bits']:.1f}", f"{r['needed']:,.0f}") for r in rows]
    return Report({"task": name, "rows": rows}, [Table(("model", "N", "accuracy", "bits retained", "needed"), cells)])


def _stored(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, with accuracies as shares: those above 1 are percentages."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".csv":
            rows: list[Any] = list(csv.DictReader(text.splitlines()))
        elif path.suffix == ".jsonl":
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            document = json.loads(text)
            rows = document["rows"] if isinstance(document, dict) else document
        read = [{**row, "length": int(row["length"]), "accuracy": float(row["accuracy"])} for row in rows]
        percent = any(row["accuracy"] > 1 for row in read)
        examples = [{"examples": int(row["examples"])} if row.get("examples") else {"examples": None} for row in read]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        about = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        raise BadInput(f"{str(path)!r}: expected rows with model, length and accuracy ({about})") from error
    return [{**row, **more, "accuracy": row["accuracy"] / (100 if percent else 1)} for row, more in zip(read, examples, strict=True)]
