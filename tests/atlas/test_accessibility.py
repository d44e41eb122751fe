"""axe finds nothing wrong on any kind of page, in both colour schemes, wide and narrow, with everything unfolded."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.atlas.test_browser import CARDS, browser, page, visit

__all__ = ["browser", "page"]  # fixtures

KINDS = (
    "index",
    "playground",
    "architectures",
    "architecture-recurrent",
    "built",
    f"theorem-{CARDS[1]}",
    "task-dyck",
    "languages",
    "studies",
    "study-lookup-learned",
    "paper-hahn2020",
    "errata",
)


@pytest.mark.parametrize("page", [(1400, "light"), (390, "dark")], indirect=True, ids=["wide and light", "narrow and dark"])
def test_no_kind_of_page_is_closed_to_a_reader(page: Page, atlas: Path) -> None:
    met = []
    for file in KINDS:
        visit(page, atlas, file)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for found in Axe().run(page).response["violations"]:
            met.append((file, found["impact"], found["id"], found["nodes"][0]["html"][:200]))
    assert met == []
