"""Built and trained in one shape: rows as they are run, and what they answer."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.studies import built_and_trained as study


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return study.rows([study.run({"by": by}) for by in ("elman", "mamba2")])


def test_every_start_of_an_architecture_is_the_same_shape(rows: list[dict[str, Any]]) -> None:
    assert [(row["architecture"], row["start"]) for row in rows] == [(by, start) for by in ("elman", "mamba2") for start in study.STARTS]
    for by in ("elman", "mamba2"):
        assert len({(row["width"], row["parameters"], row["certificate"]) for row in rows if row["architecture"] == by}) == 1
    assert {row["certificate"] for row in rows} <= {"proven", "exhaustive"}


def test_built_weights_are_right_before_training_and_fresh_ones_guess(rows: list[dict[str, Any]]) -> None:
    before = {(row["architecture"], row["start"]): row["accuracy"] for row in rows}
    assert before["elman", "built"] == before["mamba2", "built"] == 100.0
    assert all(35 < before[by, "fresh"] < 65 for by in ("elman", "mamba2"))
    assert before["mamba2", "with noise"] < 100  # its gains of a thousand multiply the noise


def test_training_changes_something_and_fresh_weights_learn_a_little(rows: list[dict[str, Any]]) -> None:
    fresh = [row for row in rows if row["start"] == "fresh"]
    assert all(row["accuracy_after"] > row["accuracy"] + 5 for row in fresh)


def test_the_answer_names_what_descent_leaves() -> None:
    def row(by: str, start: str, after: float) -> dict[str, Any]:
        return {"architecture": by, "start": start, "accuracy": 100.0, "accuracy_after": after}

    good = [row(by, start, 60.0 if start == "fresh" else 100.0) for by in study.BY for start in study.STARTS]
    assert study.answer(good).verdict == "held"
    worse = [{**one, "accuracy_after": 90.0} if (one["architecture"], one["start"]) == ("gru", "built") else one for one in good]
    said = study.answer(worse)
    assert said.verdict == "failed"
    assert "gradient descent leaves gru;" in said.sentence
    found = [{**one, "accuracy_after": 100.0} if one["start"] == "fresh" else one for one in good]
    assert study.answer(found).verdict == "failed"
    assert len(study.figure(good)["concat"]) == 3
