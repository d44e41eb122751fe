"""`separatrix study`: its figure as a file, and what determines each of its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.cli import main
from separatrix.cli.report import Report
from separatrix.cli.study import _shown
from tests.cli.calling import answer, refusal

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("name", "start"), [("figure.png", PNG), ("figure.pdf", b"%PDF"), ("figure.svg", b"<svg"), ("FIGURE.SVG", b"<svg")]
)
def test_a_figure_is_drawn_into_a_file(name: str, start: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "study", "recall-learned", "--figure", str(tmp_path / name))
    drawn = (tmp_path / name).read_bytes()
    assert document["figure"] == str(tmp_path / name)
    assert drawn.startswith(start)
    assert len(drawn) > 5000
    assert b"currentColor" not in drawn  # outside a page there is nothing to follow


def test_the_hyper_parameters_of_a_cell_are_one_command_away(capsys: pytest.CaptureFixture[str]) -> None:
    cells = answer(capsys, "study", "recall-learned", "--cell", "all")["cells"]
    assert len({cell["key"] for cell in cells}) == len(cells) == 12  # two models at three lengths, two seeds
    one = answer(capsys, "study", "recall-learned", "--cell", cells[4]["key"][:10])
    assert one["cell"] == cells[4]["cell"]
    assert one["cell"]["run"]["budget"]["rate"] == 1e-3
    assert main(["study", "recall-learned", "--cell", "all"]) == 0
    header, _, *lines = capsys.readouterr().out.splitlines()
    assert header.split() == ["key", "model", "task", "length", "seed", "rate", "steps"]
    assert lines[4].split()[1:] == ["tf-1-64", "mqar", "16", "0", "0.001", "6,000"]


def test_a_study_that_reads_the_rows_of_another_says_which(capsys: pytest.CaptureFixture[str]) -> None:
    assert "reads the rows of lookup-printed" in refusal(capsys, "study", "positions-asked", "--run", "--out", "rows")
    assert answer(capsys, "study", "positions-asked")["rows"][0]["length"] == 10


def test_a_cell_is_found_by_the_key_that_a_sweep_lists_too(capsys: pytest.CaptureFixture[str]) -> None:
    cell = answer(capsys, "sweep", "recall-learned", "--list")["cells"][2]
    assert answer(capsys, "study", "recall-learned", "--cell", cell["key"][:12])["cell"] == cell["configuration"]
    for name in ("lookup-printed", "noise-by-construction"):
        swept = {cell["key"]: cell["configuration"] for cell in answer(capsys, "sweep", name, "--list")["cells"]}
        assert {cell["key"]: cell["cell"] for cell in answer(capsys, "study", name, "--cell", "all")["cells"]} == swept


def test_a_paper_s_numbers_have_a_table_of_their_own_and_reasons_stand_below(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"series": "tf-1-64", "length": 20, "accuracy": 90.0, "printed": 100.0, "difference": -10.0, "why": "fewer steps", "status": "run"},
        {"series": "tf-1-64", "length": 50, "accuracy": None, "printed": 100.0, "difference": None, "why": None, "status": "not run"},
        {"series": "in the paper", "length": 20, "accuracy": 100.0, "printed": 100.0, "difference": None, "why": None, "status": "printed"},
    ]  # fmt: skip
    lines = [*Report({}, _shown(rows)).text()]
    assert lines[0].split() == ["series", "length", "accuracy", "printed", "difference", "status"]
    assert lines[4:7] == ["", "in the paper:", "series        length  accuracy  printed  status"]  # no column of dashes
    assert lines[-3:] == ["differences from the paper:", "tf-1-64 at N = 20: -10 because of fewer steps", ""]
    assert "1 row of validation during training in the figure and in --json" in _shown([*rows, {**rows[0], "status": "during training"}])
    assert main(["study", "lookup-printed"]) == 0
    assert "difference" in capsys.readouterr().out


def test_the_cells_of_a_scale_have_the_keys_of_a_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    cells = answer(capsys, "study", "recall-learned", "--cell", "all", "--scale", "smoke")["cells"]
    swept = answer(capsys, "sweep", "recall-learned", "--scale", "smoke", "--list")["cells"]
    assert [cell["key"] for cell in cells] == [cell["key"] for cell in swept]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--figure", "figure.jpg"], "a file that ends in .svg, .png or .pdf"),
        (["--cell", "zz"], "no cell has a key that begins with 'zz'"),
        (["--cell", ""], "more than one cell"),
        (["--scale", "smoke"], "--scale is for --cell"),
        (["--cell", "all", "--scale", "galaxy"], "unknown scale"),
        (["--run", "--cell", "all"], "go without --run"),
    ],
)
def test_bad_input_is_one_line(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in refusal(capsys, "study", "recall-learned", *words)
