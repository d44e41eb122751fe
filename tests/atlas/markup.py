"""HTML as the tests see it: identifiers, references and text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "img", "rect", "path"}


@dataclass
class Parsed(HTMLParser):
    """One page."""

    ids: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)  # everything in src and href
    opened: list[str] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href", "srcset", "action", "poster", "data"):
                self.references.append(value or "")
        if tag not in VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and tag != "p":
            while self.opened and self.opened.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.opened and self.opened[-1] not in ("script", "style"):
            self.text += data


def parse(html: str) -> Parsed:
    """A page taken apart."""
    page = Parsed()
    page.feed(html)
    page.close()
    return page
