"""`separatrix check`: check certificates, independently of the code that made them: what each establishes, and how strongly."""

from __future__ import annotations

import sys

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit
from separatrix.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--require", type=click.Choice(["proven", "exhaustive", "tested"]), help="Exit with 1 if a certificate shows less.")
@click.option(
    "--budget", type=float, default=10.0, show_default=True, help="Seconds of work allowed per file, with 1 GB of memory per 10 seconds."
)
@json_option
def check(files: tuple[str, ...], require: str | None, budget: float, as_json: bool) -> int:
    """Check certificates, independently of the code that made them: what each establishes, and how strongly.

    Exit code 1 if one does not hold or shows less than required; 2 if one cannot be read or costs more than the budget.
    """
    from separatrix.checker import STRENGTHS, Budget, check_file

    if not 0 < budget <= 10**6:
        raise BadInput(f"--budget expects seconds, more than 0 and at most 1000000, found {budget}")
    results = [(file, check_file(file, Budget(budget))) for file in files]
    unreadable = [(file, verdict) for file, verdict in results if not verdict.readable]
    for file, verdict in unreadable[:1]:
        print(f"separatrix: {file}: {verdict.reason}", file=sys.stderr)
    enough = STRENGTHS[STRENGTHS.index(require) :] if require else STRENGTHS
    rows, lines = [], []
    for file, verdict in results:
        weak = verdict.holds and verdict.strength not in enough
        reason = f"shows less than required: {verdict.strength}, not {require}" if weak else verdict.reason
        rows.append({"file": file, "holds": verdict.holds, "reason": reason, "claim": verdict.claim, "strength": verdict.strength,
                     "evidence": list(verdict.evidence)})  # fmt: skip
        if verdict.holds:
            lines += [f"{'TOO WEAK' if weak else 'holds   '}  {file}", f"  {verdict.strength}: {verdict.claim}"]
            lines += [f"  {entry['kind']}: {entry['text']}" for entry in verdict.evidence]
        elif verdict.readable:
            lines.append(f"REFUSED   {file}: {verdict.reason}")
    if as_json or lines:
        emit({"results": rows}, lines, as_json)
    if unreadable:
        return 2
    return 0 if all(verdict.holds and verdict.strength in enough for _, verdict in results) else 1
