"""`separatrix communication`: ranks, fooling sets and partitions on the command line, and the certificate that a colleague checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.checker import check_file
from separatrix.cli import main
from tests.cli.calling import answer, refusal

GREATER = """
def greater(word):
    n = len(word) // 2
    return word[:n] > word[n:]

def thirds(word):
    return sum(map(int, word)) % 3

def differ(word):
    return word[0] != word[1]

def constant(word):
    return True
"""


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    path = tmp_path / "functions.py"
    path.write_text(GREATER)
    return path


def test_equality_over_its_halves_is_the_identity_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: 2^4 equal pairs of halves, one more rectangle for the other answer, 5 bits."""
    document = answer(capsys, "communication", "equality", "--length", "8", "--alice", "0,1,2,3")
    assert (document["rank"], document["rank_gf2"], document["bits"], document["alice"]) == (16, 16, 5, [0, 1, 2, 3])
    assert [a == b for a, b in document["fooling_set"]] == [True] * 16
    assert (document["value"], document["largest"], document["two_way_bits"]) == (1, True, [5, 5])
    assert (document["one_way_bits"], document["one_way_back_bits"], document["partition"]) == (4, 4, None)


def test_without_a_partition_the_hardest_is_looked_for(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "communication", "dyck", "--length", "4")
    # odd against even places, or the other way round: 2^(N-1) words, each in a row and a column of its own
    assert document["alice"] in ([0, 2], [1, 3])
    assert (document["rank"], len(document["fooling_set"]), document["bits"]) == (8, 8, 4)
    assert document["partition"] == {"by": "rank", "score": 8, "exhaustive": True, "examined": 14}
    assert main(["communication", "dyck", "--length", "4"]) == 0
    printed = capsys.readouterr().out
    assert "the hardest of all 14 partitions by rank\n" in printed
    assert "bits by the fooling set        4\n" in printed


def test_a_function_of_the_users_is_certified_by_its_table(capsys: pytest.CaptureFixture[str], functions: Path, tmp_path: Path) -> None:
    """Greater than, on 3 bits each: the 8 pairs (a, a) have the answer 0 and fool; 8 + 1 rectangles are 4 bits."""
    out = tmp_path / "greater.json"
    document = answer(capsys, "communication", f"{functions}:greater", "--length", "6", "--alice", "0,1,2", "--out", str(out))
    sealed = json.loads(out.read_text())
    assert document["bits"] == sealed["bits"] == 4
    assert len(document["fooling_set"]) == len(sealed["pairs"]) == 8
    assert sealed["claim"]["task"] == "table"
    verdict = check_file(out)
    assert (verdict.holds, verdict.strength) == (True, "proven")
    assert "every deterministic protocol exchanges at least 4 bits" in verdict.claim


def test_a_certificate_of_a_task_goes_by_its_name_and_says_that_no_set_is_larger(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "deep" / "lookup.json"
    arguments = ["communication", "index-lookup", "--length", "4", "--set", "symbols=2", "--alice", "4", "--out", str(out)]
    document = answer(capsys, *arguments)
    sealed = json.loads(out.read_text())
    assert sealed["claim"] == {"task": "index-lookup", "parameters": {"length": 4, "symbols": 2, "distribution": "evaluation"}}
    assert sealed["pairs"] == document["fooling_set"]
    assert sealed["cover"] is not None
    assert check_file(out).holds
    assert main(arguments) == 0
    assert f"wrote {out}; `separatrix check {out}` looks up every pair" in capsys.readouterr().out


def test_inputs_outside_the_promise_leave_no_rank_but_a_fooling_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "recall.json"
    arguments = ["communication", "associative-recall", "--length", "2", "--set", "symbols=2", "--out", str(out)]
    document = answer(capsys, *arguments)
    assert (document["rank"], document["rank_gf2"], document["two_way_bits"]) == (None, None, None)
    assert document["outside_promise"] == 16  # of 2 * 2 * 2 * 2 * 2: the keys are equal
    assert document["partition"]["by"] == "fooling-set"
    assert (len(document["fooling_set"]), document["bits"]) == (4, 3)
    assert check_file(out).holds
    assert main(arguments) == 0
    assert "not defined: 16 inputs lie outside the promise" in capsys.readouterr().out


def test_answers_may_be_more_than_two(capsys: pytest.CaptureFixture[str], functions: Path) -> None:
    """The number of ones modulo 3, 2 bits each: the 4 x 4 matrix has three different rows, and (0, 0), (1, 2), (2, 1) fool."""
    place = f"{functions}:thirds"
    document = answer(capsys, "communication", place, "--length", "4", "--alice", "0,1", "--set", "classes=3")
    assert (document["one_way_bits"], len(document["fooling_set"]), document["bits"]) == (2, 3, 2)


def test_the_two_ranks_are_those_of_their_fields(capsys: pytest.CaptureFixture[str], functions: Path) -> None:
    """Two of three symbols differ: the 3 x 3 matrix J - I has determinant 2."""
    document = answer(capsys, "communication", f"{functions}:differ", "--length", "2", "--alice", "1", "--set", "alphabet=abc")
    assert (document["rank"], document["rank_gf2"], document["alice"], document["bob"]) == (3, 2, [1], [0])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["equality", "--length", "8", "--alice", "0,9"], "alice must hold positions in 0..7, found 9"),
        (["equality", "--length", "8", "--alice", "0,0"], "alice must hold each position once, found [0, 0]"),
        (["equality", "--length", "4", "--alice", "0,1,2,3"], "alice and bob must each hold a position of 4, found 4 for alice"),
        (["equality", "--length", "8", "--alice", "odd"], "--alice expects positions counted from 0, as in 0,2,4, found 'odd'"),
        (["equality", "--length", "8", "--alice", ""], "--alice expects positions counted from 0, as in 0,2,4, found ''"),
        (["equality", "--length", "0"], "equality: length N must be at least 2, found 0"),
        (["no-such-task", "--length", "4"], "unknown task 'no-such-task'"),
        (["copy", "--length", "3"], "copy at length 3: a communication matrix needs one answer for each input"),
        (
            ["index-lookup", "--length", "4"],
            "index-lookup at length 4: a communication matrix takes at most 262,144 inputs, found about 10^8",
        ),
        (["equality", "--length", "16"], "equality at length 16: partitions are searched up to 16,384 inputs; name Alice's positions"),
        (["separatrix.tasks.function:palindrome", "--length", "1"], "alice and bob must each hold a position, found 1 in all"),
        (["missing.py:f", "--length", "4"], "no such file: 'missing.py'"),
    ],
)
def test_what_has_no_matrix_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], line: str) -> None:
    assert refusal(capsys, "communication", *arguments).startswith(line)


def test_a_constant_function_shows_nothing_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], functions: Path, tmp_path: Path
) -> None:
    place, out = f"{functions}:constant", tmp_path / "constant.json"
    assert answer(capsys, "communication", place, "--length", "4")["bits"] == 0
    line = refusal(capsys, "communication", place, "--length", "4", "--out", str(out))
    assert line == "a fooling set needs at least two pairs, found 1"
    assert not out.exists()


def test_the_matrix_is_drawn_with_its_fooling_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    figure = tmp_path / "matrix.svg"
    assert main(["communication", "equality", "--length", "4", "--figure", str(figure)]) == 0
    assert f"the figure is in {figure}" in capsys.readouterr().out
    drawn = figure.read_text()
    assert "must exchange at least 3 bits" in drawn
    assert (drawn.count('aria-roledescription="rect mark"'), drawn.count('aria-roledescription="point"')) == (16, 4)
    large = tmp_path / "large.svg"
    wide = ("communication", "equality", "--length", "16", "--alice", "0,1,2,3,4,5,6,7", "--figure", str(large))
    assert "expected at most 20,000 cells, found 256 x 256" in refusal(capsys, *wide)
    assert not large.exists()


@pytest.mark.parametrize(
    ("arguments", "bits", "least", "sent"),
    [
        (["index-lookup", "--length", "40", "--set", "symbols=2"], 40, 22, 32),  # 40 (1 - h(0.1)) = 21.24, and 0.8 of 40 places
        (["intersects", "--length", "80"], 40, 22, None),
        (["equality", "--length", "80"], 40, None, 10),  # sums up to 40 * 15
    ],
)
def test_a_protocol_with_coins_is_wrong_about_as_often_as_it_may_be(
    capsys: pytest.CaptureFixture[str], arguments: list[str], bits: int, least: int | None, sent: int | None
) -> None:
    document = answer(capsys, "communication", *arguments, "--error", "0.1")
    assert (document["bits"], document["least"]) == (bits, least)
    assert sent is None or document["sent"] == sent
    allowed = 1 / 16 if arguments[0] == "equality" else 0.1
    assert abs(document["wrong"] / document["runs"] - allowed) < 4 * (allowed * (1 - allowed) / document["runs"]) ** 0.5
    assert least is None or least <= document["sent"] < bits
    exact = answer(capsys, "communication", *arguments, "--error", "0")
    assert (exact["wrong"], exact["sent"]) == (0, bits)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["equality", "--length", "8", "--error", "0.5"], "--error expects a number from 0 on and below 1/2, found 0.5"),
        (["equality", "--length", "8", "--error", "nan"], "--error expects a number from 0 on and below 1/2, found nan"),
        (["parity", "--length", "8", "--error", "0.1"], "index-lookup (--set symbols=2), intersects and equality, found parity"),
        (
            ["index-lookup", "--length", "8", "--error", "0.1"],
            "index-lookup (--set symbols=2), intersects and equality, found index-lookup",
        ),
        (["equality", "--length", "8", "--error", "0.1", "--alice", "0"], "expected no --alice, --figure or --out"),
    ],
)
def test_an_error_that_no_protocol_here_has_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], why: str) -> None:
    assert why in refusal(capsys, "communication", *arguments)
