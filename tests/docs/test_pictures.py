"""The pictures of README and of the gallery are those that the code makes from shipped rows."""

from __future__ import annotations

import json

import pytest

from docs.site.pictures import (
    DOCS,
    FRONT_FACTS,
    GALLERY,
    PAGE,
    SPECIFICATION,
    digest,
    front_facts,
    gallery,
    place,
    rounded,
    specification,
    text_of,
)

STALE = "stale: run `make picture`"
CELLS = 40  # of about 800


def test_the_figure_in_the_repository_is_what_the_code_makes_from_shipped_rows() -> None:
    assert json.loads(SPECIFICATION.read_text(encoding="utf-8")) == specification(), STALE


@pytest.mark.parametrize("name", GALLERY)
def test_a_picture_was_drawn_from_what_the_code_makes_now(name: str) -> None:
    drawn = place(name).read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert drawn.rstrip().endswith(digest(text_of(specification(name)))), STALE


def test_the_gallery_has_eight_pictures_and_no_other_lies_beside_them() -> None:
    assert PAGE.read_text(encoding="utf-8") == gallery(), STALE
    assert len({*GALLERY}) == 8
    assert {*(DOCS / "gallery").iterdir()} == {place(name) for name in GALLERY} - {place("separatrix")}


def test_the_picture_of_the_front_page_was_taken_of_this_layout_and_of_a_ledger_like_this() -> None:
    """A picture may lag behind by a few cells of the map, which move with every certificate; everything else is exact."""
    taken, now = json.loads(FRONT_FACTS.read_text(encoding="utf-8")), front_facts()
    then, cells = taken.pop("cells"), now.pop("cells")
    assert taken == now, f"{STALE[:-1]} BROWSER=chromium` after `make run`"
    moved = sum(abs(then.get(kind, 0) - cells.get(kind, 0)) for kind in {*then, *cells})
    assert moved <= CELLS, f"{moved} cells have moved; {STALE[:-1]} BROWSER=chromium` after `make run`"


def test_only_the_last_digits_of_a_number_are_dropped() -> None:
    assert rounded({"a": [1.23456789, 7, "x"]}) == {"a": [1.23457, 7, "x"]}
