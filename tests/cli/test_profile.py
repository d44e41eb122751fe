"""`separatrix profile` over a range of lengths, beside a formula of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.cli import main
from separatrix.cli.options import ranged
from separatrix.errors import BadInput
from tests.cli.calling import answer, refusal


def test_ranges_and_lists_of_lengths() -> None:
    assert ranged("4..7") == (4, 5, 6, 7)
    assert ranged("2, 4..6,5") == (2, 4, 5, 6)
    for wrong in ("", "4..", "7..4", "a", "-1", "4...6", "1.5"):
        with pytest.raises(BadInput, match="--lengths expects"):
            ranged(wrong)


def test_a_formula_stands_beside_the_counts_of_equality_which_are_two_to_the_half(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "profile", "equality", "--lengths", "2..8", "--compare", "N/2")
    assert [(row["N"], row["states"], row["bits"], row["difference"]) for row in found["rows"]] == [
        (n, 2 ** (n // 2), n // 2, 0) for n in (2, 4, 6, 8)
    ]
    assert main(["profile", "equality", "--lengths", "2..8", "--compare", "N/2"]) == 0
    assert "N/2, rounded up, is the number of bits at all 4 lengths" in capsys.readouterr().out
    assert main(["profile", "equality", "--lengths", "2..8", "--compare", "2"]) == 0
    assert "is the number of bits at 1 of 4 lengths; first apart at N = 2" in capsys.readouterr().out


def test_a_parameter_of_the_task_is_named_by_its_first_letter(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("profile", "index-lookup", "--lengths", "3,5", "--set", "symbols=5", "--compare", "N*log2(s)")
    rows = answer(capsys, *asked)["rows"]
    assert [row["bits"] for row in rows] == [7, 12]  # the least b with 2^b >= 5^3 = 125 and 5^5 = 3125
    assert [row["formula"] for row in rows] == pytest.approx([6.966, 11.610], abs=1e-3)
    assert main([*asked]) == 0
    assert "N*log2(s), rounded up, is the number of bits at all 2 lengths" in capsys.readouterr().out


def test_a_figure_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    figure = tmp_path / "bits.svg"
    assert main(["profile", "parity", "--lengths", "2..4", "--compare", "1", "--figure", str(figure)]) == 0
    assert f"the figure is in {figure}" in capsys.readouterr().out
    assert figure.read_text().startswith("<svg")
    assert main(["profile", "equality", "--length", "4", "--figure", str(figure)]) == 0
    drawn = figure.read_text()
    assert "Any recurrent model needs 2 bits of state" in drawn
    assert drawn.count('aria-roledescription="bar"') == 5  # after 0, .., 4 tokens


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("", "expected --length N or --lengths N..M"),
        ("--length 4 --lengths 4..5", "expected --length N or --lengths N..M"),
        ("--length 4 --compare N", "--compare is for a range of lengths"),
        ("--lengths 4..5 --out file", "--out is for one --length"),
        ("--lengths 4..5 --figure file.gif", "that ends in .svg, .png or .pdf"),
        ("--lengths 4..5 --compare k", "there is no 'k'"),
    ],
)
def test_what_does_not_go_together_is_one_line(options: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in refusal(capsys, "profile", "parity", *options.split())
