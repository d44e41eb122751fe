"""Parameters of a user's own task that would replace what every task has."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.tasks import make_task

PROGRAM = """
from dataclasses import dataclass
from separatrix.tasks.programs import DynamicProgram, cell, entry

@dataclass(frozen=True)
class Sums(DynamicProgram):
    NAME: int = 3
    symbols: int = 2

    def states(self):
        return range(1, self.length + 1)

    def needs(self, i):
        return {"before": cell(i - 1), "now": entry(i)}

    def transition(self, before, now):
        return before + now + self.NAME
"""


def written(folder: Path, name: str) -> str:
    (folder / f"{name}.py").write_text(PROGRAM.replace("NAME", name))
    return f"{folder / name}.py:Sums"


@pytest.mark.parametrize("name", ["total", "vocabulary", "sample", "entries"])
def test_a_parameter_with_the_name_of_what_every_task_has_is_refused(name: str, tmp_path: Path) -> None:
    place = written(tmp_path, name)
    for ask in (make_task, build):
        with pytest.raises(BadInput, match=f"a parameter cannot be called '{name}'"):
            ask(place, length=3)


def test_another_name_and_a_new_default_of_a_known_parameter_are_fine(tmp_path: Path) -> None:
    task = make_task(written(tmp_path, "bonus"), length=3)
    assert task.answer((1, 0, 1, 2)) == 3 * 3 + 2
