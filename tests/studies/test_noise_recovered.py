"""Built weights with noise: they come back from near, and not from far."""

from __future__ import annotations

import pytest

from separatrix.atlas.reading.material import Records
from separatrix.studies import noise_recovered
from separatrix.studies.study import Row


@pytest.fixture(scope="module")
def rows(records: Records) -> list[Row]:
    return noise_recovered.rows(records.content("rows", "noise-recovered"))


def column(rows: list[Row], deviation: float, field: str) -> list[float]:
    return [row[field] for row in rows if row["deviation"] == deviation]


def test_every_deviation_is_followed_from_the_start_to_the_end(rows: list[Row]) -> None:
    for deviation in noise_recovered.DEVIATIONS:
        assert column(rows, deviation, "step") == [0, 100, 200, 300, 400]


def test_without_noise_the_error_is_zero_and_stays_zero(rows: list[Row]) -> None:
    assert column(rows, 0.0, "squared_error") == [0.0] * 5
    assert column(rows, 0.0, "accuracy") == [100.0] * 5


def test_a_little_noise_breaks_the_answer_and_training_mends_it(rows: list[Row]) -> None:
    broken, *_, mended = column(rows, 0.1, "accuracy")
    assert broken < 90
    assert mended > 99


def test_much_noise_is_not_mended(rows: list[Row]) -> None:
    assert column(rows, 0.5, "accuracy")[-1] < 50


def test_the_figure_draws_the_way_and_its_ends(rows: list[Row]) -> None:
    way, ends = noise_recovered.figure(rows)["concat"]
    assert way["data"]["values"] == rows
    assert [row["step"] for row in ends["data"]["values"]] == [0, 400] * len(noise_recovered.DEVIATIONS)
