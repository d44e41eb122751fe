"""`separatrix plan`: one table over architectures or models: provably not, built with its strength, or open; with state and cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.printing import counted, sized
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.bounds.number_format import NumberFormat
    from separatrix.bounds.planning import Candidate
    from separatrix.ledger.plan import Plan
    from separatrix.tasks import Task

HEADER = (
    "size", "state", "can cross", "least bits", "verdict", "gap", "largest N", "FLOPs/token", "bytes/token", "architecture",
    "built", "shape and strength",
)  # fmt: skip
LAYERS, WIDTH = 2, 64  # of the models in the table, if nobody chooses
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--config", type=click.Path(path_type=Path), multiple=True, help="A Hugging Face config.json, or its folder; repeatable.")
@click.option(
    "--model",
    shell_complete=model_or_file,
    multiple=True,
    help="A model of ours: mamba-2-64, a run, a built folder or file.py:Name; repeatable.",
)
@click.option("--measure", is_flag=True, help="Count the FLOPs of a config's token on the meta device; needs transformers.")
@click.option("--layers", type=int, help=f"Layers of the architectures in the table; default {LAYERS}.")
@click.option("--width", type=int, help=f"Width of the architectures in the table; default {WIDTH}.")
@click.option("--precision", help="Bits of one number, p, or a number format, also int8 and float8; default 32, or the config's own.")
@click.option("--accuracy", type=float, default=1.0, show_default=True, help="The accuracy to reach, over the task's own distribution.")
@click.option("--budget", help="The most bytes of state, such as 64MB or 4GiB; rows say whether they fit.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the model needs and may run.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the certificates of the bounds.")
@set_option
@reporting
def plan(
    task: str, length: int, config: tuple[Path, ...], model: tuple[str, ...], measure: bool, layers: int | None,
    width: int | None,
    precision: str | None, accuracy: float, budget: str | None, code: tuple[str, ...], out: Path | None,
    chosen: tuple[str, ...],
) -> Report:  # fmt: skip
    """One table of architectures, or of your models: provably not, built, or open; with state, FLOPs and number format.

    `state` is what the model keeps; `can cross` bounds the bits of information in it; `least bits` is what the task needs.
    Built rows come first, then open ones, then those ruled out; within each, the cheapest token first.
    """
    from separatrix.bounds.planning import reference_models
    from separatrix.certificates.files import write_document
    from separatrix.ledger.plan import plan as planned
    from separatrix.studies.retained import retained_by_architecture
    from separatrix.tasks import make_task

    if measure and not config:
        raise BadInput("--measure needs --config: what our own models cost is counted without it")
    if (config or model) and not (layers is None and width is None):
        raise BadInput("--layers and --width are about the architectures of the whole table: a model has its own (lstm-1-16, a config)")
    subject = make_task(task, **with_length(chosen, length))
    most = None if budget is None else bytes_of(budget)
    numbers, given = _candidates(subject, config, model, precision, code, measure)
    reference = (
        reference_models(subject, LAYERS if layers is None else layers, WIDTH if width is None else width) if given is None else None
    )
    result = planned(subject, numbers, given, accuracy, retained_by_architecture(), reference, most)
    documents = [row.document() for row in result.rows]
    written = {} if out is None else _certificates(result)
    for name, document in written.items():
        assert out is not None
        write_document(out / name, document)
    document = {
        "task": task, "parameters": subject.parameters, "length": length, "precision": numbers.bits, "number_format": numbers.name,
        "accuracy": accuracy, "accuracy_counts": _counts(subject), "budget": most, "needed_bits": result.need.bits,
        "formula": result.need.formula, "cites": result.need.cites, "rows": documents,
    }  # fmt: skip
    return Report(document, [*_parts(result, documents, most), *(f"wrote {out / name}" for name in written if out is not None)])


def bytes_of(text: str) -> int:
    """64MB, 4GiB or a plain number of bytes."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text.strip())
    if found is None or found[2].upper() not in UNITS or not float(found[1]) > 0:
        raise BadInput(f"--budget is a number of bytes above 0, such as 64MB or 4GiB, found {text!r}")
    return int(float(found[1]) * UNITS[found[2].upper()])


def _candidates(
    task: Task, configs: tuple[Path, ...], models: tuple[str, ...], precision: str | None, code: tuple[str, ...], measure: bool
) -> tuple[NumberFormat, list[Candidate] | None]:
    """The numbers, and the models that were asked about, if any were."""
    from separatrix.arithmetic.format import STORED
    from separatrix.bounds.number_format import NumberFormat, number_format
    from separatrix.runs.planned import config_candidate, model_candidate

    given: list[Candidate] = []
    formats: list[NumberFormat] = []
    for place in configs:
        numbers, candidate = config_candidate(place, precision, measure)
        formats.append(numbers)
        given.append(candidate)
    if len({one.bits for one in formats}) > 1:
        told = ", ".join(f"{place} {one.name or one.bits}" for place, one in zip(configs, formats, strict=True))
        raise BadInput(f"the configs have numbers of different sizes ({told}): choose one with --precision")
    asked = NumberFormat(8) if precision in STORED else number_format(precision or "32")
    given += [model_candidate(place, task, code) for place in models]
    return (formats or [asked])[0], given or None


def _certificates(result: Plan) -> dict[str, dict[str, Any]]:
    """The witness of the bound, and the pairs that no window tells apart, by the names of their files."""
    from separatrix.bounds.lower import certificate_name
    from separatrix.ledger.plan import pair_certificates

    bound, written = result.need.bound, pair_certificates(result)
    if bound is not None and bound.witness.shown is not None:
        name = certificate_name(bound.witness.document())
        assert name is not None
        written[name] = bound.witness.shown.certificate()
    return written


def _counts(task: Task) -> str:
    from separatrix.ledger.learned import answers_counted

    return answers_counted(task)


def _parts(result: Plan, documents: list[dict[str, Any]], budget: int | None) -> Iterator[Table | str]:
    from separatrix.ledger.subject import task_words

    task, need = result.task, result.need
    asked = "zero error" if result.accuracy == 1 else f"accuracy {result.accuracy:g} ({_counts(task)})"
    numbers = result.numbers.name or f"{result.numbers.bits} bits"
    tokens, chosen = counted(task.token_count, "token"), task_words(task)
    yield ", ".join(filter(None, (f"{task.name}, N = {task.length} ({task.length_means})", chosen, tokens, f"numbers of {numbers}", asked)))
    cited = f" [{need.cites}]" if need.cites else ""
    coins = "; deterministic models only" if need.deterministic_only else ""
    bits = "unknown" if need.bits is None else counted(need.bits, "bit")
    yield f"must be carried past some token: {bits}   ({need.formula}{cited}{coins})"
    header = HEADER if budget is None else (*HEADER, f"fits {sized(budget)}")
    yield Table(header, [[*_cells(row), *([] if budget is None else [_fits(row)])] for row in documents])
    yield from _explained(documents)
    trained = [row["empirical"] for row in documents if row["empirical"] is not None and row["empirical"]["task"] == task.name]
    if trained:
        yield "measured on trained models, not proven:"
    for row in trained:
        seen = f"{row['bits']:,.0f} of the {row['holds']:,.0f} bits that {row['task']} holds at N = {row['length']}"
        yield f"  {row['model']} retained {seen}, in {row['state_bits']:,} bits of state"


def _explained(documents: list[dict[str, Any]]) -> Iterator[str]:
    """Why rows are refuted or open, and what to run next, each reason once."""
    told: dict[str, list[dict[str, Any]]] = {}
    for row in documents:
        if row["why"]:
            told.setdefault(row["why"], []).append(row)
    if told:
        yield "why, and what to run next:"
    for why, rows in told.items():
        yield f"  {', '.join(row['size'] for row in rows)}: {why}; next: {rows[0]['next']}"


def _fits(row: dict[str, Any]) -> str:
    return "-" if row["fits"] is None else "yes" if row["fits"] else "no"


def _cells(row: dict[str, Any]) -> list[str]:
    built = row["built"]
    made = "-" if built is None or row["verdict"] == "provably not" else _made(built)
    unlimited = row["largest_length"] is None and row["serves_at_least"] is not None
    longest = f"> {row['serves_at_least']:,}" if unlimited else _number(row["largest_length"])
    gap = "-" if row["gap"] is None else f"{row['gap']:.3g}"
    state = "-" if row["state_bytes"] is None else sized(row["state_bytes"])
    verdict, shape = _verdict(row)
    return [
        row["size"], state, _number(row["carried_bits"]), _number(row["least_bits"]), verdict, gap, longest,
        _number(row["flops_per_token"]), _number(row["bytes_per_token"]), row["architecture"], made, shape,
    ]  # fmt: skip


def _verdict(row: dict[str, Any]) -> tuple[str, str]:
    """A word or two for the first columns, and for the last one how it is shown, and in which shape if that is not the row's own."""
    if row["verdict"] == "provably not":
        return row["verdict"], f"({row['strength']})"
    word, _, shape = row["verdict"].partition(" ")
    return (f"{word}, other shape", shape.removeprefix("in ")) if shape.startswith("in ") else (word, shape or "-")


def _made(built: dict[str, Any]) -> str:
    """What is built, and the state of that; the verdict says in which shape."""
    state = f" (state {sized(-(-built['state_bits'] // 8))})" if "state_bits" in built else ""
    return f"{built['construction']}{state}"


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
