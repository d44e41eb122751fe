"""`separatrix check`: certificates, independently of what made them: the sentence each establishes, and how strongly."""

from __future__ import annotations

import sys

import click

from separatrix.cli.printing import emit, json_option
from separatrix.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--require", type=click.Choice(["proven", "exhaustive", "tested"]), help="Exit with 1 where less is shown.")
@click.option("--budget", type=float, default=10.0, show_default=True, help="Seconds of work that one file may cost; 1 GB for each 10.")
@json_option
def check(files: tuple[str, ...], require: str | None, budget: float, as_json: bool) -> int:
    """Certificates, independently of what made them: the sentence each establishes, and how strongly.

    Exit code 1 where one does not hold or shows less than required, 2 where one cannot be read or costs more than the budget.
    """
    from separatrix.checker import Budget, check_file
    from separatrix.checker.report import report

    if not 0 < budget <= 10**6:
        raise BadInput(f"--budget expects seconds, more than 0 and at most 1000000, found {budget}")
    found = report(((file, check_file(file, Budget(budget))) for file in files), require)
    if found.unreadable:
        print(f"separatrix: {found.unreadable}", file=sys.stderr)
    if as_json or found.lines:
        emit({"results": found.rows}, found.lines, as_json)
    return found.code
