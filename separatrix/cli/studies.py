"""`separatrix studies`: the studies there are: one question each."""

from __future__ import annotations

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, table


@click.command()
@json_option
def studies(as_json: bool) -> None:
    """The studies there are: one question each."""
    from separatrix.studies import studies as every

    found = [{"name": s.name, "question": s.question, "prediction": s.prediction, "cites": list(s.cites)} for s in every()]
    emit({"studies": found}, table(("study", "question"), [(s["name"], s["question"]) for s in found]), as_json)
