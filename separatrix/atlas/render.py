"""Renders pages with their templates to files."""

from __future__ import annotations

from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from separatrix.atlas.page import Page, paper_path, slug, statement_link
from separatrix.atlas.typography import number, prose, vector

ASSETS = ("style.css", "atlas.js")


def render(pages: list[Page]) -> dict[str, bytes]:
    """Every file of the atlas by its path."""
    environment = Environment(
        loader=PackageLoader("separatrix.atlas"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(prose=prose, number=number, vector=vector, slug=slug, statement_link=statement_link, paper_path=paper_path)
    navigation = [(group, list(members)) for group, members in groupby(pages, key=lambda page: page.group)]
    files = {f"assets/{name}": _asset(environment, name) for name in ASSETS}
    layout = environment.get_template("page.html")
    for page in pages:
        files[page.path] = layout.render(page=page, navigation=navigation).encode()
        for section in page.sections:
            files.update(section.files)
    return files


def _asset(environment: Environment, name: str) -> bytes:
    """A file of templates/, unchanged."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].encode()
