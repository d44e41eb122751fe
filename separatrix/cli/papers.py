"""`separatrix papers`: every statement of the four papers: key, paraphrase, status, errata, where in the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from separatrix.cli.printing import counted
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.papers import Statement


SHOWN = 4  # constructions that are named
MOST_IN_FULL = 40  # statements; of more that nobody asked for the first words are listed
STARTS = 60  # letters of what a statement says


@click.command()
@click.argument("words", nargs=-1)
@click.option("--paper", help="Only this paper: bhattamishra2024, hahn2020, wen2024 or yang2024, or its number on arXiv.")
@click.option("--status", help="Only this status: built, bounded, measured, implemented, partly, stated or open.")
@click.option("--kind", help="Only this kind: theorem, lemma, experiment, question, ...")
@click.option("--errata", is_flag=True, help="Only statements with an error, a gap or a misprint.")
@click.option("--search", help="Only statements that contain this text.")
@reporting
def papers(words: tuple[str, ...], paper: str | None, status: str | None, kind: str | None, errata: bool, search: str | None) -> Report:
    """The statements of the four papers in our words: status, errata, and where the code is.

    WORDS choose among them: a paper by name or arXiv number (2406.09347), statements by name ("Theorem 1"), or text that they contain.
    """
    from typing import get_args

    from separatrix.ledger.statements import built_with, certified_by_statement, held_statements
    from separatrix.papers import PAPERS
    from separatrix.papers.statement import Kind, Status

    names = _by_arxiv()
    paper = names.get(_arxiv(paper), paper) if paper is not None else None
    for word in words:
        named = names.get(_arxiv(word), word)
        if named not in PAPERS:
            continue
        if paper not in (None, named):
            raise BadInput(f"papers: {named} and {paper} are two papers: name one")
        paper = named
    asked = " ".join(word for word in words if names.get(_arxiv(word), word) not in PAPERS)
    for name, value, allowed in (("--paper", paper, PAPERS), ("--status", status, get_args(Status)), ("--kind", kind, get_args(Kind))):
        if value is not None and value not in allowed:
            arxiv = f", or {' '.join(names)}" if name == "--paper" else ""
            raise BadInput(f"{name}: expected one of {', '.join(allowed)}{arxiv}, found {value!r}")
    listed = [
        s
        for s in held_statements(paper)
        if status in (None, s.status)
        and kind in (None, s.kind)
        and (not errata or s.errata)
        and (search or "").lower() in (s.key + " " + s.says).lower()
    ]
    listed = _asked(listed, asked)
    certified = certified_by_statement()
    document = [
        {
            "key": s.key, "kind": s.kind, "status": s.status, "says": s.says, "place": s.place, "proof": s.proof,
            "assumes": s.assumes, "missing": s.missing, "code": list(s.code),
            "certificates": certified.get(s.key, {}),
            "built_with": list(built_with(s)) if s.status == "built" else [],
            "erratum": [asdict(entry) for entry in s.errata], "notes": [asdict(entry) for entry in s.notes],
        }
        for s in listed
    ]  # fmt: skip
    if len(listed) > MOST_IN_FULL and not any((asked, status, kind, errata, search)):
        return Report(
            {"papers": document}, [_overview(listed), f"{counted(len(listed), 'statement')}; `separatrix papers NAME` says all of one"]
        )
    lines = [line for s in listed for line in _statement_lines(s, certified.get(s.key, {}), built_with(s) if s.status == "built" else ())]
    return Report({"papers": document}, [*lines, counted(len(listed), "statement")])


def _overview(listed: list[Statement]) -> Table:
    """One row for each statement, with the start of what it says."""
    rows = [(s.key, s.status, ", ".join(dict.fromkeys(entry.severity for entry in s.errata)), _start(s.says)) for s in listed]
    return Table(("statement", "status", "errata", "what it says"), rows)


def _start(text: str) -> str:
    """The first words of a text."""
    return text if len(text) <= STARTS else f"{text[:STARTS].rsplit(' ', 1)[0]} .."


def _asked(listed: list[Statement], asked: str) -> list[Statement]:
    """Statements with this name, `Theorem 1` and not `Theorem 12`; where there is none, those that contain the text."""
    if not asked:
        return listed
    name = asked.lower()
    by_name = [s for s in listed if s.key.lower() == name or s.key.partition(" ")[2].lower() == name]
    found = by_name or [s for s in listed if name in f"{s.key} {s.says}".lower()]
    if not found:
        raise BadInput(f"papers: no statement is called {asked!r} or contains it; `separatrix papers` lists all")
    return found


def _by_arxiv() -> dict[str, str]:
    """Number on arXiv -> name of the paper, as each file says it of its version."""
    from separatrix.papers import PAPERS, paper

    return {paper(name).arxiv: name for name in PAPERS}


def _arxiv(text: str) -> str:
    """The number in `2406.09347`, `arXiv:2406.09347v1` or an address that ends in it; else the text."""
    number = re.fullmatch(r"(?:.*[:/ ])?(\d{4}\.\d{4,5})(?:v\d+)?", text, re.IGNORECASE)
    return text if number is None else number[1]


def _statement_lines(s: Statement, certified: dict[str, int], weights: Sequence[str]) -> list[str]:
    from separatrix.papers.verdicts import verdict

    lines = [f"{s.key}  [{s.status}]  {s.place}{', proof in ' + s.proof if s.proof else ''}", f"    {s.says}"]
    lines += [f"    assumes: {s.assumes}"] if s.assumes else []
    lines += [f"    missing: {s.missing}"] if s.missing else []
    for entry in s.errata:
        lines += [f"    {entry.severity}: {entry.says}", f"        what holds: {entry.holds}"]
        lines += [f"        {verdict(s, entry)}"] if verdict(s, entry) else []
    told = ", ".join(f"{count} {strength}" for strength, count in certified.items())
    lines += [f"    certificates of weights: {told}"] if told else []
    more = f" and {len(weights) - SHOWN} more" if len(weights) > SHOWN else ""
    lines += [f"    its code makes certified weights: {', '.join(weights[:SHOWN])}{more}"] if weights and not told else []
    return [*lines, *(f"    code: {place}" for place in s.code)]
