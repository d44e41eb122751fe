"""`separatrix papers`: every statement of the four papers: key, paraphrase, status, errata, where in the code."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.papers import Statement


@click.command()
@click.option("--paper", help="Only this paper: bhattamishra2024, hahn2020, wen2024 or yang2024.")
@click.option("--status", help="Only this status: built, bounded, measured, implemented, partly, stated or open.")
@click.option("--kind", help="Only this kind: theorem, lemma, experiment, question, ...")
@click.option("--errata", is_flag=True, help="Only statements with an error, a gap or a misprint.")
@click.option("--search", help="Only statements that contain this text.")
@json_option
def papers(paper: str | None, status: str | None, kind: str | None, errata: bool, search: str | None, as_json: bool) -> None:
    """Every statement of the four papers: key, paraphrase, status, errata, where in the code."""
    from typing import get_args

    from separatrix.papers import PAPERS, statements
    from separatrix.papers.statement import Kind, Status

    for name, value, allowed in (("--paper", paper, PAPERS), ("--status", status, get_args(Status)), ("--kind", kind, get_args(Kind))):
        if value is not None and value not in allowed:
            raise BadInput(f"{name}: expected one of {', '.join(allowed)}, found {value!r}")
    listed = [
        s
        for s in statements(paper)
        if status in (None, s.status)
        and kind in (None, s.kind)
        and (not errata or s.errata)
        and (search or "").lower() in (s.key + " " + s.says).lower()
    ]
    document = [
        {
            "key": s.key, "kind": s.kind, "status": s.status, "says": s.says, "place": s.place, "proof": s.proof,
            "assumes": s.assumes, "missing": s.missing, "code": list(s.code),
            "erratum": [asdict(entry) for entry in s.errata], "notes": [asdict(entry) for entry in s.notes],
        }
        for s in listed
    ]  # fmt: skip
    lines = [line for s in listed for line in _statement_lines(s)]
    emit({"papers": document}, [*lines, f"{len(listed)} statements"], as_json)


def _statement_lines(s: Statement) -> list[str]:
    from separatrix.papers.verdicts import verdict

    lines = [f"{s.key}  [{s.status}]  {s.place}{', proof in ' + s.proof if s.proof else ''}", f"    {s.says}"]
    lines += [f"    assumes: {s.assumes}"] if s.assumes else []
    lines += [f"    missing: {s.missing}"] if s.missing else []
    for entry in s.errata:
        lines += [f"    {entry.severity}: {entry.says}", f"        what holds: {entry.holds}"]
        lines += [f"        {verdict(s, entry)}"] if verdict(s, entry) else []
    return [*lines, *(f"    code: {place}" for place in s.code)]
