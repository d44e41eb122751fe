"""Every study: cited, quick to list, with plain rows and a pure figure."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from copy import deepcopy
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.papers import statement
from separatrix.studies import STUDIES, Study, studies, study

# Two points of each study are enough to ask what a figure does with rows.
FEW_ROWS: dict[str, list[dict[str, Any]]] = {
    "addresses": [
        {
            "length": N,
            "address": "binary",
            "k": 7,
            "width": 20,
            "eta": 1.5,
            "largest_logit": 11.0,
            "least_weight": 0.75,
            "parameter_bits": 9,
        }
        for N in (100, 1000)
    ],
    "memory-of-lookup": [
        {"panel": panel, "length": N, "tokens": N, "counts": panel, "value": N} for panel in ("tokens", "bits", "width") for N in (16, 1024)
    ],
}


def test_the_table_names_every_study_and_they_are_all_met_here() -> None:
    assert [one.name for one in studies()] == list(STUDIES) == sorted(FEW_ROWS)
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


@pytest.mark.parametrize("name", sorted(FEW_ROWS))
def test_a_figure_is_plain_data_and_leaves_its_rows_as_they_are(name: str) -> None:
    rows, before = deepcopy(FEW_ROWS[name]), FEW_ROWS[name]
    figure = study(name).figure(rows)
    assert rows == before
    assert json.loads(json.dumps(figure)) == figure
    drawn = [row for panel in figure["concat"] for row in panel["data"]["values"]]
    assert all(row in drawn for row in rows)  # no row is left out


def test_an_unknown_study_is_refused_with_its_neighbour() -> None:
    with pytest.raises(
        BadInput, match=r"^unknown study 'adresses': expected one of addresses, memory-of-lookup; did you mean 'addresses'\?$"
    ):
        study("adresses")


def test_listing_the_studies_does_not_load_torch() -> None:
    code = "import sys; from separatrix.studies import studies; studies(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
