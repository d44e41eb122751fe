"""The contents of the atlas: its pages, in the order of the navigation. A new page is one file of this room and one line here."""

from __future__ import annotations

from separatrix.atlas.page import Page
from separatrix.atlas.pages.arguments import argument_pages
from separatrix.atlas.pages.cards import cards
from separatrix.atlas.pages.docs import docs_pages
from separatrix.atlas.pages.errata import errata_pages
from separatrix.atlas.pages.front import front_page
from separatrix.atlas.pages.hierarchy import hierarchy_page
from separatrix.atlas.pages.languages import language_page
from separatrix.atlas.pages.map import architecture_pages
from separatrix.atlas.pages.papers import paper_pages
from separatrix.atlas.pages.playground import playground_page
from separatrix.atlas.pages.published import published_page
from separatrix.atlas.pages.state_tracking import state_tracking_page
from separatrix.atlas.pages.studies import study_pages
from separatrix.atlas.pages.tasks import task_pages
from separatrix.atlas.pages.theorems import theorem_pages
from separatrix.atlas.reading.cells import cells
from separatrix.atlas.reading.material import Material


def pages(material: Material) -> list[Page]:
    """Every page of the atlas."""
    certified, known = cards(material), cells(material)
    built = theorem_pages(certified, material)
    return [
        front_page(material, certified, known, built),
        playground_page(built),
        *architecture_pages(known, certified, material.records),
        published_page(),
        state_tracking_page(),
        hierarchy_page(certified, known),
        *argument_pages(certified, material.records),
        *built,
        *task_pages(certified, material.records, known),
        language_page(material.records),
        *study_pages(material.studies),
        *paper_pages(material.certificates),
        *errata_pages(),
        *docs_pages(material.studies),
    ]
