"""Markdown pages as HTML: headings can be linked, links lead to the page as HTML, and names of pages in code become links."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
MARKS = re.compile(r"^<!-- .* -->\n", re.MULTILINE)  # what the tests read; see tests/docs/reading.py
NAMED = re.compile(r"(?:docs/)?((?:decisions/)?[\w-]+)\.md$")


def sources() -> dict[str, Path]:
    """Pages of the site, by their address without the ending."""
    docs = {path.relative_to(ROOT / "docs").with_suffix("").as_posix(): path for path in sorted((ROOT / "docs").rglob("*.md"))}
    return {"index": ROOT / "README.md", **docs, "contributing": ROOT / "CONTRIBUTING.md", "changelog": ROOT / "CHANGELOG.md"}


def title(text: str) -> str:
    """The first heading."""
    found = re.search(r"^# (.*)$", text, re.MULTILINE)
    return found[1] if found else "Separatrix"


def html(text: str, here: str, known: dict[str, Path]) -> str:
    """The body of a page at the address `here`."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(MARKS.sub("", text))
    used: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[place + 1].content, used))
        if token.type == "inline":
            token.children = _linked(token.children or [], here, known)
        if token.type == "table_open":
            token.attrSet("tabindex", "0")
    rendered: str = reader.renderer.render(tokens, reader.options, {})
    return rendered


def relative(here: str, there: str) -> str:
    """The way from one address to another."""
    up = "../" * (len(PurePosixPath(here).parts) - 1)
    return up + there


def _anchor(heading: str, used: dict[str, int]) -> str:
    """A heading as a fragment, in the spelling that code hosts use."""
    name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    used[name] = used.get(name, -1) + 1
    return name if not used[name] else f"{name}-{used[name]}"


def _linked(children: list[Token], here: str, known: dict[str, Path]) -> list[Token]:
    out: list[Token] = []
    inside = False
    for child in children:
        if child.type == "link_open":
            inside = True
            child.attrSet("href", _target(str(child.attrGet("href")), here, known))
        elif child.type == "link_close":
            inside = False
        elif child.type == "image":
            child.attrSet("src", relative(here, PurePosixPath(str(child.attrGet("src"))).name))
        named = NAMED.match(child.content) if child.type == "code_inline" and not inside else None
        if named and _address(named[1]) in known:
            start = Token("link_open", "a", 1, attrs={"href": relative(here, f"{_address(named[1])}.html")})
            out += [start, child, Token("link_close", "a", -1)]
        else:
            out.append(child)
    return out


def _address(name: str) -> str:
    return {"README": "index", "CONTRIBUTING": "contributing", "CHANGELOG": "changelog"}.get(name, name)


def _target(href: str, here: str, known: dict[str, Path]) -> str:
    """A link as written in a Markdown file, as a link of the site; what points outside stays."""
    page, _, fragment = href.partition("#")
    if not page or ":" in page:
        return href
    written = known[here].parent / page
    for address, path in known.items():
        if path == written.resolve():
            return relative(here, f"{address}.html") + (f"#{fragment}" if fragment else "")
    raise SystemExit(f"{known[here].name} links {href!r}, which is not a page of the site")
