"""One page for each card, with its proof run step by step; and all cards as a section of the front page."""

from __future__ import annotations

from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.reading.certificates import CertificateFile, RefusedFile


def theorem_pages(cards: list[Card]) -> list[Page]:
    """The pages of all cards."""
    return [theorem_page(card) for card in cards]


def theorem_page(card: Card) -> Page:
    """A card with the runs offered to the reader."""
    sections = [Section("claim", "The claim", "card.html", {"card": card})]
    if card.demonstration is not None:
        sections.append(Section("run", card.demonstration.title, "demonstration.html", {"card": card}))
    return Page(theorem_path(card), card.title, card.title, "Built and certified", "", tuple(sections))


def theorem_path(card: Card) -> str:
    """The page of a card."""
    return f"theorem-{card.anchor}.html"


def theorems(cards: list[Card], certificates: tuple[CertificateFile, ...], refused: tuple[RefusedFile, ...]) -> Section:
    """All cards; the first one with its proof, the others have it on their own pages."""
    files = {}
    for certificate in certificates:
        files[f"certificates/{certificate.file}"] = certificate.content
        files.update({f"certificates/{name}": content for name, content in certificate.weights})
    content = {"cards": [(card, theorem_path(card)) for card in cards], "refused": refused}
    return Section("theorems", "Built and certified", "theorems.html", content, files)
