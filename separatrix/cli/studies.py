"""`separatrix studies`: list the studies and the question each answers."""

from __future__ import annotations

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, table


@click.command()
@json_option
def studies(as_json: bool) -> None:
    """List the studies and the question each answers."""
    from separatrix.studies import studies as every

    entries = [{"name": s.name, "question": s.question, "prediction": s.prediction, "cites": list(s.cites)} for s in every()]
    emit({"studies": entries}, table(("study", "question"), [(s["name"], s["question"]) for s in entries]), as_json)
