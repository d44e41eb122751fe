"""Whether a folder of pages stands alone: every link leads somewhere, and nothing is fetched from outside."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

FETCHED = {
    "img": "src",
    "script": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
}


class _Page(HTMLParser):
    """The links, fetched things and fragments of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag in FETCHED and FETCHED[tag] in values:
            self.fetched.append(values[FETCHED[tag]])
        elif "href" in values:
            self.links.append(values["href"])


def faults(folder: Path) -> list[str]:
    """One line for each link that leads nowhere and each thing that would be fetched from outside."""
    pages = {path.resolve(): _read(path) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        found += [f"{name}: fetches {url}" for url in page.fetched if _outside(url) and not url.startswith("data:")]
        for url in (*page.links, *(url for url in page.fetched if not _outside(url))):
            if _outside(url):
                continue
            place, _, fragment = url.partition("#")
            there = (path.parent / unquote(place.partition("?")[0])).resolve() if place else path
            if not there.is_file():
                found.append(f"{name}: {url} leads nowhere")
            elif fragment and there in pages and unquote(fragment) not in pages[there].ids:
                found.append(f"{name}: {url} names no place of that page")
    return found


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _outside(url: str) -> bool:
    return "://" in url or url.startswith(("//", "data:", "mailto:", "javascript:"))
