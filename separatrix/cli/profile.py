"""`separatrix profile`: states any recurrent model must distinguish after each token, counted or by a named closed form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.report import Report, Table, reporting


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--out", type=click.Path(path_type=Path), help="File for the certificate of a counted profile.")
@set_option
@reporting
def profile(task: str, length: int, out: Path | None, chosen: tuple[str, ...]) -> Report:
    """States any recurrent model must distinguish after each token, counted or by a named closed form."""
    from separatrix.bounds.limits import certify_counted, task_profile
    from separatrix.certificates.files import write_document
    from separatrix.tasks import make_task

    subject = make_task(task, **with_length(chosen, length))
    states = task_profile(subject)
    if out is not None:
        write_document(out, certify_counted(subject))
    shown: list[tuple[Any, str, str]] = [
        (t, _count(lower), _count(upper)) for t, (lower, upper) in enumerate(zip(states.classes_lower, states.classes_upper, strict=True))
    ]
    if len(shown) > 60:
        shown = [*shown[:20], ("...", "...", "..."), *shown[-20:]]
    parts: list[Table | str] = [
        f"{task}, N = {length} ({subject.length_means})",
        Table(("after token", "states needed", "states that suffice"), shown),
        f"bits of state: {states.bits_text}   ({states.method})",
    ]
    if out is not None:
        parts.append(f"wrote {out}; `separatrix check {out}` counts again")
    return Report({"task": task, **states.document()}, parts)


def _count(states: int) -> str:
    return str(states) if states < 10**12 else f"about 2^{states.bit_length() - 1}"
