"""`separatrix constructions`: list the constructions, with parameters and citations."""

from __future__ import annotations

from typing import Any

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, first_line, listed_parameters, table


@click.command()
@json_option
def constructions(as_json: bool) -> None:
    """List the constructions, with parameters and citations."""
    from separatrix.constructions import constructions as declarations

    entries: list[dict[str, Any]] = [
        {
            "name": declaration.name,
            "task": declaration.task,
            "architecture": declaration.architecture.value,
            "parameters": [parameter.describe() for parameter in declaration.parameters.values()],
            "cites": declaration.cites,
            "says": first_line(declaration.build.__doc__),
        }
        for declaration in sorted(declarations(), key=lambda declaration: declaration.name)
    ]
    rows = [(entry["name"], entry["cites"], listed_parameters(entry["parameters"])) for entry in entries]
    emit({"constructions": entries}, table(("construction", "cites", "parameters"), rows), as_json)
