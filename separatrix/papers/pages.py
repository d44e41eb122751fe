"""The pages of docs/ that are written from the data: errata, what more is known, released code, the glossary.

`make docs` writes them; a test fails where a page is stale.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from separatrix.papers import PAPERS, Entry, Paper, Statement, paper
from separatrix.papers.glossary import glossary_page
from separatrix.papers.statement import ERRATA, Severity
from separatrix.papers.verdicts import TITLES, by_severity, counts, grouped, tally, verdict, verdicts

HEADINGS: dict[Severity, str] = {"error": "Errors", "gap": "Gaps", "misprint": "Misprints", "note": "Notes", "code": "Released code"}
OBJECT = """\
How to object: open an issue that names the statement, the version of the paper and what we misread.
An entry that misreports a paper is removed, and one that a later version settles says so.
The entries are the `[[statement.entry]]` tables of `separatrix/papers/<paper>.toml`; `make docs` writes this page from them.
"""
ERRATA_HEAD = f"""# Errata of the four papers

We made four papers run, and read every proof closely to do so. Nearly all of their results stand.
Here is where a statement, a proof or a construction needs a repair, sorted by weight:
an **error** is false as printed, a **gap** is a missing step or condition, a **misprint** is a typo.
What the papers say is given in our own words.
The papers were read as text extracted from PDF files, where formulas can suffer; a place that we could not read is not reported.

{OBJECT}
Elsewhere: [what more is known](more-is-known.md) and [notes on released code](released-code.md).
"""
MORE_HEAD = """# What more is known

Sharper constants and extensions of results that stand. These are not errata.
"""
CODE_HEAD = """# Notes on released code

Remarks for readers who run the code or the data that were published with a paper, or that its experiments rest on.
They say nothing about the theorems.
"""


def errata_page() -> str:
    """The page docs/errata.md, from the papers' data files."""
    return "\n".join([ERRATA_HEAD, _overview(), *(_errata_of(paper(name)) for name in PAPERS)])


def more_page() -> str:
    """The page docs/more-is-known.md, from the papers' data files."""
    return "\n".join([MORE_HEAD, *(_listing(paper(name), "note") for name in PAPERS)])


def code_page() -> str:
    """The page docs/released-code.md, from the papers' data files."""
    return "\n".join([CODE_HEAD, *(_listing(paper(name), "code") for name in PAPERS if counts(paper(name))["code"])])


PAGES: dict[str, Callable[[], str]] = {
    "errata.md": errata_page,
    "more-is-known.md": more_page,
    "released-code.md": code_page,
    "glossary.md": glossary_page,
}


def seen(entry: Entry) -> str:
    """The evidence, the command that shows it, or that it cannot be rerun from here."""
    parts = [entry.evidence]
    if entry.command:
        parts.append(f"Run `{entry.command}`.")
    if not entry.rerun:
        parts.append("Not rerun by this repository.")
    if entry.commit:
        parts.append(f"Code read at commit {entry.commit}.")
    return " ".join(parts)


def _overview() -> str:
    lines = ["| of each paper | " + " | ".join(TITLES.values()) + " | Errata |", "|---|---|---|---|---|"]
    for one in map(paper, PAPERS):
        results = " | ".join(str(len(verdicts(one)[survives])) for survives in TITLES)
        lines.append(f"| [{one.short}](#{re.sub('[^a-z0-9 ]', '', one.short.lower()).replace(' ', '-')}) | {results} | {tally(one)} |")
    return "Theorems, lemmas, propositions, corollaries and facts:\n\n" + "\n".join(lines) + "\n"


def _errata_of(one: Paper) -> str:
    lines = [f"## {one.short}\n", f"{one.reference}.", f"Read: {one.version}", f"Numbers: {one.numbering}\n"]
    lines += [*one.stands, ""]
    for survives, results in verdicts(one).items():
        if results:
            lines.append(f"- **{TITLES[survives]}:** {grouped(results)}.")
    lines += [f"- **Rests on an unproven assumption:** {s.name}. {s.assumes}" for s in one.statements if s.assumes]
    lines.append(f"\nIn all {tally(one)}.\n")
    for severity in ERRATA:
        if by_severity(one, severity):
            lines += [f"### {HEADINGS[severity]} ({one.short})\n", _entries(by_severity(one, severity))]
    return "\n".join(lines)


def _listing(one: Paper, severity: Severity) -> str:
    return f"## {one.short}\n\n{_entries(by_severity(one, severity))}"


def _entries(rows: list[tuple[Statement, Entry]]) -> str:
    lines: list[str] = []
    for s, entry in rows:
        again = f" (the same point as at {entry.repeats.partition(' ')[2]})" if entry.repeats else ""
        lines += [f"- **{s.name}**, {s.place}{again}", f"  - The paper: {entry.says}", f"  - What holds: {entry.holds}"]
        lines += [f"  - {verdict(s, entry)}."] if verdict(s, entry) else []
        lines.append(f"  - How to see it: {seen(entry)}")
    return "\n".join(lines) + "\n"


def write(folder: Path) -> None:
    """Every page into a folder."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
