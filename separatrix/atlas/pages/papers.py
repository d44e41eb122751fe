"""One page for each paper: every statement with its place, its status, its errata, its code and its certificates."""

from __future__ import annotations

from collections import Counter

from separatrix.atlas.page import Page, Section, paper_path, slug, statement_link
from separatrix.atlas.pages.arguments import DRAWN
from separatrix.atlas.pages.errata import rows
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.ledger.statements import held_statements
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
    "open": "not known",
}

INDEXED = ("theorem", "lemma", "proposition", "corollary", "claim", "fact")


def paper_pages(certificates: tuple[CertificateFile, ...]) -> list[Page]:
    """A page that lists the theorems of all papers, and the page of each paper."""
    return [overview(), *(paper_page(name, certificates) for name in PAPERS)]


def overview() -> Page:
    """papers.html: every theorem, lemma and corollary by paper, with the number of its errata."""
    listed = []
    for one in map(paper, PAPERS):
        theorems = [(s, statement_link(s.key), sum(not e.repeats for e in s.errata)) for s in one.statements if s.kind in INDEXED]
        listed.append((one, paper_path(one.name), tally(one), theorems))
    lead = "Four papers, statement by statement, in our own words. A number beside a theorem counts its errata."
    more = (
        ("errata.html", "Errata", "what needs a repair"),
        ("more-is-known.html", "What more is known", "sharper constants and extensions"),
        ("released-code.html", "Notes on released code", "for those who run it"),
    )
    index = Section("theorems", "Index by theorem", "papers.html", {"papers": listed})
    return Page(
        "papers.html",
        "Papers and errata",
        "Papers and errata",
        "Papers",
        lead,
        (index, Section("more", "What we add", "more.html", {"pages": more})),
    )


def paper_page(name: str, certificates: tuple[CertificateFile, ...]) -> Page:
    """The page of one paper."""
    one, held = paper(name), held_statements(name)
    counts = Counter(s.status for s in held)
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
            for s in held
        ],
        "statuses": [(status, counts[status], meaning) for status, meaning in STATUSES.items() if counts[status]],
        "errata": tally(one),
        "anchor": slug(name),
        "paper": one,
        "indexed": INDEXED,
    }
    lead = f"{one.reference}. Every statement in our own words. {one.numbering}"
    section = Section("statements", f"{len(one.statements)} statements", "paper.html", content)
    return Page(paper_path(name), one.short, one.short, "Papers", lead, (section,))
