"""`separatrix bounds`: per architecture: least bits or width, the theorem, whether it is tight, and what was built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.printing import emit, table


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--precision", help="Bits of one number, p, or a number format; default 32.", default="32")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the certificates of the bounds.")
@set_option
@json_option
def bounds(task: str, length: int, precision: str, out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Per architecture: least bits or width, the theorem, whether it is tight, and what was built."""
    from separatrix.bounds.table import certificate_name, certificates, number_format
    from separatrix.bounds.table import table as need_and_built
    from separatrix.certificates.files import write_document
    from separatrix.constructions import constructions
    from separatrix.tasks import make_task

    subject = make_task(task, **with_length(chosen, length))
    numbers = number_format(precision)
    rows = need_and_built(subject, numbers, constructions())
    written = certificates(rows) if out is not None else {}
    for name, document in written.items():
        assert out is not None
        write_document(out / name, document)
    documents = [{**row.document(), "certificate": certificate_name(row) if out is not None else None} for row in rows]
    lines = [
        f"{task}, N = {length} ({subject.length_means}), numbers of {numbers.name or f'{numbers.bits} bits'}",
        *table(
            ("architecture", "quantity", "at least", "tight", "built", "by", "cites", "formula"),
            [(r["architecture"], r["quantity"], *_shown(r), _by(r), r["cites"] or "-", r["formula"]) for r in documents],
        ),
    ]
    if not rows:
        lines = [f"{task}, N = {length}: no bound on record, and too many inputs to count"]
    lines += [f"wrote {out / name}" for name in written if out is not None]
    emit({"task": task, "length": length, "precision": numbers.bits, "bounds": documents}, lines, as_json)


def _by(row: dict[str, Any]) -> str:
    """The construction, with the settings that make it this small."""
    return " ".join([row["construction"], *(f"{key}={value}" for key, value in row["settings"].items())]) if row["construction"] else "-"


def _shown(row: dict[str, Any]) -> tuple[str, str, str]:
    """Value, tightness and what was built, as table cells."""
    at_least = "-" if row["value"] is None else str(row["value"])
    return at_least, "yes" if row["tight"] else "no", "-" if row["built"] is None else str(row["built"])
