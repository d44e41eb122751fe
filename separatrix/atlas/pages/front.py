"""The front page: one sentence, the theorem cards, two studies, and how to read it all."""

from __future__ import annotations

from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.studies import study_section
from separatrix.atlas.pages.theorems import theorems
from separatrix.atlas.reading.material import Material
from separatrix.papers import PAPERS, statements
from separatrix.tasks import TASKS

SHOWN = ("memory-of-lookup", "lookup-learned", "addresses")  # studies on the front page itself
LEAD = (
    "Separatrix tells you what a sequence model of a given size can and cannot do. "
    "This page sets what is proven beside the exact weights that do it, each with a certificate that anyone can check, and beside what "
    "models learn."
)


def front_page(material: Material, cards: list[Card]) -> Page:
    """index.html."""
    shown = {one.study.name: one for one in material.studies}
    sections = (
        reading(material),
        theorems(cards, material.certificates, material.refused),
        *(study_section(shown[name]) for name in SHOWN if name in shown),
    )
    return Page("index.html", "Separatrix: an atlas", "Front page", "Atlas", LEAD, sections)


def reading(material: Material) -> Section:
    """How much there is, and what the words on the page mean."""
    every = statements()
    content = {
        "papers": len(PAPERS),
        "statements": len(every),
        "tasks": len(TASKS),
        "errata": sum(not entry.repeats for s in every for entry in s.errata),
        "certificates": len(material.certificates),
        "refused": len(material.refused),
    }
    return Section("reading", "What you see here", "reading.html", content)
