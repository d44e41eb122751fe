"""A study as a section: its table has a column for every field, and numbers stand at the right."""

from __future__ import annotations

import gzip
import json
from typing import Any

from separatrix.atlas.page import Page
from separatrix.atlas.pages.studies import study_page, study_section
from separatrix.atlas.reading.material import AnsweredStudy
from separatrix.atlas.render import render
from separatrix.studies import Row, Study
from separatrix.studies.answer import Answer
from separatrix.studies.panel import bars
from separatrix.studies.study import DURING

ROWS: list[Row] = [
    {"length": 10, "of": "a"},
    {"length": 20, "of": "b", "least_weight": None},
    {"length": 30, "of": "c", "least_weight": 0.5},
]


def figure(rows: list[Row]) -> dict[str, Any]:
    return bars(rows, "Bars", ("of", "of"), ("length", "N"))


def answer(rows: list[Row]) -> Answer:
    return Answer("held", f"There are {len(rows)} rows.")


STUDY = Study(
    "my-own", "Why?", "It is so.", ("hahn2020 Theorem 1",), "A caption.", ({"of": "abc"},), lambda _: ROWS, lambda _: ROWS, figure, answer,
    trains=False,
)  # fmt: skip


def test_rows_with_different_fields_share_one_table() -> None:
    content = study_section(AnsweredStudy(STUDY, ROWS)).content
    assert content["columns"] == ["length", "of", "least_weight"]
    assert content["rows"] == [[10, "a", None], [20, "b", None], [30, "c", 0.5]]
    assert content["numeric"] == {"length", "least_weight"}


def test_what_no_row_says_has_no_column_and_what_was_not_run_says_so_first() -> None:
    rows: list[Row] = [{"length": 10, "of": "a", "accuracy": None, "to_50": None, "status": "not run"}]
    content = study_section(AnsweredStudy(STUDY, rows)).content
    assert content["columns"] == ["status", "length", "of"]
    assert content["silent"] == ["accuracy", "to 50"]
    page = study_page(AnsweredStudy(STUDY, rows))
    assert "Empty columns are hidden: accuracy, to 50." in render([page])[page.path].decode()


def test_the_rows_can_be_downloaded_without_what_they_do_not_say() -> None:
    """Those during training too, which the table leaves out."""
    during: Row = {"length": 30, "of": "c", "status": DURING}
    section = study_section(AnsweredStudy(STUDY, [*ROWS, during]))
    said = [{key: value for key, value in row.items() if value is not None} for row in ROWS]
    assert json.loads(gzip.decompress(section.files["rows/my-own.json.gz"])) == {
        "study": "my-own",
        "cites": ["hahn2020 Theorem 1"],
        "answer": {"verdict": "held", "sentence": "There are 4 rows."},
        "rows": [*said, during],
    }
    assert (len(section.content["rows"]), section.content["during"]) == (len(ROWS), 1)


def test_a_page_says_whether_the_prediction_held() -> None:
    page = study_page(AnsweredStudy(STUDY, ROWS))
    html = render([page])[page.path].decode()
    assert "<h1>Why?</h1>" in html
    assert '<span class="tag held">held</span> There are 3 rows.' in html
    assert ("N", "10, 20, 30") in study_section(AnsweredStudy(STUDY, ROWS)).content["setup"]


def test_the_rows_are_folded() -> None:
    page: Page = study_page(AnsweredStudy(STUDY, ROWS))
    html = render([page])["study-my-own.html"].decode()
    assert "<details>" in html
    assert "<details open>" not in html
    assert "<th class=n>N<th>of<th class=n>least weight</thead>" in html
