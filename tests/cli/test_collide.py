"""`separatrix collide`: exit code 1 and a certificate where a model must confuse two prefixes, else how far the search went."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.checker import check_file
from separatrix.cli import main
from tests.cli.calling import answer, refusal


@pytest.fixture
def registers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """A register file for equality, which knows whether the halves agree and nothing about intersections."""
    assert main(["build", "equality/recurrent", "--length", "6", "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    return str(tmp_path / "built")


def test_a_model_on_its_own_task_has_no_collision(capsys: pytest.CaptureFixture[str], registers: str) -> None:
    document = answer(capsys, "collide", registers, "equality", "--length", "6")
    assert document == {"found": False, "tried": {"inputs": 64, "states": 8, "wrong answers": 0}}
    assert main(["collide", registers, "equality", "--length", "6"]) == 0
    assert capsys.readouterr().out == f"{registers} on equality, N = 6: no collision (64 inputs, 8 states, 0 wrong answers)\n"


def test_a_model_on_another_task_is_refuted_and_the_certificate_holds(
    capsys: pytest.CaptureFixture[str], registers: str, tmp_path: Path
) -> None:
    out = tmp_path / "collision.json"
    document = answer(capsys, "collide", registers, "intersects", "--length", "6", "--out", str(out), code=1)
    assert document["kind"] == "state-collision"
    verdict = check_file(out)
    assert (verdict.holds, verdict.strength) == (True, "proven")
    assert main(["collide", registers, "intersects", "--length", "6"]) == 1
    printed = capsys.readouterr().out
    assert "N = 6: REFUTED (64 inputs, 8 states, " in printed
    assert "  after '0 0 0 0' and '1 0 0 1' it is in one state\n" in printed


def test_the_transcripts_of_one_layer_are_compared_where_alice_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    built = str(tmp_path / "layer")
    assert main(["build", "equality/one-layer", "--length", "6", "--out", built]) == 0
    capsys.readouterr()
    assert answer(capsys, "collide", built, "equality", "--length", "6", "--alice", "0,1,2")["tried"] == {"fooling inputs": 8}


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], registers: str, tmp_path: Path) -> None:
    cases = {
        "is not a model": [str(tmp_path), "equality", "--length", "6"],
        "unknown task 'eqality'": [registers, "eqality", "--length", "6"],
        "a search for collisions takes at most 16,384 inputs": [registers, "equality", "--length", "40"],
        "--alice expects positions counted from 0": [registers, "equality", "--length", "6", "--alice", "x"],
        "arithmetic fixed:p,f": [registers, "equality", "--length", "6", "--alice", "0,1"],
    }
    for line, arguments in cases.items():
        assert line in refusal(capsys, "collide", *arguments)


HARD = """from tests.refuters.hard_models import hard_model


def Hard(vocabulary, targets):
    return hard_model(7, 41, 2, 1, vocabulary)
"""


def test_a_model_of_hard_attention_is_constant_after_some_tokens_are_fixed(
    capsys: pytest.CaptureFixture[str], registers: str, tmp_path: Path
) -> None:
    hard = tmp_path / "hard.py"
    hard.write_text(HARD)
    out = tmp_path / "restriction.json"
    arguments = ("collide", f"{hard}:Hard", "parity", "--length", "40", "--restrict")
    document = answer(capsys, *arguments, "--out", str(out), code=1)
    verdict = check_file(out)
    assert (document["kind"], verdict.holds, verdict.strength) == ("restriction", True, "proven"), verdict.reason
    assert main([*arguments]) == 1
    printed = capsys.readouterr().out
    assert f"N = 40: REFUTED ({41 - document['free']} of 41 tokens fixed)\n" in printed
    assert printed.count(" .") == document["free"]
    assert "expected one of them" in refusal(capsys, *arguments, "--alice", "0,1")
    assert "expected hard attention" in refusal(capsys, "collide", registers, "equality", "--length", "6", "--restrict")


def test_a_construction_is_a_model_by_its_name_at_the_length_and_parameters_of_the_task(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "collide", "parity/recurrent", "equality", "--length", "6", code=1)
    assert len({sum(prefix) % 2 for prefix in found["prefixes"]}) == 1  # all that its state knows is the parity
    four = answer(capsys, "collide", "index-lookup/recurrent", "index-lookup", "--length", "2", "--set", "symbols=4")
    assert four["tried"] == {"inputs": 32, "states": 16, "wrong answers": 0}  # 4^2 strings and an index
