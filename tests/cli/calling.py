"""The command line as tests call it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from separatrix.cli import main


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """The JSON document that a command prints."""
    assert main([*arguments, "--json"]) == code
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a command prints for bad input, and nothing else."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    return line.removeprefix("separatrix: ")
