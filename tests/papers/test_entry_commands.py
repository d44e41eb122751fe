"""Every command that an entry names is run: `separatrix` lines here, `pytest` lines by the tests that they name."""

from __future__ import annotations

import ast
import shlex
from pathlib import Path

import pytest

from separatrix.cli import main
from separatrix.papers import Entry, statements

ROOT = Path(__file__).parents[2]
WITH_COMMAND = [e for s in statements() for e in s.entries if e.command]
SHOWN: dict[str, set[str]] = {}
for one in WITH_COMMAND:
    if one.command.startswith("separatrix "):
        SHOWN.setdefault(one.command, set()).add(one.shows)


def test_a_command_is_a_line_of_separatrix_or_of_pytest() -> None:
    assert [e.command for e in WITH_COMMAND if e.command.split()[0] not in ("separatrix", "pytest")] == []
    assert len(SHOWN) >= 15


@pytest.mark.parametrize("command", sorted(SHOWN))
def test_the_command_prints_what_the_entry_says(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(shlex.split(command)[1:])
    printed = capsys.readouterr()
    text = " ".join((printed.out if code == 0 else printed.err).split())
    assert code in (0, 2)  # 2: the entry shows a refusal, whose reason it names
    assert [shows for shows in SHOWN[command] if shows not in text] == []


@pytest.mark.parametrize("entry", [e for e in WITH_COMMAND if e.command.startswith("pytest ")], ids=lambda e: e.command[-60:])
def test_the_test_that_an_entry_names_exists(entry: Entry) -> None:
    file, _, name = entry.command.removeprefix("pytest ").partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
