"""`separatrix records`: what the atlas reads besides certificates: states, audits, languages, traces and rows."""

from __future__ import annotations

from pathlib import Path

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import done, emit
from separatrix.errors import BadInput


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/records"), show_default=True)
@json_option
def records(out: Path, as_json: bool) -> None:
    """Compute what the atlas shows besides certificates: states, audits, languages, traces and rows. Keeps what is up to date."""
    from separatrix.records.write import write_records

    if out.exists() and not out.is_dir():
        raise BadInput(f"--out: {str(out)!r} is not a folder")
    total, computed = write_records(out, done)
    emit({"records": total, "computed": computed, "folder": str(out)}, [f"{total} records in {out}, {computed} computed now"], as_json)
