"""`separatrix study`: its figure as a file, and what determines each of its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.cli import main
from tests.cli.calling import answer, refusal

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(("name", "start"), [("figure.png", PNG), ("figure.svg", b"<svg"), ("FIGURE.SVG", b"<svg")])
def test_a_figure_is_drawn_into_a_file(name: str, start: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "study", "lookup-learned", "--figure", str(tmp_path / name))
    drawn = (tmp_path / name).read_bytes()
    assert document["figure"] == str(tmp_path / name)
    assert drawn.startswith(start)
    assert len(drawn) > 5000
    assert b"currentColor" not in drawn  # outside a page there is nothing to follow


def test_the_hyper_parameters_of_a_cell_are_one_command_away(capsys: pytest.CaptureFixture[str]) -> None:
    cells = answer(capsys, "study", "lookup-learned", "--cell", "all")["cells"]
    assert len({cell["key"] for cell in cells}) == len(cells) == 9  # three models at three lengths
    one = answer(capsys, "study", "lookup-learned", "--cell", cells[4]["key"][:10])
    assert one["cell"] == cells[4]["cell"]
    assert one["cell"]["run"]["budget"]["rate"] == 5e-3
    assert main(["study", "lookup-learned", "--cell", "all"]) == 0
    assert "lstm-1-64 on index-lookup, length=50; rate 0.005, 2000 steps, seed 0" in capsys.readouterr().out


def test_the_cells_of_a_scale_have_the_keys_of_a_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    cells = answer(capsys, "study", "lookup-learned", "--cell", "all", "--scale", "smoke")["cells"]
    swept = answer(capsys, "sweep", "lookup-learned", "--scale", "smoke", "--list")["cells"]
    assert [cell["key"] for cell in cells] == [cell["key"] for cell in swept]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--figure", "figure.pdf"], "a file that ends in .svg or .png"),
        (["--cell", "zz"], "no cell has a key that begins with 'zz'"),
        (["--cell", ""], "more than one cell"),
        (["--scale", "smoke"], "--scale is for --cell"),
        (["--cell", "all", "--scale", "galaxy"], "unknown scale"),
        (["--run", "--cell", "all"], "go without --run"),
    ],
)
def test_bad_input_is_one_line(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in refusal(capsys, "study", "lookup-learned", *words)
