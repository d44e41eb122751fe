"""The table of all languages with few states: complete, and every witness searched again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recheck.__main__ import check, main
from recheck.table import minimal_automata
from separatrix.cli.decide import decide
from tests.recheck.forging import reweighted, sealed

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    folder = tmp_path_factory.mktemp("table")
    assert CliRunner().invoke(decide, ["--all", "--states", "2", "--out", str(folder)]).exit_code == 0
    (path,) = folder.glob("*.jsonl.gz")
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def judged(lines: Lines, folder: Path) -> dict[str, Any]:
    path = folder / "table.jsonl"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return check(path)


def of_weights(lines: Lines) -> int:
    return next(i for i, line in enumerate(lines) if "kind" in line)


def counting(lines: Lines) -> int:
    return next(i for i, line in enumerate(lines) if line.get("period"))


def test_there_are_as_many_minimal_automata_as_are_known() -> None:
    """1, 26 and 1054 languages over two letters with at most 1, 2 and 3 states, by a partition of all automata."""
    counts = [sum(1 for moves, _ in minimal_automata(3) if len(moves) <= n) for n in (1, 2, 3)]
    assert counts == [2, 26, 1054]


def test_the_house_s_table_holds(lines: Lines, tmp_path: Path) -> None:
    result = judged(lines, tmp_path)
    assert (result["holds"], result["reason"], result["unjudged"]) == (True, "", [])


CHANGES: dict[str, Callable[[Lines], Lines]] = {
    "a language is left out": lambda lines: [line for i, line in enumerate(lines) if i != counting(lines)],
    "a language stands twice": lambda lines: [*lines, lines[counting(lines)]],
    "weights are left out": lambda lines: [line for i, line in enumerate(lines) if i != of_weights(lines)],
    "a language counts nothing": lambda lines: replaced(lines, counting(lines), period=None),
    "its period is longer": lambda lines: replaced(lines, counting(lines), period={**lines[counting(lines)]["period"], "p": 4}),
    "its blocks change nothing": lambda lines: replaced(lines, counting(lines), period={**lines[counting(lines)]["period"], "x": [2]}),
    "it has twins": lambda lines: replaced(lines, counting(lines), twins=[[0], [1]]),
    "it has convolved twins": lambda lines: replaced(lines, counting(lines), convolved=[[0, 0, 0], [1, 0, 0, 0]]),
    "a letter needs no factor": lambda lines: replaced(lines, counting(lines), factors=[[], []]),
    "weights are of other languages": lambda lines: resealed(lines, languages=lines[of_weights(lines)]["languages"][::-1]),
    "weights say the opposite": lambda lines: [
        line if i != of_weights(lines) else sealed(reweighted(line, "readout.weight", lambda w: [-a for a in w]))
        for i, line in enumerate(lines)
    ],
}


def replaced(lines: Lines, at: int, **fields: Any) -> Lines:
    return [{**line, **fields} if i == at else line for i, line in enumerate(lines)]


def resealed(lines: Lines, **fields: Any) -> Lines:
    return [sealed({**line, **fields}) if i == of_weights(lines) else line for i, line in enumerate(lines)]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_table_is_refused(change: str, lines: Lines, tmp_path: Path) -> None:
    assert judged(CHANGES[change](lines), tmp_path)["holds"] is False


def test_a_sample_says_what_it_left_out(lines: Lines, tmp_path: Path) -> None:
    judged(lines, tmp_path)
    result = check(tmp_path / "table.jsonl", sample=3)
    assert (result["holds"], result["unjudged"]) == (True, [f"all but 3 of {len(lines)} lines"])


def test_a_sample_may_be_asked_for_before_or_after_the_file(lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged(lines, tmp_path)
    path = str(tmp_path / "table.jsonl")
    said = []
    for arguments in (["--sample", "4", path], [path, "--sample", "4"]):
        assert main(arguments) == 0
        said.append(json.loads(capsys.readouterr().out)["results"])
    assert said[0] == said[1]
    assert [one["file"] for one in said[0]] == [path]
