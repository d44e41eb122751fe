"""The pictures of README and of the gallery are those that the code makes from shipped rows."""

from __future__ import annotations

import json

import pytest

from docs.site.pictures import DOCS, GALLERY, PAGE, SPECIFICATION, digest, gallery, place, rounded, specification, text_of

STALE = "stale: run `make picture`"


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


def test_only_the_last_digits_of_a_number_are_dropped() -> None:
    assert rounded({"a": [1.23456789, 7, "x"]}) == {"a": [1.23457, 7, "x"]}
