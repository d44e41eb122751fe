"""What a drawing of an example is: a picture, and one line that says why the answer is what it is."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from separatrix.tasks import Task

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """One example."""

    picture: Markup
    why: str


def words_of(task: Task, tokens: Tokens) -> list[str]:
    """How each token reads."""
    return [task.text([token]) for token in tokens]


def listed(numbers: list[int]) -> str:
    """1, 2 and 5."""
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
