"""Trained models stand in the row of the map that the bounds speak of, at any width."""

from __future__ import annotations

import pytest

from separatrix.architectures import Architecture
from separatrix.records.map_records import architecture_of, learned_record
from separatrix.studies import study


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("lstm-1-4", Architecture.RECURRENT),  # narrower than any model of the zoo
        ("lstm-2-64", Architecture.RECURRENT),
        ("lintf-2-64", Architecture.RECURRENT),
        ("mamba-1-12", Architecture.RECURRENT),
        ("tf-1-8", Architecture.ONE_LAYER),
        ("tf-2-64", Architecture.TWO_LAYERS),
        ("hybrid-mamba-1-64+1", None),
        ("stack", None),
    ],
)
def test_a_trained_model_has_the_row_of_its_architecture(name: str, row: Architecture | None) -> None:
    assert architecture_of(name) == row


def test_a_trained_model_is_listed_once_under_the_study_that_trains_it() -> None:
    """Studies that read the rows of another one add none to the map."""
    named = {row["study"] for row in learned_record()}
    assert {"lookup-printed", "equality-one"} <= named
    assert {name for name in named if study(name).results_of} == set()
