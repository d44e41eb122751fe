"""The hierarchy of classes: a diagram whose arrows are certificates and bounds of this atlas."""

from __future__ import annotations

from separatrix.atlas.drawn.hierarchy import hierarchy_picture
from separatrix.atlas.page import ARGUMENTS, Page, Section
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.map import Cells
from separatrix.atlas.pages.theorems import theorem_path
from separatrix.atlas.reading.hierarchy import STATED, class_named, shown_arrows

PATH, TITLE = "hierarchy.html", "A hierarchy of classes"
CITES = ("wen2024 Figure 1", "wen2024 Claim 1", "wen2024 Claim 2")
LEAD = (
    "What recurrent models and Transformers solve with O(log n) bits, with and without a chain of thought. "
    "An arrow leads from a class to one that contains it, and its number to the evidence that stands in this atlas."
)


def hierarchy_page(cards: list[Card], cells: Cells) -> Page:
    """The page hierarchy.html: which architecture contains which."""
    pages: dict[str, str] = {}
    for card in cards:
        pages.setdefault(card.entries[0].certificate.subject, theorem_path(card))
    arrows = shown_arrows(pages, {task: dict(row) for task, row in cells.items()})
    without = sum(one.stated for one in arrows)
    content = {
        "picture": hierarchy_picture(arrows),
        "stated": STATED,
        "arrows": [(one, *(" ".join(class_named(name).lines) for name in (one.arrow.tail, one.arrow.head))) for one in arrows],
    }
    title = f"{len(arrows)} arrows, {len(arrows) - without} with evidence in this atlas"
    return Page(PATH, TITLE, TITLE, ARGUMENTS, LEAD, (Section("classes", title, "hierarchy.html", content),))
