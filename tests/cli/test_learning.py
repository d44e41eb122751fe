from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.cli import main
from separatrix.tasks.dyck import Dyck
from tests.cli.calling import answer, refusal

TINY = [
    "--steps",
    "12",
    "--batch",
    "8",
    "--set",
    "symbols=4",
    "--set",
    "budget.test=30",
    "--set",
    "budget.validation=10",
    "--set",
    "model.heads=2",
]


def test_a_model_is_trained_and_evaluated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    trained = answer(
        capsys,
        "train",
        "index-lookup",
        "--length",
        "6",
        "--model",
        "tf-1-8",
        "--test-length",
        "4",
        "--test-length",
        "6",
        "--out",
        out,
        *TINY,
    )
    tests = [row for row in trained["rows"] if row["kind"] == "test"]
    assert [row["length"] for row in tests] == [4, 6]
    assert trained["run"]["model_parameters"] == {"heads": "2"}
    assert (
        trained["sizes"]["parameters"] == 8 * (10 + 7) + 4 * 8 * 8 + 4 * 8 + 2 * 8 * 32 + 32 + 8 + 3 * 16 + 8 * 4 + 4
    )  # embedding, heads, FF, norms, read-out
    result = answer(capsys, "evaluate", out, "--examples", "30", "--length", "6")
    assert [score["length"] for score in result["scores"]] == [6]
    both = answer(capsys, "evaluate", out, "--examples", "30")
    assert [score["length"] for score in both["scores"]] == [4, 6]
    assert both["scores"][1] == result["scores"][0]


def test_examples_of_evaluation_are_not_those_of_training(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs: dict[int, set[tuple[int, ...]]] = {}
    sample = Dyck.sample

    def watched(self: Dyck, seed: int, count: int, start: int = 0) -> Any:
        batch = sample(self, seed, count, start)
        inputs.setdefault(seed, set()).update(batch.row(r) for r in range(count))
        return batch

    monkeypatch.setattr(Dyck, "sample", watched)
    out = str(tmp_path / "run")
    answer(capsys, "train", "dyck", "--length", "40", "--model", "gru-1-4", "--steps", "3", "--batch", "8", "--out", out)
    trained, others = inputs[0], [rows for seed, rows in inputs.items() if seed != 0]
    assert len(others) == 2  # validation and test
    inputs.clear()
    answer(capsys, "evaluate", out, "--examples", "50")
    assert all(trained.isdisjoint(rows) for rows in (*others, *inputs.values()))


def test_a_built_model_goes_through_the_same_evaluator(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["build", "index-lookup", "--length", "6", "--set", "symbols=4", "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    result = answer(capsys, "evaluate", str(tmp_path / "built"), "index-lookup", "--length", "6", "--set", "symbols=4", "--examples", "50")
    assert result["scores"][0]["accuracy"] == 1.0


def test_a_person_reads_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "index-lookup", "--length", "6", "--model", "gru-1-8", *TINY[:-2]]) == 0
    printed = capsys.readouterr()
    assert "gru-1-8 on index-lookup, N = 6:" in printed.out
    assert "hardest positions" in printed.out
    assert "step 12/12  validation at N = 6:" in printed.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--model", "tf-1-65"], "transformer: width 65 is not divisible by heads 4"),
        (["--model", "lstn-1-8"], "unknown model 'lstn'"),
        (["--model", "tf-1-8", "--seed", "-1"], "the seed must not be negative, found -1"),
        (["--model", "tf-1-8", "--steps", "-1"], "budget: steps must not be negative, found -1"),
        (["--model", "tf-1-8", "--rate", "nan"], "rate of budget: expected a finite number, found nan"),
        (
            ["--model", "tf-1-8", "--steps", "5", "--set", "budget.steps=6"],
            "--steps and --set budget.steps set the same parameter: use one",
        ),
        (["--model", "tf-1-8", "--set", "budget.speed=6"], "budget has no parameter 'speed'"),
        (["--model", "tf-1-8", "--set", "modle.heads=6"], "--set modle.heads: expected key, model.key or budget.key"),
        (["--model", "lstm-1-8", "--set", "model.heads=2"], "model lstm-1-8 has no parameter 'heads'"),
        (["--model", "tf-1-8", "--set", "model.length=3"], "position 7 lies beyond the 3 positions"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], says: str) -> None:
    assert refusal(capsys, "train", "index-lookup", "--length", "6", "--out", str(tmp_path / "run"), *arguments).startswith(says)
    assert list(tmp_path.iterdir()) == []


def test_lengths_and_ids_the_model_does_not_know_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    answer(capsys, "train", "dyck", "--length", "6", "--model", "tf-1-8", "--out", out, "--steps", "1", "--batch", "2")
    assert refusal(capsys, "evaluate", out, "--length", "8") == "position 8 lies beyond the 6 positions that this model stores"
    wrong = refusal(capsys, "evaluate", out, "index-lookup", "--length", "4")
    assert wrong == "the model knows the 4 tokens of dyck; index-lookup at N = 4 has 68"
    assert refusal(capsys, "evaluate", str(tmp_path), "dyck", "--length", "4").startswith(f"{str(tmp_path)!r} is not a model")
    assert refusal(capsys, "evaluate", out, "dyck") == "evaluate needs --length with a TASK"
    assert refusal(capsys, "evaluate", out, "--set", "types=3").startswith("evaluate: --set needs a TASK")


def test_a_length_that_the_model_cannot_read_does_not_cost_the_others_their_row(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    answer(capsys, "train", "dyck", "--length", "6", "--model", "tf-1-8", "--out", out, "--steps", "1", "--batch", "2")
    assert main(["evaluate", out, "--length", "6", "--length", "8", "--examples", "20", "--json"]) == 0
    printed = capsys.readouterr()
    inside, beyond = json.loads(printed.out)["scores"]
    assert (inside["length"], inside["examples"], inside["refused"]) == (6, 20, None)
    assert 0 <= inside["accuracy"] <= 1
    assert (beyond["length"], beyond["examples"], beyond["accuracy"]) == (8, 0, None)
    assert beyond["refused"] == "position 8 lies beyond the 6 positions that this model stores"
    assert f"N = 8: {beyond['refused']}" in printed.err


def test_another_task_than_that_of_the_model_is_scored_with_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, built = str(tmp_path / "run"), str(tmp_path / "built")
    answer(capsys, "train", "dyck", "--length", "6", "--model", "tf-1-8", "--out", out, "--steps", "1", "--batch", "2")
    assert answer(capsys, "evaluate", out, "dyck", "--length", "6", "--examples", "5")["warning"] is None
    other = answer(capsys, "evaluate", out, "equality", "--length", "6", "--examples", "5")
    assert other["warning"] == "the model is for dyck (4 tokens, 2 targets): ids of equality (2 tokens, 2 targets) are read as its own"
    assert main(["build", "intersects", "--length", "6", "--out", built]) == 0
    capsys.readouterr()
    assert main(["evaluate", built, "equality", "--length", "6", "--examples", "5"]) == 0
    assert "the model is for intersects: ids of equality (2 tokens, 2 targets) are read as its own" in capsys.readouterr().err
