"""State tracking: what was learned stands beside what is decided, and a run says at which length it breaks."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.bounds.languages.verdict_rules import IMPOSSIBLE
from separatrix.studies import state_tracking
from separatrix.studies.cells import study_cells
from separatrix.studies.state_tracking import LANGUAGES, MODELS, PLAN, SEEDS, rows, verdict


def result(right_to: int, longest: int = 256) -> dict[str, Any]:
    """A run that is right on all words up to a length, and on half of them beyond."""
    asked = [[n, 100, 100 if n <= right_to else 50] for n in range(1, longest + 1)]
    test = {"step": 10, "examples": 100, "accuracy": 0.0, "greedy": None, "asked": asked}
    return {"parameters": 5, "state_bits": 64, "seconds": 360, "validations": [[10, 0.5]], "test": test}


def index(language: str, model: str) -> int:
    return next(i for i, (title, tracker, _) in enumerate(PLAN) if (title, tracker.title) == (language, model))


def test_twelve_languages_meet_every_model_three_times() -> None:
    assert (len(LANGUAGES), SEEDS) == (12, 3)
    assert len(PLAN) == 12 * 3 * len(MODELS) == len(state_tracking.CELLS)
    assert len(study_cells("state-tracking", "smoke")) == len(MODELS)
    assert all(cell["run"]["test_lengths"] == [256] for cell in study_cells("state-tracking", "laptop"))
    assert all(0 < hours < 0.05 for hours in state_tracking.HOURS.values())  # a few minutes at most


@pytest.mark.parametrize(
    ("language", "architecture", "expected"),
    [
        ("@parity", "mamba", "impossible at all lengths"),
        ("@a5", "mamba", "impossible at all lengths"),
        ("(ab)*", "mamba", "built at all lengths"),
        ("@dyck-2-2", "mamba", "built at all lengths"),
        ("@parity", "lstm", "built at all lengths"),
        ("@parity", "transformer", "cited"),
    ],
)
def test_the_verdict_is_that_of_decide(language: str, architecture: str, expected: str) -> None:
    assert verdict(language, architecture) == expected


def test_a_run_says_up_to_which_length_it_is_right() -> None:
    results: list[Any] = [None] * len(PLAN)
    results[index("parity", "LSTM")], results[index("parity", "Mamba")] = result(256), result(12)
    answered = rows(results)
    lstm, mamba = (answered[index("parity", model)] for model in ("LSTM", "Mamba"))
    assert (lstm["right_to"], lstm["accuracy"], lstm["beyond"]) == (256, 100.0, 100.0)
    assert (mamba["right_to"], mamba["accuracy"], mamba["beyond"]) == (12, 65.0, 50.0)
    drawn = state_tracking.figure(answered)["concat"][0]
    assert {(row["series"], row["right_to"]) for row in drawn["data"]["values"]} == {("LSTM", 256), ("Mamba", 12)}
    assert {(row["series"], row["built"], row["impossible"]) for row in drawn["data"]["values"]} == {
        ("LSTM", True, False),
        ("Mamba", False, True),
    }
    waiting = f"not run yet: {len(PLAN) - 2} of {len(PLAN)}"
    assert drawn["title"]["subtitle"] == f"filled: weights are built for all lengths; ×: none exist; {waiting}"


def test_a_model_that_does_what_is_impossible_up_to_the_longest_test_fails_the_prediction() -> None:
    results: list[Any] = [None] * len(PLAN)
    assert state_tracking.answer(rows(results)).verdict == "untested"
    results[index("parity", "Mamba")] = result(40)
    assert state_tracking.answer(rows(results)).verdict == "untested"  # nothing that is possible went on
    results[index("parity", "LSTM")] = result(256)
    found = state_tracking.answer(rows(results))
    assert found.verdict == "untested"  # two runs of many
    assert "of 1 on languages for which weights are built LSTM in 1 of 1 are" in found.sentence
    assert "(the furthest up to 40)" in found.sentence
    assert "2 of 216 runs, 2 of 72 pairs of a language and a model, one seed" in found.sentence
    verdicts = [row["verdict"] for row in rows(results)]
    results = [result(40 if verdict == IMPOSSIBLE else 256) for verdict in verdicts]
    assert state_tracking.answer(rows(results)).verdict == "held"
    one_seed = [one if seed == 0 else None for one, (_, _, seed) in zip(results, PLAN, strict=True)]
    assert state_tracking.answer(rows(one_seed)).verdict == "held"
    assert "72 of 72 pairs of a language and a model, one seed" in state_tracking.answer(rows(one_seed)).sentence
    assert state_tracking.answer(rows([None, *one_seed[1:]])).verdict == "untested"
    results[index("parity", "Mamba")] = result(256)
    assert state_tracking.answer(rows(results)).verdict == "failed"
