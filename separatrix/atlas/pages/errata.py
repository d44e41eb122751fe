"""The errata of all papers on one page: what is printed, what is true, how to see it."""

from __future__ import annotations

from separatrix.atlas.page import Page, Section, slug
from separatrix.atlas.pages.papers import REFERENCES
from separatrix.papers import PAPERS, statements


def errata_page() -> Page:
    """Every erratum, paper by paper, in the order of the text."""
    sections: list[Section] = []
    for paper in PAPERS:
        found = [s for s in statements(paper) if s.errata]
        count = sum(len(s.errata) for s in found)
        content = {"statements": found, "first": not sections}
        sections.append(Section(slug(paper), f"{REFERENCES.get(paper, (paper,))[0]}: {count}", "errata.html", content))
    lead = (
        "What is printed, what is true, and how to see the difference. Most are slips of a constant or an index, and most theorems stand; "
        "some bounds are sharper than printed, and a few proofs needed another construction. Printed text is paraphrased."
    )
    return Page("errata.html", "Errata", "Errata", "Papers", lead, tuple(sections))
