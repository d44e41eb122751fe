"""Statements by their paper, by its number on arXiv, by their name, or by what they say."""

from __future__ import annotations

import pytest

from separatrix.cli import main
from separatrix.papers import statements
from tests.cli.calling import answer, refusal


def keys(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    return [entry["key"] for entry in answer(capsys, "papers", *words)["papers"]]


def test_a_paper_goes_by_its_name_or_number(capsys: pytest.CaptureFixture[str]) -> None:
    by_name = keys(capsys, "--paper", "bhattamishra2024")
    assert all(key.startswith("bhattamishra2024 ") for key in by_name)
    for words in (
        ("2406.09347",),
        ("--paper", "2406.09347"),
        ("arXiv:2406.09347v1",),
        ("bhattamishra2024",),
        ("https://arxiv.org/abs/2406.09347",),
    ):
        assert keys(capsys, *words) == by_name


def test_a_statement_goes_by_its_name_and_not_by_its_first_letters(capsys: pytest.CaptureFixture[str]) -> None:
    assert keys(capsys, "Theorem 1") == ["bhattamishra2024 Theorem 1", "hahn2020 Theorem 1"]
    assert keys(capsys, "2406.09347", "theorem", "1") == ["bhattamishra2024 Theorem 1"]
    assert "bhattamishra2024 Theorem 1" in keys(capsys, "index lookup")


def test_what_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no statement is called 'Theorem 99'" in refusal(capsys, "papers", "Theorem 99")
    assert "2406.09347" in refusal(capsys, "papers", "--paper", "2401.00001")
    assert "two papers" in refusal(capsys, "papers", "hahn2020", "--paper", "wen2024")


def test_all_statements_are_listed_in_a_line_each_and_one_is_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == len(statements()) + 3  # a header, the line below it, and how many there are
    assert main(["papers", "2406.09347", "Theorem 1"]) == 0
    told = capsys.readouterr().out
    assert "misprint: " in told
    assert "code: separatrix.constructions.bhattamishra2024.index_lookup" in told
