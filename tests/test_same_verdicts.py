"""The comparison of `make test-numpy` sees what it must see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.checker.kinds.forgery import edited
from tests.same_verdicts import main

ROW: dict[str, Any] = {
    "file": "c.json", "holds": True, "reason": "agrees", "claim": "right", "strength": "tested", "evidence": [{"count": 3, "margin": 0.5}],
}  # fmt: skip


def compared(tmp_path: Path, *rows: dict[str, Any]) -> int:
    for i, row in enumerate(rows):
        (tmp_path / f"{i}.json").write_text(json.dumps({"results": [row] if row else []}))
    return main([str(tmp_path / f"{i}.json") for i in range(len(rows))])


def test_equal_results_and_margins_apart_by_rounding_are_the_same(tmp_path: Path) -> None:
    assert compared(tmp_path, ROW, ROW, edited(ROW, ("evidence", 0, "margin"), 0.5 + 1e-12)) == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("holds",), False),
        (("reason",), "other"),
        (("claim",), "wrong"),
        (("strength",), "proven"),
        (("evidence",), []),
        (("evidence", 0, "count"), 4),
        (("evidence", 0, "count"), 3.0),
        (("evidence", 0, "margin"), 0.5001),
        (("evidence", 0, "margin"), None),
    ],
)
def test_every_other_difference_is_found(tmp_path: Path, path: tuple[Any, ...], value: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(tmp_path, ROW, ROW, edited(ROW, path, value)) == 1
    assert "1 certificates, 3 settings: 1 differences" in capsys.readouterr().out


def test_nothing_to_compare_and_what_does_not_hold_are_no_success(tmp_path: Path) -> None:
    assert compared(tmp_path, ROW) == 2
    assert compared(tmp_path, {}, {}) == 1
    assert compared(tmp_path, {**ROW, "holds": False}, {**ROW, "holds": False}) == 1
