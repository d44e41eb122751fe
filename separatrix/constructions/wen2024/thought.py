"""How a construction answers: each has one way to think, and refuses a task that asks for another."""

from __future__ import annotations

from separatrix.errors import BadInput
from separatrix.tasks import Task


def need_thought(task: Task, thought: str) -> None:
    """Refuse a task that is answered in another way."""
    found = task.parameters["thought"]
    if found != thought:
        raise BadInput(f"{task.name}: this construction answers with thought={thought}, found thought={found}")
