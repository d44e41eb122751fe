"""The rule `lookup` in boxes, at sizes where inputs cannot be enumerated."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from separatrix import build, verify
from tests.recheck.forging import reweighted, verdict


@cache
def certificate(name: str, length: int, address: str) -> str:
    return verify(build(name, length=length, symbols=8, address=address)).to_json()


@pytest.mark.parametrize(
    ("name", "length", "address"), [("index-lookup", 64, "code"), ("index-lookup", 300, "quadratic"), ("copy", 16, "code")]
)
def test_all_inputs_are_shown_at_once(name: str, length: int, address: str, tmp_path: Path) -> None:
    result = verdict(json.loads(certificate(name, length, address)), tmp_path)
    assert (result["holds"], result["strength"], result["reason"]) == (True, "proven", "")


def honest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(certificate("index-lookup", 64, "code"))
    return found


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_a_softer_head_is_not_accepted(share: float, tmp_path: Path) -> None:
    softer = reweighted(honest(), "layers.0.mixer.query", lambda numbers: [share * number for number in numbers])
    assert verdict(softer, tmp_path)["holds"] is not True


def test_a_head_that_looks_away_is_refused(tmp_path: Path) -> None:
    away = reweighted(honest(), "layers.0.mixer.query", lambda numbers: [-number for number in numbers])
    assert verdict(away, tmp_path)["holds"] is False


def test_one_symbol_that_reads_as_its_neighbour_is_not_accepted(tmp_path: Path) -> None:
    """No drawn input has to contain it: only the boxes show it."""
    forged = honest()
    width, symbol = forged["program"]["model"]["width"], 5
    twins = reweighted(
        forged,
        "embedding.table",
        lambda numbers: numbers[: symbol * width] + numbers[:width] + numbers[(symbol + 1) * width :],
    )
    assert verdict(twins, tmp_path)["holds"] is not True
