"""The list that the search of every page reads: titles and texts of pages, sections, statements and certificates, as one script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from separatrix.atlas.page import Page, statement_link
from separatrix.atlas.pages.playground import script_of
from separatrix.atlas.reading.material import Material
from separatrix.papers import statements

PATH = "assets/search.js"
LONGEST = 300  # characters of a text; its start says what it is about


class Found(NamedTuple):
    """One place that a search can find."""

    title: str
    path: str
    kind: str
    text: str


def search_list(pages: list[Page], material: Material) -> bytes:
    """The script."""
    found = [*_places(pages), *_statements(), *_certificates(pages, material)]
    return script_of("SEARCH", found)


def _places(pages: list[Page]) -> Iterator[Found]:
    for page in pages:
        yield Found(page.title, page.path, page.group, page.lead[:LONGEST])
        for section in page.sections[1:]:
            yield Found(section.title, f"{page.path}#{section.anchor}", page.title, "")


def _statements() -> Iterator[Found]:
    for statement in statements():
        yield Found(statement.key, statement_link(statement.key), statement.kind, statement.says[:LONGEST])


def _certificates(pages: list[Page], material: Material) -> Iterator[Found]:
    """Each certificate, found by its sentence and by its digest, on the page of its card."""
    page_of = {
        entry.certificate.digest: page.path for page in pages for section in page.sections if "card" in section.content
        for entry in section.content["card"].entries
    }  # fmt: skip
    for one in material.certificates:
        title = one.verdict.claim.partition(":")[0]
        yield Found(
            f"{one.subject}: {title}", page_of[one.digest], f"certificate, {one.verdict.strength}", f"{one.verdict.claim} {one.digest}"
        )
