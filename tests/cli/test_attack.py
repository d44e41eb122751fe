"""`separatrix attack` and `separatrix capacity`: exit codes, documents, and one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from separatrix.checker import check_file
from separatrix.cli import main
from tests.cli.calling import answer, refusal

FIGURE = Path(__file__).parents[2] / "examples" / "figure_2.csv"
MINE = "tests/refuters/models_that_fail.py:Constant"
LOOKUP = ["index-lookup", "--length", "6", "--set", "symbols=8"]


@pytest.fixture
def built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["build", *LOOKUP, "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    return str(tmp_path / "built")


def test_a_built_model_withstands_and_the_least_margin_is_told(capsys: pytest.CaptureFixture[str], built: str) -> None:
    document = answer(capsys, "attack", built, *LOOKUP, "--evaluations", "1500")
    assert document["found"] is False
    assert document["least_margin"] > 1.9
    assert document["tried"]["evaluations"] >= 1500
    assert main(["attack", built, *LOOKUP, "--evaluations", "1500"]) == 0
    assert "no failure found; the right answer leads by " in capsys.readouterr().out


def test_a_broken_one_fails_with_a_certificate(capsys: pytest.CaptureFixture[str], built: str, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(Path(built) / "model.safetensors")
    weights["layers.0.mixer.query"] *= 0.2  # too blunt a head
    save_file(weights, Path(built) / "model.safetensors")
    out = tmp_path / "failure.json"
    document = answer(capsys, "attack", built, *LOOKUP, "--out", str(out), code=1)
    assert document["kind"] == "counterexample"
    assert check_file(out).holds
    assert main(["attack", built, *LOOKUP]) == 1
    printed = capsys.readouterr().out
    assert ": FAILS after " in printed
    assert "a certificate: `separatrix check` runs it again" in printed


def test_a_users_model_fails_with_a_record_that_replays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "failure.json"
    document = answer(capsys, "attack", MINE, *LOOKUP, "--out", str(out), code=1)
    assert (document["schema"], document["found"]) == ("separatrix/failure", True)
    mixer = "examples/running_mean.py:RunningMean"
    assert main(["attack", mixer, "parity", "--length", "4"]) == 1
    assert "a record, not a certificate: the checker does not run code of yours" in capsys.readouterr().out
    assert main(["attack", MINE, *LOOKUP, "--replay", str(out)]) == 1
    assert "as recorded" in capsys.readouterr().out
    out.write_text(json.dumps({**document, "weights": "0"}), encoding="utf-8")
    assert "these are other weights" in refusal(capsys, "attack", MINE, *LOOKUP, "--replay", str(out))
    out.write_text("{}", encoding="utf-8")
    assert "is not a record: expected schema separatrix/failure" in refusal(capsys, "attack", MINE, *LOOKUP, "--replay", str(out))


def test_a_mixer_is_attacked_inside_a_stack(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "attack", "examples/running_mean.py:RunningMean", *LOOKUP, code=1)
    assert document["schema"] == "separatrix/failure"


def test_the_papers_figure_is_read_again_as_bits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "capacity", "index-lookup", "--rows", str(FIGURE))["rows"]
    lstm = [row for row in rows if row["model"] == "LSTM-(3,256)"]
    assert [round(row["bits"]) for row in lstm] == [120, 100, 43, 27, 20]
    assert [round(row["needed"]) for row in lstm] == [120, 300, 600, 1200, 2400]
    only = answer(capsys, "capacity", "index-lookup", "--rows", str(FIGURE), "--length", "400")["rows"]
    assert len(only) == 6


def test_rows_are_read_as_json_too_and_examples_give_an_interval(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stored = {"model": "m", "length": 10, "accuracy": 0.5, "examples": 100}
    for name, text in (("rows.json", json.dumps({"rows": [stored]})), ("rows.jsonl", json.dumps(stored))):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (row,) = answer(capsys, "capacity", "index-lookup", "--rows", str(tmp_path / name))["rows"]
        assert row["interval"][0] < row["bits"] < row["interval"][1]


def test_the_capacity_of_a_register_file_is_its_bits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["build", "index-lookup/recurrent", "--length", "6", "--set", "symbols=8", "--out", str(tmp_path / "r")]) == 0
    capsys.readouterr()
    document = answer(capsys, "capacity", str(tmp_path / "r"), *LOOKUP)
    assert (document["bits"], document["needed"], document["state_bits"]) == (18, 18, 18)
    assert document["interval"][1] == 18
    assert len(document["per_position"]) == 6
    assert main(["capacity", str(tmp_path / "r"), *LOOKUP]) == 0
    assert "retains   18.0 bits" in capsys.readouterr().out
    constant = answer(capsys, "capacity", MINE, *LOOKUP)
    assert (constant["bits"], constant["state_bits"]) == (0, None)


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], built: str, tmp_path: Path) -> None:
    torch.save({}, tmp_path / "pytorch_model.bin")
    (tmp_path / "config.json").write_text('{"model_type": "llama"}', encoding="utf-8")
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    cases = {
        "is not a model": ["attack", "nowhere", *LOOKUP],
        "a pickle, which may run code": ["attack", str(tmp_path), *LOOKUP],
        "its outputs are not finite numbers": ["attack", "tests/refuters/models_that_fail.py:NotNumbers", *LOOKUP],
        "expected logits [b, n, targets]": ["attack", "tests/refuters/models_that_fail.py:WrongShape", *LOOKUP],
        "has 21 tokens": ["attack", built, "index-lookup", "--length", "13", "--set", "symbols=8"],
        "--lengths expects numbers": ["attack", built, *LOOKUP, "--lengths", "4,x"],
        "--seed must not be negative": ["attack", built, *LOOKUP, "--seed", "-1"],
        "capacity needs MODEL TASK --length N": ["capacity", built],
        "expected rows with model, length and accuracy": ["capacity", "index-lookup", "--rows", str(tmp_path / "rows.csv")],
        "no row of length 7": ["capacity", "index-lookup", "--rows", str(FIGURE), "--length", "7"],
        "do not hold independent uniform answers": ["capacity", "parity", "--rows", str(FIGURE)],
    }  # fmt: skip
    for line, arguments in cases.items():
        assert line in refusal(capsys, *arguments), line
