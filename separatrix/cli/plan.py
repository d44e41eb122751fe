"""`separatrix plan`: one table over all architectures: provably not, built and verified, or open, with state, FLOPs and number format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.latex import tabular
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.printing import emit, table
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.bounds.planning import Candidate, Plan
    from separatrix.bounds.table import NumberFormat
    from separatrix.tasks import Task

HEADER = (
    "architecture", "size", "state bits", "can cross", "least bits", "verdict", "gap", "largest N", "FLOPs/token", "bytes/token", "built",
)  # fmt: skip


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--config", type=click.Path(path_type=Path), help="A Hugging Face config.json, or its folder: one row, for that model.")
@click.option(
    "--model",
    shell_complete=model_or_file,
    help="A model of ours: mamba-2-64, a run, a built folder or file.py:Name: one row, for that model.",
)
@click.option("--measure", is_flag=True, help="Count the FLOPs of a config's token on the meta device; needs transformers.")
@click.option("--layers", type=int, default=2, show_default=True, help="Layers of the architectures in the table.")
@click.option("--width", type=int, default=64, show_default=True, help="Width of the architectures in the table.")
@click.option("--precision", help="Bits of one number, p, or a number format; default 32, or the config's own.")
@click.option("--accuracy", type=float, default=1.0, show_default=True, help="The accuracy to be reached, over the task's distribution.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="Your own code that the model was built with and may run.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the certificate of the bound.")
@click.option("--latex", is_flag=True, help="Print the table as a LaTeX tabular.")
@set_option
@json_option
def plan(
    task: str, length: int, config: Path | None, model: str | None, measure: bool, layers: int, width: int, precision: str | None,
    accuracy: float, code: tuple[str, ...], out: Path | None, latex: bool, chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """One table over all architectures: provably not, built and verified, or open, with state, FLOPs and number format.

    `can cross` is the most that the state is worth, `least bits` what must cross some cut; sorted by the cost of a token.
    """
    from separatrix.bounds.planning import plan as planned
    from separatrix.bounds.planning import reference_models
    from separatrix.certificates.files import write_document
    from separatrix.constructions import constructions
    from separatrix.studies.retained import retained_by_architecture
    from separatrix.tasks import make_task

    if config is not None and model is not None:
        raise BadInput("plan takes --config or --model, not both")
    if measure and config is None:
        raise BadInput("--measure needs --config: what our own models cost is counted without it")
    if latex and as_json:
        raise BadInput("plan prints --latex or --json, not both")
    subject = make_task(task, **with_length(chosen, length))
    numbers, given = _candidates(subject, config, model, precision, code, measure)
    reference = reference_models(subject, layers, width) if given is None else None
    result = planned(subject, numbers, constructions(), given, accuracy, retained_by_architecture(), reference)
    documents = [row.document() for row in result.rows]
    written = _certificate(result, out)
    if written is not None:
        write_document(*written)
    if latex:
        print("\n".join(tabular(HEADER, [_cells(row) for row in documents])))
        return
    document = {
        "task": task, "length": length, "precision": numbers.bits, "number_format": numbers.name, "accuracy": accuracy,
        "needed_bits": result.need.bits, "formula": result.need.formula, "cites": result.need.cites, "rows": documents,
    }  # fmt: skip
    lines = [*_lines(result, documents), *([f"wrote {written[0]}"] if written is not None else [])]
    emit(document, lines, as_json)


def _candidates(
    task: Task, config: Path | None, model: str | None, precision: str | None, code: tuple[str, ...], measure: bool
) -> tuple[NumberFormat, list[Candidate] | None]:
    """The numbers, and the one model that was asked about, if one was."""
    from separatrix.bounds.table import number_format

    if config is not None:
        from separatrix.runs.planned import config_candidate

        return config_candidate(config, precision, measure)
    numbers = number_format(precision or "32")
    if model is None:
        return numbers, None
    from separatrix.runs.planned import model_candidate

    return numbers, [model_candidate(model, task, code)]


def _certificate(result: Plan, out: Path | None) -> tuple[Path, dict[str, Any]] | None:
    """The witness of the bound, and its file."""
    from separatrix.bounds.table import Row, certificate_name

    bound = result.need.bound
    if out is None or bound is None or bound.witness.shown is None:
        return None
    name = certificate_name(Row(bound.architecture, bound.quantity, bound, None))
    assert name is not None
    return out / name, bound.witness.shown.certificate()


def _lines(result: Plan, documents: list[dict[str, Any]]) -> Iterator[str]:
    task, need = result.task, result.need
    asked = "zero error" if result.accuracy == 1 else f"accuracy {result.accuracy:g}"
    numbers = result.numbers.name or f"{result.numbers.bits} bits"
    yield f"{task.name}, N = {task.length} ({task.length_means}), numbers of {numbers}, {asked}"
    cited = f" [{need.cites}]" if need.cites else ""
    coins = "; deterministic models only" if need.deterministic_only else ""
    yield f"must cross some cut: {'unknown' if need.bits is None else f'{need.bits:,} bits'}   ({need.formula}{cited}{coins})"
    yield from table(HEADER, [_cells(row) for row in documents])
    trained = [row["empirical"] for row in documents if row["empirical"] is not None]
    if trained:
        yield "empirical, from stored rows of trained models; no bound:"
    for row in trained:
        seen = f"{row['bits']:,.0f} bits about its input in {row['state_bits']:,} bits of state"
        yield f"  {row['model']} retained {seen} ({row['per_state_bit']:.3f} per bit; {row['task']}, N = {row['length']})"


def _cells(row: dict[str, Any]) -> list[str]:
    built = row["built"]
    made = "-" if built is None else f"{built['construction']} (layers {built['layers']}, width {built['width']})"
    unlimited = row["largest_length"] is None and row["serves_at_least"] is not None
    longest = f"> {row['serves_at_least']:,}" if unlimited else _number(row["largest_length"])
    gap = "-" if row["gap"] is None else f"{row['gap']:.3g}"
    return [
        row["architecture"], row["size"], _number(row["state_bits"]), _number(row["carried_bits"]), _number(row["least_bits"]),
        row["verdict"], gap, longest, _number(row["flops_per_token"]), _number(row["bytes_per_token"]), made,
    ]  # fmt: skip


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
