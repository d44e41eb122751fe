"""`separatrix studies`: list the studies and the question each answers."""

from __future__ import annotations

import click

from separatrix.cli.report import Report, Table, reporting


@click.command()
@reporting
def studies() -> Report:
    """List the studies and the question each answers."""
    from separatrix.studies import studies as every

    entries = [{"name": s.name, "question": s.question, "prediction": s.prediction, "cites": list(s.cites)} for s in every()]
    return Report({"studies": entries}, [Table(("study", "question"), [(s["name"], s["question"]) for s in entries])])
