"""The front page: one sentence, the map, and how to read it."""

from __future__ import annotations

from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.map import Cells, map_section
from separatrix.atlas.reading.material import Material
from separatrix.papers import PAPERS, statements
from separatrix.tasks import TASKS

LEAD = (
    "Separatrix tells you what a sequence model of a given size can and cannot do. "
    "Each cell of the map says what is provably impossible, what is built, with a certificate that anyone can check, what models learn, "
    "and what is open."
)


def front_page(material: Material, cards: list[Card], cells: Cells) -> Page:
    """index.html."""
    return Page("index.html", "Separatrix: an atlas", "Map", "Atlas", LEAD, (map_section(cells, cards), reading(material)))


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
        "reused": sum(one.reused for one in material.certificates),
    }
    return Section("reading", "What you see here", "reading.html", content)
