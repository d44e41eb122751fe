"""`separatrix studies`: the studies there are: one question each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from separatrix.cli.printing import emit, json_option, table

if TYPE_CHECKING:
    pass


@click.command()
@json_option
def studies(as_json: bool) -> None:
    """The studies there are: one question each."""
    from separatrix.studies import studies as every

    found = [{"name": s.name, "question": s.question, "prediction": s.prediction, "cites": list(s.cites)} for s in every()]
    emit({"studies": found}, table(("study", "question"), [(s["name"], s["question"]) for s in found]), as_json)
