"""Renders pages with their templates to files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from separatrix.atlas.page import BAR, Page, architecture_path, cell_link, paper_path, slug, statement_link, study_path, task_path
from separatrix.atlas.reading.cells import amount, lengths_of
from separatrix.atlas.typography import number, percent, prose, vector
from separatrix.papers import CITATION, PAPERS, paper
from separatrix.tasks import task_class

LINKS = (statement_link, paper_path, study_path, task_path, architecture_path, cell_link)
ASSETS = ("style.css", "atlas.js", "playground.js", "decide.js")
INDENT = re.compile(r"\s*\n\s*")
# end tags that HTML lets one leave out, each where the next tag ends the element anyway
IMPLIED = re.compile(r"</t[dh]>\s*(?=<t[dh]\b|</tr>)|</tr>\s*(?=<tr\b|</tbody>|</thead>)|</li>\s*(?=<li\b|</ul>|</ol>)")
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
QUOTED = re.compile(r'="([\w.#:/-]*[\w.#:-])"(?=[\s>])')  # a value that HTML lets one write without quotes
PRESERVED = re.compile(r"(<pre.*?</pre>)", re.DOTALL)


def render(pages: list[Page]) -> dict[str, bytes]:
    """Every file of the atlas by its path."""
    environment = Environment(
        loader=PackageLoader("separatrix.atlas"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(prose=prose, number=number, percent=percent, vector=vector, slug=slug, amount=amount, lengths_of=lengths_of)
    environment.filters["task_title"] = lambda name: task_class(name).title
    environment.filters.update({link.__name__: link for link in LINKS})
    environment.globals.update(bar=BAR, papers=[paper(name) for name in PAPERS], citation=CITATION)
    files = {f"assets/{name}": _asset(environment, name) for name in ASSETS}
    layout = environment.get_template("page.html")
    for page in pages:
        files[page.path] = compact(layout.render(page=page)).encode()
        for section in page.sections:
            files.update(section.files)
    return files


def compact(html: str) -> str:
    """Without the indentation of templates, which is a fifth of a page, the end tags of cells, and quotes around single words; text that
    is set as written stays."""
    return "".join(part if part.startswith("<pre") else _shorter(part) for part in PRESERVED.split(html))


def _shorter(html: str) -> str:
    return TAG.sub(lambda tag: QUOTED.sub(r"=\1", tag[0]), IMPLIED.sub("", INDENT.sub("\n", html)))


def _asset(environment: Environment, name: str) -> bytes:
    """A file of templates/, unchanged."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].encode()


def probe_page(report: Mapping[str, Any]) -> bytes:
    """The page; every name in it is shown as text, whatever it contains."""
    environment = Environment(loader=PackageLoader("separatrix.atlas"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("probe.html").render(report=report).encode()
