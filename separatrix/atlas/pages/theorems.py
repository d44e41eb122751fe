"""One page for each card, with its proof run step by step; and a page that lists them all."""

from __future__ import annotations

import gzip
import re

from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.playground import playground_section
from separatrix.atlas.reading.certificates import CertificateFile, RefusedFile
from separatrix.atlas.reading.material import Material, Records

GROUP = "Built and certified"
PLAYED = {"bhattamishra2024 Theorem 1": {"N": 3, "bits": (2, 3)}}  # a game: strings of N bits, and how much one remembers


def theorem_pages(cards: list[Card], material: Material) -> list[Page]:
    """A page that lists all cards, and the page of each."""
    lead = "Exact weights and proofs of bounds, each with certificates that anyone can check."
    overview = Page(
        "built.html", "Built and certified", "All certificates", GROUP, lead, (theorems(cards, material.certificates, material.refused),)
    )
    return [overview, *(theorem_page(card, material.records) for card in cards)]


def theorem_page(card: Card, records: Records) -> Page:
    """A card with the runs offered to the reader, and its weights to play with."""
    sections: list[Section] = []
    if card.cites in PLAYED:
        sections.append(Section("game", "Why a recurrent model needs N bits", "game.html", PLAYED[card.cites], short="Why N bits"))
    if card.demonstration is not None:
        sections.append(Section("run", card.demonstration.title, "demonstration.html", {"card": card}))
    play = playground_section(card, records)
    if play is not None:
        sections.append(play)
    sections.append(Section("claim", "The claim and its certificates", "card.html", {"card": card}))
    return Page(theorem_path(card), card.title, card.title, GROUP, opening(card), tuple(sections))


def opening(card: Card) -> str:
    """One sentence: what the paper states, or what the checker says of the first certificate."""
    first = re.split(r"(?<=[.]) (?=[A-Z])", card.says)[0]
    return f"{card.cites}, as weights that run: {first}" if first else f"Certified: {card.entries[0].claim}."


def theorem_path(card: Card) -> str:
    """The path of the page of a construction."""
    return f"theorem-{card.anchor}.html"


def theorems(cards: list[Card], certificates: tuple[CertificateFile, ...], refused: tuple[RefusedFile, ...]) -> Section:
    """All cards as one table, and the files that the checker refuses."""
    files = {}
    for certificate in certificates:
        files[certificate.place] = gzip.compress(certificate.content, mtime=0)  # a tenth and less: weights are mostly zeros
        files.update({f"certificates/{name}.gz": gzip.compress(content, mtime=0) for name, content in certificate.weights})
    content = {"cards": [(card, theorem_path(card)) for card in cards], "refused": refused}
    return Section("theorems", "All certified constructions and bounds", "theorems.html", content, files)
