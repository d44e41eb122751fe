"""The contents of the atlas: its pages, in the order of the navigation. A new page is one file of this room and one line here."""

from __future__ import annotations

from separatrix.atlas.cards import cards
from separatrix.atlas.errata_page import errata_pages
from separatrix.atlas.front_page import front_page
from separatrix.atlas.language_page import language_page
from separatrix.atlas.material import Material
from separatrix.atlas.page import Page
from separatrix.atlas.paper_pages import paper_pages
from separatrix.atlas.study_pages import study_pages
from separatrix.atlas.task_pages import task_pages
from separatrix.atlas.theorem_pages import theorem_pages


def pages(material: Material) -> list[Page]:
    """Every page."""
    found = cards(material.certificates)
    return [
        front_page(material, found),
        *theorem_pages(found),
        *task_pages(found),
        language_page(),
        *study_pages(material.studies),
        *paper_pages(material.certificates),
        *errata_pages(),
    ]
