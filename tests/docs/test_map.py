"""The map of the house is true: every room has its row, and every file that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "separatrix"
PAGE = (ROOT / "docs" / "map.md").read_text(encoding="utf-8")
NAMED = sorted({name for name in re.findall(r"`([\w/.<>]+(?:/|\.py|\.md))`", PAGE) if name})


def places(name: str) -> list[Path]:
    """What a name of the page may stand for: in a room, in the package or beside it; <task> stands for any file."""
    pattern = re.sub(r"<\w+>", "*", name)
    rooms = [path for path in PACKAGE.iterdir() if path.is_dir()]
    return [path for folder in (ROOT, ROOT / "docs", PACKAGE, *rooms) for path in folder.glob(pattern)]


def test_every_room_has_a_row_and_there_is_no_other() -> None:
    rows = [line.split("|")[1] for line in PAGE.split("## Which file")[0].splitlines() if line.startswith("| `")]
    rooms = {name.strip("/") for row in rows for name in re.findall(r"`([\w/.]+)`", row)}
    there = {path.name for path in PACKAGE.iterdir() if not path.name.startswith("__")}
    assert rooms == there


@pytest.mark.parametrize("name", NAMED)
def test_what_the_map_names_is_there(name: str) -> None:
    assert places(name), name


def test_it_fits_on_a_page() -> None:
    assert len(PAGE.splitlines()) <= 80
