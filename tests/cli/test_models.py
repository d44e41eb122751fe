"""The list of architectures, and a mixer of one's own measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.cli import main
from tests.cli.calling import answer, refusal

MIXER = """
from torch import nn

class Last(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.out = nn.Linear(width, width)

    def forward(self, x):
        return self.out(x)
"""


def test_what_is_cited_is_a_statement_and_not_a_shape(capsys: pytest.CaptureFixture[str]) -> None:
    cited = {row["name"]: row["cites"] for row in answer(capsys, "models")["models"]}
    assert cited["user"] == ""
    assert cited["transformer"] == "bhattamishra2024 Section 2(1)"


def test_the_state_of_a_mixer_without_a_step_is_unknown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MIXER)
    place = f"{tmp_path / 'mine.py'}:Last"
    measured = answer(capsys, "models", place)
    assert (measured["state_bits"], measured["operations_per_token"], measured["regular"]) == (None, None, None)
    assert main(["models", place]) == 0
    assert "state bits            M = unknown after 1,000 tokens" in capsys.readouterr().out
    assert "the size of the state of mixer Last is unknown: give it step(state, x)" in refusal(capsys, "state", place, "--length", "10")
