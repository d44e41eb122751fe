"""`separatrix check`: check certificates, independently of the code that made them: what each establishes, and how strongly."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.checker import Verdict

TABLES = (".jsonl", ".jsonl.gz")  # tables of decided languages, one line each


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--require", type=click.Choice(["proven", "exhaustive", "tested"]), help="Exit with 1 if a certificate shows less.")
@click.option(
    "--budget", type=float, default=10.0, show_default=True, help="Seconds of work allowed per file, with 1 GB of memory per 10 seconds."
)
@reporting
def check(files: tuple[str, ...], require: str | None, budget: float) -> Report:
    """Check certificates with code that is independent of what made them: what each shows, and how strongly.

    A file of JSON lines (.jsonl.gz) is a table of decided languages, from `decide --all`; it may take minutes.

    Exit code 1 if one does not hold or shows less than required; 2 if one cannot be read or costs more than the budget.
    """
    from separatrix.checker import Budget, check_file
    from separatrix.checker.report import report

    if not 0 < budget <= 10**6:
        raise BadInput(f"--budget expects seconds, more than 0 and at most 1000000, found {budget}")
    summary = report(((file, _check_table(file) if file.endswith(TABLES) else check_file(file, Budget(budget))) for file in files), require)
    if summary.unreadable:
        print(f"separatrix: {summary.unreadable}", file=sys.stderr)
    fields = ("file", "holds", "strength", "claim", "reason")
    each = Table(fields, [[row[field] for field in fields] for row in summary.rows])
    return Report({"results": summary.rows}, summary.lines, code=summary.code, data=[each])


def _check_table(file: str) -> Verdict:
    from separatrix.checker.decided import check_table

    return check_table(file)[0]
