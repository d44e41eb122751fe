"""Every study: cited, quick to list, with plain rows and a pure figure."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from copy import deepcopy

import pytest

from separatrix.atlas.reading.material import Records
from separatrix.errors import BadInput
from separatrix.papers import statement
from separatrix.studies import STUDIES, Row, Study, studies, study
from separatrix.studies.study import cell_digest


@pytest.fixture(scope="module")
def answered(records: Records) -> list[tuple[Study, list[Row]]]:
    return [(one, one.rows(records.content("rows", one.name))) for one in studies()]


def test_the_table_names_every_study() -> None:
    assert [one.name for one in studies()] == list(STUDIES)
    assert {"addresses", "memory-of-lookup"} <= set(STUDIES)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in STUDIES)


@pytest.mark.parametrize("one", studies(), ids=lambda one: one.name)
def test_a_study_asks_a_question_predicts_one_sentence_and_cites_statements_that_exist(one: Study) -> None:
    assert one.question.endswith("?")
    assert one.prediction.endswith(".")
    assert not re.search(r"\. [A-Z]", one.prediction)
    assert one.caption
    assert one.cites
    for key in one.cites:
        assert statement(key).says


def test_cells_are_plain_data_and_no_two_are_equal() -> None:
    for one in studies():
        assert json.loads(json.dumps(one.cells, allow_nan=False)) == list(one.cells)
        assert len({cell_digest(cell) for cell in one.cells}) == len(one.cells) > 0


def test_rows_are_plain_data(answered: list[tuple[Study, list[Row]]]) -> None:
    for one, rows in answered:
        assert rows, one.name
        assert json.loads(json.dumps(rows, allow_nan=False)) == rows
    assert len(answered) == len(STUDIES)


def test_a_figure_is_plain_data_and_leaves_its_rows_as_they_are(answered: list[tuple[Study, list[Row]]]) -> None:
    for one, rows in answered:
        original = deepcopy(rows)
        figure = one.figure(original)
        assert original == rows, one.name
        assert json.loads(json.dumps(figure)) == figure


@pytest.mark.parametrize("name", ["addresses", "memory-of-lookup"])
def test_the_figure_draws_every_row(name: str, answered: list[tuple[Study, list[Row]]]) -> None:
    one, rows = next(pair for pair in answered if pair[0].name == name)
    drawn = [row for panel in one.figure(rows)["concat"] for row in panel["data"]["values"]]
    assert all(row in drawn for row in rows)


def test_an_unknown_study_is_refused_with_its_neighbour() -> None:
    with pytest.raises(BadInput) as refusal:
        study("adresses")
    assert str(refusal.value) == f"unknown study 'adresses'; did you mean 'addresses'? expected one of {', '.join(STUDIES)}"


def test_listing_the_studies_does_not_load_torch() -> None:
    code = "import sys; from separatrix.studies import studies; studies(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
