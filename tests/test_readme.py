"""The README's first screen is true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from separatrix.cli import COMMANDS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_code_prints_what_the_readme_says() -> None:
    code, printed = re.findall(r"```(?:python)?\n(.*?)```", README, re.DOTALL)[:2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed


def test_every_command_in_the_table_exists() -> None:
    named = set(re.findall(r"`separatrix ([a-z]+)", README))
    assert len(named) > 12
    assert named <= set(COMMANDS)


def test_every_file_that_is_linked_exists() -> None:
    root = Path(__file__).parents[1]
    for path in re.findall(r"\]\(([^)#:]+)\)|`(docs/[a-z./-]+)`", README):
        assert (root / (path[0] or path[1])).exists(), path
