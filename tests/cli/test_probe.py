"""`separatrix probe`: a table, one document, one page; names are shown as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.atlas.render import probe_page
from separatrix.cli import main
from tests.cli.calling import answer, refusal
from tests.refuters.test_probe import tiny

__all__ = ["tiny"]  # a fixture


@pytest.mark.usefixtures("tiny")
def test_a_report_is_a_table_a_document_and_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "probe", "elman-1-8", "--seeds", "2", "--out", str(tmp_path / "page.html"))
    assert document["model"] == "elman-1-8"
    assert [row["task"] for row in document["tasks"]] == ["index-lookup", "parity", "copy", "arithmetic"]
    page = (tmp_path / "page.html").read_text()
    assert "elman-1-8" in page
    assert "http" not in page  # nothing is asked of anyone
    assert "1 layer of width 8" in page
    assert "2 seeds, 6 steps of 8 examples" in " ".join(page.split())
    assert main(["probe", "elman-1-8", "--seeds", "1"]) == 0
    shown = capsys.readouterr().out
    assert "parity" in shown
    assert "1 layer of width 8" in shown
    assert "each task: 1 seed, 6 steps of 8 examples" in shown
    assert "no place among them: it has layers x width = 1 x 8, the peers 2 x 64" in shown


def test_a_hostile_name_is_shown_as_text() -> None:
    row = {"skill": "<b>x</b>", "task": "parity", "length": 1, "skipped": "<script>alert(1)</script>"}
    page = probe_page(
        {
            "model": "<img src=x onerror=alert(1)>",
            "scale": "quick",
            "trained": True,
            "layers": None,
            "width": None,
            "parameters": None,
            "budget": None,
            "seeds": None,
            "causal": None,
            "tasks": [row],
            "text": None,
            "standing": None,
        }
    ).decode()
    assert "<script>" not in page
    assert "<img" not in page
    assert "<b>x" not in page


@pytest.mark.parametrize(("place", "why"), [("nothing-1-8", "nothing"), ("missing.py:Name", "missing.py"), ("lstm-1-8-9", "lstm-1")])
def test_a_model_that_is_none_is_refused(place: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in refusal(capsys, "probe", place, "--json")


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_trained(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("separatrix.refuters.probe.probe", lambda *_: pytest.fail("trained first"))
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "page.html", Path("/proc/page.html"), tmp_path):
        assert str(place) in refusal(capsys, "probe", "elman-1-8", "--out", str(place))
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.usefixtures("tiny")
def test_reasons_stand_below_the_table_and_each_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["build", "index-lookup/recurrent", "--length", "10", "--set", "symbols=8", "--out", str(tmp_path / "built")]) == 0
    assert main(["probe", str(tmp_path / "built")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("skipped ")]
    assert lines == ["skipped parity, copy, arithmetic: the model is for index-lookup, whose ids mean something else"]
