"""Precision: where weights carried over begin to work, and what a blurred softmax loses."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.atlas.reading.material import Records
from separatrix.studies import precision


@pytest.fixture(scope="module")
def rows(records: Records) -> list[dict[str, Any]]:
    return precision.rows(records.content("rows", "precision"))


def test_a_softmax_that_gives_less_than_half_fails_on_every_place(rows: list[dict[str, Any]]) -> None:
    # binary, L = 6: the share at factor 0.6 is 1 / ((1 + e^(-1.2 eta))^6 + e^(-3.6 eta)) = 0.40 with eta = 1.507, at 0.8 it is 0.60
    accuracy = {row["factor"]: row["accuracy"] for row in rows if row["panel"] == "temperature" and row["address"] == "binary"}
    assert (accuracy[0.6], accuracy[0.8], accuracy[1.0]) == (0.0, 1.0, 1.0)


def test_addresses_are_described_by_their_dimension_and_coherence(rows: list[dict[str, Any]]) -> None:
    results = {row["address"]: (row["k"], row["coherence"]) for row in rows if row["length"] == 64}
    # six digits differ in at least one place: (6 - 2) / 6; the code of sixteen coordinates has products of at most 4
    assert results["binary"] == (6, pytest.approx(4 / 6))
    assert results["code"] == (16, pytest.approx(1 / 4))
    assert results["quadratic"] == (2, None)


def test_the_least_precision_is_right_everywhere_and_rises_with_N_for_the_quadratic_address(rows: list[dict[str, Any]]) -> None:
    least = [row for row in rows if row["panel"] == "least"]
    assert {row["accuracy"] for row in least} == {1.0}
    assert [row["p"] for row in least if row["address"] == "quadratic"] == [12, 16, 20, 24]  # 3 N^2 and a sign and one fractional bit
    assert len({row["p"] for row in least if row["address"] == "binary"}) == 1


def test_the_figure_draws_every_row_once(rows: list[dict[str, Any]]) -> None:
    assert [row for panel in precision.figure(rows)["concat"] for row in panel["data"]["values"]] == rows
