"""`Drawn`: a picture of an example, one line that explains the answer, and a line for each step where it has steps."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from separatrix.tasks import Task

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """One example of a task as a picture, with a sentence that explains it."""

    picture: Markup
    why: str
    steps: tuple[str, ...] = ()  # what parts of the picture with a `step` show


def words_of(task: Task, tokens: Tokens) -> list[str]:
    """The text of each token."""
    return [task.text([token]) for token in tokens]


def listed(numbers: list[int]) -> str:
    """Numbers as a list in words: `1, 2 and 5`."""
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
