"""The page about what is trusted says how many lines that is, and is held to it."""

from __future__ import annotations

import re
from pathlib import Path

from separatrix.checker.lines import parts

PAGE = (Path(__file__).parents[2] / "docs" / "trust.md").read_text()
ROWS = {"numbers": "numbers/", "forward pass": "models/", "mixers": "models/mixers/", "rules of proofs": "replay/"}
NEAR = 0.15  # the page is right to 15 %, so that one more mixer or spec does not change it


def stated(folder: str) -> int:
    (row,) = re.findall(rf"\| `separatrix/checker/{folder}` \| ([0-9,]+) \|", PAGE)
    return int(row.replace(",", ""))


def near(said: int, counted: int) -> bool:
    return abs(said - counted) <= NEAR * counted


def test_the_table_has_the_lines_of_every_part() -> None:
    counted = {part: sum(files.values()) for part, files in parts().items()}
    for part, folder in ROWS.items():
        assert near(stated(folder), counted[part]), (part, counted[part])
    assert near(stated("specs/"), counted["specs of tasks"] + counted["forms of tasks"])
    assert near(stated("kinds/"), counted["kinds of certificates"])
    assert near(stated(""), counted["documents, plan, sentences"])


def test_no_mixer_has_more_than_eighty_lines() -> None:
    mixers = parts()["mixers"]
    assert len(mixers) > 15
    assert max(mixers.values()) <= 80
