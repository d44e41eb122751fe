"""axe finds nothing wrong on any kind of page, in both colour schemes, wide and narrow, with everything unfolded."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.atlas.test_browser import CARDS, browser, page, visit

__all__ = ["browser", "page"]  # fixtures

QUICK = ("index", f"theorem-{CARDS[1]}", "task-dyck", "architecture-recurrent", "hierarchy")
OTHERS = (
    "playground",
    "restriction",
    "dialogues",
    "collision",
    "task-is-tree",
    "architectures",
    "built",
    "tasks",
    "languages",
    "studies",
    "study-lookup-printed",
    "paper-hahn2020",
    "errata",
    "papers",
    "docs",
    "questions",
    "published",
    "state-tracking",
    "architecture-mamba",
)
OPTIONS = {"preload": False}  # it would ask for the style sheet a second time, which a page from disk may not
NARROW = pytest.param((390, "dark"), marks=pytest.mark.slow, id="narrow and dark")
WIDE = pytest.param((1400, "light"), marks=pytest.mark.slow, id="wide and light")
BOTH = pytest.mark.parametrize("page", [WIDE, NARROW], indirect=True)


@BOTH
def test_a_reader_without_sight_or_mouse_meets_nothing_closed(page: Page, atlas: Path) -> None:
    assert found_on(QUICK, page, atlas) == []


@pytest.mark.slow
@BOTH
def test_nor_on_any_other_kind_of_page(page: Page, atlas: Path) -> None:
    assert found_on(OTHERS, page, atlas) == []


def found_on(files: tuple[str, ...], page: Page, atlas: Path) -> list[tuple[str, str, str, str]]:
    """What axe finds on pages, with everything unfolded."""
    met = []
    for file in files:
        visit(page, atlas, file)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for found in Axe().run(page, options=OPTIONS).response["violations"]:
            met.append((file, found["impact"], found["id"], found["nodes"][0]["html"][:200]))
    return met
