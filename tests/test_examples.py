"""The recipes of docs/adding.md work as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from separatrix.cli import main

ROOT = Path(__file__).parents[1]
RECIPES = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```\n(.*?)```", RECIPES, re.DOTALL) for line in block.splitlines() if line.startswith("separatrix ")
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_recipes_runs(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err


def test_the_python_of_the_recipes_prints_a_profile_and_a_rank(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", RECIPES, re.DOTALL) if "state_profile" in block]
    exec(compile(code, "adding.md", "exec"), {})
    profile, numbers = capsys.readouterr().out.splitlines()
    # after t of 9 bits the number of ones matters up to 5 and the number of zeros up to 5
    assert profile == "(1, 2, 3, 4, 5, 6, 5, 4, 3, 2)"
    # Alice and Bob hold a and b ones of 3 each and ask whether a + b > 3: three staircase rows that are not zero,
    # and the four pairs a + b = 3 answer no while one of each two crossings answers yes
    assert numbers == "3 4"


def test_there_are_recipes_to_run() -> None:
    assert len(COMMANDS) >= 5
