"""`separatrix tasks`: list the tasks, with parameters, number of tokens and citations."""

from __future__ import annotations

from typing import Any

import click

from separatrix.cli.printing import first_line, listed_parameters
from separatrix.cli.report import Report, Table, reporting
from separatrix.parameters import parameters


@click.command()
@reporting
def tasks() -> Report:
    """List the tasks, with parameters, number of tokens and citations."""
    from separatrix.tasks import TASKS, task_class

    entries: list[dict[str, Any]] = []
    for name in sorted(TASKS):
        kind = task_class(name)
        listed = [parameter.describe() for parameter in parameters(kind).values()]
        facts = {"tokens": kind.tokens, "length": kind.length_means, "cites": kind.cites, "source": kind.source}
        entries.append({"name": name, "title": kind.title, "parameters": listed, **facts, "says": first_line(kind.__doc__)})
    rows = [(t["name"], t["length"], t["tokens"], t["cites"] or t["source"] or "-", listed_parameters(t["parameters"])) for t in entries]
    return Report({"tasks": entries}, [Table(("task", "N counts", "tokens", "cites", "parameters"), rows)])
