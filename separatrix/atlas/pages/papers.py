"""One page for each paper: every statement with its place, its status, its errata, its code and its certificates."""

from __future__ import annotations

from collections import Counter

from separatrix.atlas.page import Page, Section, paper_path, slug
from separatrix.atlas.pages.arguments import DRAWN
from separatrix.atlas.pages.errata import rows
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.papers import PAPERS, paper
from separatrix.papers.statement import Status
from separatrix.papers.verdicts import tally

STATUSES: dict[Status, str] = {
    "built": "exact weights",
    "bounded": "a bound that runs",
    "measured": "numbers from experiments",
    "implemented": "a definition or a task that the code uses",
    "partly": "in part; the entry names what is missing",
    "stated": "stated here, without code",
    "open": "nobody knows",
}


def paper_pages(certificates: tuple[CertificateFile, ...]) -> list[Page]:
    """The pages of all papers."""
    return [paper_page(name, certificates) for name in PAPERS]


def paper_page(name: str, certificates: tuple[CertificateFile, ...]) -> Page:
    """The page of one paper."""
    one = paper(name)
    counts = Counter(s.status for s in one.statements)
    content = {
        "rows": [
            (
                slug(s.name),
                s.name,
                s,
                [c for c in certificates if c.cites == s.key],
                rows([(s, entry) for entry in s.entries]),
                DRAWN.get(s.key),
            )
            for s in one.statements
        ],
        "statuses": [(status, counts[status], meaning) for status, meaning in STATUSES.items() if counts[status]],
        "errata": tally(one),
        "anchor": slug(name),
    }
    lead = f"{one.reference}. Every statement in our own words. {one.numbering} Read: {one.version}"
    section = Section("statements", f"{len(one.statements)} statements", "paper.html", content)
    return Page(paper_path(name), one.short, one.short, "Papers", lead, (section,))
