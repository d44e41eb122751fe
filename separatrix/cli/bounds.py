"""`separatrix bounds`: per architecture: least bits or width, the theorem, whether it is tight, and what was built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.report import Report, Table, reporting

if TYPE_CHECKING:
    from separatrix.tasks import Task

SHOWN = 12  # characters of the id of a row


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--precision", help="Bits of one number, p, or a number format; default 32.", default="32")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the certificates of the bounds.")
@set_option
@reporting
def bounds(task: str, length: int, precision: str, out: Path | None, chosen: tuple[str, ...]) -> Report:
    """For each architecture: the least bits or width that a theorem requires, whether that is tight, and what is built."""
    from separatrix.bounds.limits import bounds_for
    from separatrix.bounds.lower import certificate_name, certificates
    from separatrix.bounds.number_format import number_format
    from separatrix.constructions import constructions
    from separatrix.ledger.bounds_table import bounds_table
    from separatrix.ledger.subject import task_words
    from separatrix.ledger.widths import widths
    from separatrix.tasks import make_task

    subject = make_task(task, **with_length(chosen, length))
    numbers = number_format(precision)
    rows = bounds_table(subject, numbers, constructions(subject.name))
    written = certificates(bounds_for(subject, numbers.bits, numbers.fraction)) if out is not None else {}
    if out is not None:
        from separatrix.certificates.files import write_document

        for name, document in written.items():
            write_document(out / name, document)
    documents = [row.document() for row in rows]
    documents = [{**row, "certificate": certificate_name(row["witness"]) if out is not None else None} for row in documents]
    of = f"numbers of {numbers.name or f'{numbers.bits} bits'}"
    parts: list[Table | str] = [
        ", ".join(filter(None, (f"{task}, N = {length} ({subject.length_means})", task_words(subject), of))),
        Table(
            ("architecture", "quantity", "at least", "strength", "tight", "built", "by", "cites", "formula"),
            [(_model(r), r["quantity"], *_shown(r), _by(r), r["cites"], r["formula"]) for r in documents],
        ),
    ]
    if not rows:
        parts = [f"{task}, N = {length}: no bound on record, and too many inputs to count"]
    shapes = [row.document() for row in widths(subject, numbers, constructions(subject.name))]
    parts += _width_parts(shapes)
    best = _learned(subject)
    parts += ["learned, the best stored row of each architecture:"] if best else []
    parts += [
        f"  {row['architecture']}: {row['value']:.1%} of {row['examples']:,} ({row['metric']}), {row['model']}, "
        f"trained at N = {row['trained_at']}, tested at N = {row['tested_at']}, row {row['row']}"
        for row in best
    ]
    parts += [f"wrote {out / name}" for name in written if out is not None]
    return Report(
        {"task": task, "length": length, "precision": numbers.bits, "bounds": documents, "widths": shapes, "learned": best}, parts
    )


def _width_parts(shapes: list[dict[str, Any]]) -> list[Table | str]:
    """Least widths by counting beside the widths that are built, and their ratio."""
    if not shapes:
        return []
    says = "the same as a width, in the shapes that `train` uses: the least with enough state, and the width that is built:"
    rows = [(r["architecture"], r["numbers"], r["layers"], r["least"], r["built"], _times(r["factor"]), r["construction"]) for r in shapes]
    return [says, Table(("architecture", "state of a layer", "layers", "at least", "built", "factor", "by"), rows)]


def _times(factor: float | None) -> str | None:
    return None if factor is None else f"{factor:.3g}"


def _learned(task: Task) -> list[dict[str, Any]]:
    """What was measured at this length and these parameters, of each architecture the best row."""
    from separatrix.ledger.learned import learned_at

    return [
        {
            "architecture": fact.architecture, "mode": fact.mode, "value": fact.value, "row": fact.evidence.key[:SHOWN],
            **{name: fact.more[name] for name in ("model", "metric", "examples", "trained_at", "tested_at", "seed", "study")},
        }
        for fact in learned_at(task)
    ]  # fmt: skip


def _model(row: dict[str, Any]) -> str:
    """The architecture, and the mode where it is not alone."""
    return str(row["architecture"]) if row["mode"] == "alone" else f"{row['architecture']}, {row['mode']}"


def _by(row: dict[str, Any]) -> str | None:
    """The construction, with the settings that make it this small, and whether it does without a causal mask."""
    if not row["construction"]:
        return None
    made = " ".join([row["construction"], *(f"{key}={value}" for key, value in row["settings"].items())])
    return f"{made}, no mask" if row["sees_all"] else made


def _shown(row: dict[str, Any]) -> tuple[Any, ...]:
    """Value, strength, tightness and what was built, as table cells."""
    return "no size, for all N" if row["what"] == "impossible" else row["value"], row["strength"], row["tight"], row["built"]
