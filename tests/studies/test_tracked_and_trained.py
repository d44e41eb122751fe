"""Languages from built and from fresh weights: rows as they are run, and what they answer."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.studies import tracked_and_trained as study


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return study.rows([study.run({"language": "parity"})])


def test_every_start_has_its_seeds_in_one_shape(rows: list[dict[str, Any]]) -> None:
    assert [(row["start"], row["seed"]) for row in rows] == [(start, seed) for start in study.STARTS for seed in range(study.SEEDS)]
    assert len({(row["architecture"], row["layers"], row["width"]) for row in rows}) == 1


def test_built_weights_are_right_on_long_words_and_fresh_ones_guess(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["start"] == "built":
            assert row["accuracy"] == row["long"] == 100.0
        if row["start"] == "fresh":
            assert 35 < row["long"] < 65
            assert row["long_after"] < 75  # a hundred steps do not find parity
    assert any(row["long"] < 99 for row in rows if row["start"] == "with noise")


def test_the_answer_counts_seeds_and_says_where_descent_leaves() -> None:
    def row(language: str, start: str, seed: int, after: float) -> dict[str, Any]:
        return {"language": language, "architecture": "x", "start": start, "seed": seed, "long": 100.0, "long_after": after}

    good = [
        row(language, start, seed, 50.0 if start == "fresh" else 100.0)
        for language in study.BY
        for start in study.STARTS
        for seed in range(study.SEEDS)
    ]
    assert study.answer(good).verdict == "held"
    worse = [{**one, "long_after": 98.0} if (one["language"], one["start"], one["seed"]) == ("S3", "built", 1) else one for one in good]
    said = study.answer(worse)
    assert said.verdict == "failed"
    assert "from built weights: flip-flop 3 of 3, (ab)* 3 of 3, parity 3 of 3, S3 2 of 3;" in said.sentence
    found = [{**one, "long_after": 100.0} if one["start"] == "fresh" else one for one in good]
    assert study.answer(found).verdict == "failed"
    assert len(study.figure(good)["concat"]) == 3
