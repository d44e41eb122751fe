"""The errata of the four papers as one Markdown page: what is printed, what is true, how to see it."""

from __future__ import annotations

from separatrix.papers import PAPERS, Statement, statements

HEAD = """# Errata of the four papers

What is printed, what is true, and how to see the difference.
Most theorems stand; what is printed is given in our own words.
This page is written by `separatrix papers --errata --markdown`; a test holds it to the data.
"""


def errata_markdown() -> str:
    """The page."""
    parts = [HEAD]
    for paper in PAPERS:
        found = [s for s in statements(paper) if s.errata]
        parts.append(f"## {paper} ({sum(len(s.errata) for s in found)} errata in {len(found)} statements)\n")
        parts += [_entry(s) for s in found]
    return "\n".join(parts)


def _entry(statement: Statement) -> str:
    lines = [f"### {statement.key.split(' ', 1)[1]} ({statement.place})\n"]
    for erratum in statement.errata:
        lines.append(f"- **Printed:** {erratum.printed}")
        lines.append(f"  **True:** {erratum.true}")
        lines.append(f"  **Seen:** {erratum.evidence}" + (f" Run `{erratum.command}`." if erratum.command else ""))
    return "\n".join(lines) + "\n"
