"""`separatrix profile`: states any recurrent model must distinguish after each token, counted or by a named closed form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.formula import evaluated, parsed
from separatrix.cli.options import LENGTH_HELP, ranged, set_option, with_length
from separatrix.cli.outputs import FIGURES, picture_kind, write_picture
from separatrix.cli.printing import progress
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.tasks import Task


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, help=LENGTH_HELP)
@click.option("--lengths", metavar="N..M", help="A range of lengths instead: 4..12 or 4..8,16; only even ones where N must be even.")
@click.option("--compare", metavar="FORMULA", help="With --lengths: compare the bits with your own formula, such as 'N*log2(s)'.")
@click.option("--figure", type=click.Path(path_type=Path, dir_okay=False), help=f"Draw it too: a file {FIGURES}.")
@click.option("--out", type=click.Path(path_type=Path), help="File for the certificate of a counted profile.")
@set_option
@reporting
def profile(
    task: str, length: int | None, lengths: str | None, compare: str | None, figure: Path | None, out: Path | None, chosen: tuple[str, ...]
) -> Report:
    """How many states any recurrent model must tell apart after each token, counted or by a closed form.

    In a formula N is the length; a parameter of the task goes by its name or first letters: s for symbols.
    """
    if (length is None) == (lengths is None):
        raise BadInput("profile: expected --length N or --lengths N..M")
    if lengths is not None:
        if out is not None:
            raise BadInput("profile: --out is for one --length")
        return _growth(task, ranged(lengths), compare, figure, chosen)
    if compare is not None:
        raise BadInput("profile: --compare is for a range of lengths, --lengths N..M")
    return _at_each_token(task, length, figure, out, chosen)


def _at_each_token(task: str, length: int | None, figure: Path | None, out: Path | None, chosen: tuple[str, ...]) -> Report:
    from separatrix.bounds.limits import certify_counted, task_profile
    from separatrix.certificates.files import write_document
    from separatrix.tasks import make_task

    kind = None if figure is None else picture_kind(figure)
    subject = make_task(task, **with_length(chosen, length))
    states = task_profile(subject)
    if out is not None:
        write_document(out, certify_counted(subject))
    shown: list[tuple[Any, ...]] = [
        (t, _count(lower), _count(upper)) for t, (lower, upper) in enumerate(zip(states.classes_lower, states.classes_upper, strict=True))
    ]
    if len(shown) > 60:
        shown = [*shown[:20], ("...", "...", "..."), *shown[-20:]]
    parts: list[Table | str] = [
        f"{task}, N = {length} ({subject.length_means})",
        Table(("after token", "states needed", "states that suffice"), shown),
        f"bits of state: {states.bits_text}   ({states.method})",
    ]
    if figure is not None and kind is not None:
        asked = f"{task}, N = {length}: states that any recurrent model must tell apart after each token"
        write_picture(figure, kind, _bars(states.classes_lower), f"Any recurrent model needs {states.bits_text} bits of state", asked)
        parts.append(f"the figure is in {figure}")
    if out is not None:
        parts.append(f"wrote {out}; `separatrix check {out}` counts again")
    return Report({"task": task, **states.document()}, parts)


def _growth(name: str, lengths: Sequence[int], compare: str | None, figure: Path | None, chosen: tuple[str, ...]) -> Report:
    """Bits of the widest cut at each length, beside a formula of the user's."""
    from separatrix.bounds.limits import task_profile
    from separatrix.tasks import make_task, task_class

    kind = None if figure is None else picture_kind(figure)
    formula = None if compare is None else parsed(compare)
    rows: list[dict[str, Any]] = []
    even = bool(task_class(name).even_because) and any(length % 2 == 0 for length in lengths)
    for length in (n for n in lengths if n % 2 == 0 or not even):
        task = make_task(name, **with_length(chosen, length))
        value = None if formula is None else evaluated(formula, _numbers(task))
        progress(f"{name} at N = {length}")
        found = task_profile(task)
        rows.append({
            "N": length, "states": max(found.classes_lower), "bits": found.bits, "bits_that_suffice": found.bits_upper, "formula": value,
            "difference": None if value is None else found.bits - value, "method": found.method,
        })  # fmt: skip
    progress("")
    columns = [
        "N",
        "states needed",
        "bits",
        "bits that suffice",
        *([] if compare is None else [compare, "bits minus formula"]),
        "counted by",
    ]
    cells = [
        (
            row["N"], _count(row["states"]), row["bits"], row["bits_that_suffice"],
            *([] if formula is None else [row["formula"], row["difference"]]), row["method"].partition(":")[0],
        )
        for row in rows
    ]  # fmt: skip
    parts: list[Table | str] = [f"{name}: bits of state that any recurrent model needs", Table(columns, cells)]
    verdict = "" if compare is None else _verdict(compare, rows)
    parts += [verdict] if verdict else []
    if figure is not None and kind is not None:
        write_picture(figure, kind, _drawing(name, rows, compare), f"{name}: bits of state against N", verdict)
        parts.append(f"the figure is in {figure}")
    return Report({"task": name, "set": settings(chosen), "compare": compare, "rows": rows}, parts)


def _numbers(task: Task) -> dict[str, float]:
    """The numbers of a task that a formula may name."""
    from separatrix.parameters import parameters

    held = {name: getattr(task, name) for name in parameters(type(task))}
    return {"N": task.length, **{name: value for name, value in held.items() if type(value) in (int, float)}}


def _verdict(formula: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """At how many lengths the formula, rounded up to whole bits, is the number of bits."""
    import math

    equal = [row["N"] for row in rows if math.ceil(row["formula"] - 1e-9) == row["bits"]]
    if len(equal) == len(rows):
        return f"{formula}, rounded up, is the number of bits at all {len(rows)} lengths"
    apart = next(row for row in rows if row["N"] not in equal)
    return f"{formula}, rounded up, is the number of bits at {len(equal)} of {len(rows)} lengths; first apart at N = {apart['N']}"


def _drawing(name: str, rows: Sequence[Mapping[str, Any]], compare: str | None) -> dict[str, Any]:
    from separatrix.studies.panel import curves

    kinds = {"needed": "bits", **({} if compare is None else {compare: "formula"})}
    points = [{"N": row["N"], "bits": row[field], "of": kind} for kind, field in kinds.items() for row in rows]
    return curves(points, name, ("N", "N"), ("bits", "bits of state"), "of", linear="xy")


def _bars(classes: Sequence[int]) -> dict[str, Any]:
    """Bits after each token, since the number of states may be astronomical."""
    from math import log2

    from separatrix.studies.panel import bars

    return bars(
        [{"token": t, "bits": log2(states)} for t, states in enumerate(classes)],
        "",
        ("token", "after token"),
        ("bits", "log2 of the states"),
    )


def _count(states: int) -> int | str:
    return states if states < 10**12 else f"about 2^{states.bit_length() - 1}"
