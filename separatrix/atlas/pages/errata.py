"""What a second reading adds, on three pages: errata, what more is known, and released code."""

from __future__ import annotations

from collections import Counter

from separatrix.atlas.page import Page, Section, slug
from separatrix.papers import PAPERS, Entry, Paper, Statement, paper
from separatrix.papers.pages import HEADINGS
from separatrix.papers.statement import ERRATA, Severity
from separatrix.papers.verdicts import TITLES, by_severity, counts, grouped, tally, verdict, verdicts

ERRATA_LEAD = (
    "Nearly all results of the four papers stand. Here is where one needs a repair. Error: false as printed. Gap: a missing step or "
    "condition. Misprint: a typo. What the papers say is given in our own words. To object, open an issue that names the statement, the "
    "version of the paper and what we misread."
)
MORE_LEAD = "Sharper constants and extensions of results that stand."
CODE_LEAD = "For readers who run the code or data published with a paper. Nothing here is about the theorems."


def errata_pages() -> list[Page]:
    """The errata page, then the other two."""
    papers = [paper(name) for name in PAPERS]
    return [
        _page("errata.html", "Errata", ERRATA_LEAD, papers, ERRATA),
        _page("more-is-known.html", "What more is known", MORE_LEAD, papers, ("note",)),
        _page("released-code.html", "Notes on released code", CODE_LEAD, [one for one in papers if counts(one)["code"]], ("code",)),
    ]


def _page(path: str, title: str, lead: str, papers: list[Paper], severities: tuple[Severity, ...]) -> Page:
    sections: list[Section] = []
    for one in papers:
        errata = severities == ERRATA
        every = [(statement, entry) for kind in severities for statement, entry in by_severity(one, kind)]
        met = Counter(statement.key for statement, _ in every)
        content = {
            "first": not sections,
            "read": one.version,
            "stands": one.stands if errata else (),
            "verdicts": [(TITLES[survives], grouped(rows)) for survives, rows in verdicts(one).items() if rows] if errata else [],
            "assumed": [s for s in one.statements if s.assumes] if errata else [],
            "groups": _marked([(HEADINGS[kind], rows(by_severity(one, kind))) for kind in severities if by_severity(one, kind)]),
            "index": [(s.key, s.name, met[s.key]) for s in one.statements if met[s.key]],
            "headed": errata,
        }
        name = f"{one.short}: {tally(one)}" if errata else one.short
        sections.append(Section(slug(one.name), name, "errata.html", content, short=one.short))
    return Page(path, title, title, "Papers", lead, tuple(sections))


def _marked(groups: list[tuple[str, list[tuple[Statement, Entry, str]]]]) -> list[tuple[str, list[tuple[Statement, Entry, str, bool]]]]:
    """Each row with whether it is the first of its statement, to which the index leads."""
    seen: set[str] = set()
    found = []
    for heading, members in groups:
        marked = []
        for statement, entry, survives in members:
            marked.append((statement, entry, survives, statement.key not in seen))
            seen.add(statement.key)
        found.append((heading, marked))
    return found


def rows(entries: list[tuple[Statement, Entry]]) -> list[tuple[Statement, Entry, str]]:
    """Each entry with its statement and whether the statement survives."""
    return [(statement, entry, verdict(statement, entry)) for statement, entry in entries]


def errata_counts() -> list[tuple[str, dict[str, int]]]:
    """For each paper how many errors, gaps and misprints; a point that is repeated counts once."""
    return [(one.short, {kind: counts(one)[kind] for kind in ERRATA}) for one in map(paper, PAPERS)]
