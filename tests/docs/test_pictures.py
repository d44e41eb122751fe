"""The pictures of README are those that the code makes from shipped rows."""

from __future__ import annotations

import json

from docs.site.pictures import FIGURE, SPECIFICATION, digest, rounded, specification


def test_the_figure_in_the_repository_is_what_the_code_makes_from_shipped_rows() -> None:
    assert json.loads(SPECIFICATION.read_text(encoding="utf-8")) == specification(), "stale: run `make picture`"


def test_the_picture_was_drawn_from_the_specification_beside_it() -> None:
    drawn = FIGURE.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert drawn.rstrip().endswith(digest(SPECIFICATION.read_text(encoding="utf-8")))


def test_only_the_last_digits_of_a_number_are_dropped() -> None:
    assert rounded({"a": [1.23456789, 7, "x"]}) == {"a": [1.23457, 7, "x"]}
