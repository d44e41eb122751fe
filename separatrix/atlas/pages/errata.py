"""What a second reading adds, on four pages: errata, what more is known, released code, and the points of a summary."""

from __future__ import annotations

from separatrix.atlas.page import Page, Section, slug
from separatrix.papers import PAPERS, Entry, Paper, Statement, paper, summary
from separatrix.papers.pages import HEADINGS
from separatrix.papers.statement import ERRATA, Severity
from separatrix.papers.verdicts import TITLES, by_severity, counts, grouped, tally, verdict, verdicts

ERRATA_LEAD = (
    "Nearly all results of the four papers stand. Here is where a statement, a proof or a construction needs a repair: an error fails as "
    "printed, a gap leaves a step, a condition or a convention open, a misprint is a slip of the pen. What the papers say is given in our "
    "own words. To object, open an issue that names the statement, the version of the paper and what we misread."
)
MORE_LEAD = "Here the papers are right, and a second reading adds a sharper bound, a constant, an extension or a remark for implementers."
CODE_LEAD = "Remarks for readers who run the code or the data that were published with a paper. They say nothing about the theorems."
SUMMARY_LEAD = "Points of a summary of Bhattamishra et al. 2024. They are not the paper's, and their slips are not the authors'."


def errata_pages() -> list[Page]:
    """The errata page, then the other three."""
    papers = [paper(name) for name in PAPERS]
    return [
        _page("errata.html", "Errata", ERRATA_LEAD, papers, ERRATA),
        _page("more-is-known.html", "What more is known", MORE_LEAD, papers, ("note",)),
        _page("released-code.html", "Notes on released code", CODE_LEAD, [one for one in papers if counts(one)["code"]], ("code",)),
        summary_page(),
    ]


def _page(path: str, title: str, lead: str, papers: list[Paper], severities: tuple[Severity, ...]) -> Page:
    sections: list[Section] = []
    for one in papers:
        errata = severities == ERRATA
        content = {
            "first": not sections,
            "read": one.version,
            "stands": one.stands if errata else (),
            "verdicts": [(TITLES[survives], grouped(rows)) for survives, rows in verdicts(one).items() if rows] if errata else [],
            "assumed": [s for s in one.statements if s.assumes] if errata else [],
            "groups": [(HEADINGS[kind], rows(by_severity(one, kind))) for kind in severities if by_severity(one, kind)],
            "headed": errata,
        }
        name = f"{one.short}: {tally(one)}" if errata else one.short
        sections.append(Section(slug(one.name), name, "errata.html", content, short=one.short))
    return Page(path, title, title, "Papers", lead, tuple(sections))


def rows(entries: list[tuple[Statement, Entry]]) -> list[tuple[Statement, Entry, str]]:
    """Each entry with its statement and whether the statement survives."""
    return [(statement, entry, verdict(statement, entry)) for statement, entry in entries]


def summary_page() -> Page:
    """on-the-summary.html."""
    section = Section("points", f"{len(summary().statements)} points", "summary.html", {"statements": summary().statements})
    return Page("on-the-summary.html", "On the summary", "On the summary", "Papers", SUMMARY_LEAD, (section,))
