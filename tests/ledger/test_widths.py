"""Least widths of the shapes that are trained, by hand, and the widths that are built."""

from __future__ import annotations

import json

import pytest

from separatrix.architectures import Architecture
from separatrix.bounds.number_format import number_format
from separatrix.bounds.shapes import SHAPES, state_numbers
from separatrix.cli import main
from separatrix.constructions import build, constructions
from separatrix.ledger.widths import widths
from separatrix.tasks import make_task


def test_recall_of_4096_pairs_needs_129_numbers() -> None:
    """4,107 bits in numbers of 32: d^2 / 4 + 9 d is 88 at d = 8 and 144 at d = 12, the next multiple of four heads."""
    rows = {row.architecture: row for row in widths(make_task("mqar", length=8192), number_format("32"), constructions("mqar"))}
    assert {*rows} == {*SHAPES}
    least = {
        Architecture.DELTANET: 12,
        Architecture.GATED_DELTANET: 12,
        Architecture.ELMAN: 129,
        Architecture.GRU: 129,
        Architecture.MAMBA: 4,
    }
    assert {one: rows[one].least for one in least} == least
    assert (rows[Architecture.LSTM].layers, rows[Architecture.LSTM].least) == (17, 4)  # 17 x 2 x 4 = 136
    assert rows[Architecture.RETNET].factor is None
    assert rows[Architecture.DELTANET].factor == 258 / 12


@pytest.mark.parametrize("name", ["mqar", "copy", "equality"])
def test_one_width_less_has_too_little_state_and_what_is_built_is_as_wide(name: str) -> None:
    task, met = make_task(name, length=16), 0
    for row in widths(task, number_format("float32"), constructions(name)):
        step = 4 if SHAPES[row.architecture].shares else 1
        if row.least > step:
            less, enough = (32 * state_numbers(row.architecture, width, row.layers) for width in (row.least - step, row.least))
            assert less < enough
        if row.construction is not None and not row.construction.endswith("-2-64"):
            assert build(row.construction, length=16, arithmetic="float32").sizes()["width"] == row.built
            met += 1
    assert met >= 7


def test_bounds_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bounds", "mqar", "--length", "64"]) == 0
    said = capsys.readouterr().out
    assert "the same as a width, in the shapes that `train` uses" in said
    assert main(["bounds", "mqar", "--length", "64", "--json"]) == 0
    rows = {row["architecture"]: row for row in json.loads(capsys.readouterr().out)["widths"]}
    assert rows["lstm"]["factor"] == rows["lstm"]["built"] / rows["lstm"]["least"]
