"""Lines that fit the terminal, numbers to the right, words for names."""

from __future__ import annotations

from itertools import pairwise

import pytest

from separatrix.cli import main
from separatrix.cli.printing import counted, emit, rounded, screen_width, table
from separatrix.cli.report import Table

ROWS = [("mamba", 12, "a sentence that is quite long and has to be wrapped somewhere"), ("tf", 1000, "short")]
HEAD = ("model", "bits", "what it says")


def test_numbers_stand_to_the_right_and_words_to_the_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert table(("name", "bits"), [("a", "1,024"), ("bb", "-"), ("c", "7 %")]) == [
        "name   bits",
        "----  -----",
        "a     1,024",
        "bb        -",
        "c       7 %",
    ]


@pytest.mark.parametrize("width", [40, 50, 72, 100])
def test_a_table_is_wrapped_to_the_terminal_and_loses_nothing(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = table(HEAD, ROWS)
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).replace("-", "").split()).count("wrapped") == 1
    assert {word for line in lines for word in line.split()} >= {word for row in ROWS for cell in row for word in rounded(cell).split()}


def test_a_name_is_broken_behind_a_hyphen_or_slash_and_inside_a_word_only_if_nothing_else_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "58")  # three columns of 18 letters
    names = ("recall/hybrid-linear-attention", "by hybrid-gated-deltanet", "abcdefghijklmnopqrstuvwxyz")
    lines = table(("a", "b", "c"), [names])
    assert max(map(len, lines)) == 58
    edges = [0, *(i + 1 for i, sign in enumerate(lines[1]) if sign == " " and lines[1][i - 1] == " "), 99]
    columns = [[line[left:right].strip() for line in lines[2:]] for left, right in pairwise(edges)]
    assert columns[0] == ["recall/hybrid-", "linear-attention"]
    assert columns[1][:2] == ["by hybrid-gated-", "deltanet"]
    assert columns[2][:2] == ["abcdefghijklmnopqr", "stuvwxyz"]
    assert ["".join(column) for column in columns] == [*names]


def test_columns_that_do_not_fit_stand_below_beside_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    head = ("model", *(f"number {i}" for i in range(6)))
    lines = table(head, [("mamba", *(123_456_789 + i for i in range(6))), ("tf", *range(6))])
    assert max(map(len, lines)) <= 40
    assert sum(line.startswith("mamba") for line in lines) == 3
    words = {word for line in lines for word in line.split()}
    assert words >= {f"{123_456_789 + i:,}" for i in range(6)}
    assert table((), []) == ["", ""]


def test_rows_are_numbered_where_a_name_comes_twice_and_the_table_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    head, twice = ("model", "seed", *(f"number {i}" for i in range(4))), [("mamba", seed, *range(10**8, 10**8 + 4)) for seed in (0, 1)]
    monkeypatch.setenv("COLUMNS", "40")
    lines = table(head, twice)
    assert max(map(len, lines)) <= 40
    assert [line.split()[:2] for line in lines if "mamba" in line] == [["1", "mamba"], ["2", "mamba"]] * 3
    monkeypatch.setenv("COLUMNS", "200")
    assert table(head, twice)[0].split()[0] == "model"  # nothing to find again


def test_a_line_is_wrapped_with_a_deeper_indent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    emit({}, ["  " + "word " * 20], as_json=False)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("  word")
    assert all(len(line) <= 40 and line.startswith("      word") for line in rest)


def test_a_pipe_and_wide_are_not_wrapped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert screen_width() is None  # pytest reads through a pipe
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["tasks"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60
    assert main(["tasks", "--wide"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 100


def test_cells_are_rounded_and_names_are_words() -> None:
    assert [rounded(value) for value in (0.6666666666, 1.5069580078125, 3.0, 7, 12480, None, "12480", True, False)] == [
        "0.6667", "1.507", "3", "7", "12,480", "-", "12480", "yes", "no",
    ]  # fmt: skip
    assert [rounded(value) for value in (1e18, -1234567.0, float("inf"))] == ["1e+18", "-1,234,567", "inf"]
    assert Table.of([{"state_bits": 1.0, "why": None}]).lines()[0] == "state bits"


def test_one_thing_is_singular() -> None:
    assert [counted(n, "state") for n in (0, 1, 2, 1000)] == ["0 states", "1 state", "2 states", "1,000 states"]
    assert counted(2, "class", "classes") == "2 classes"
