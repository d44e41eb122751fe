"""One grammar: MODEL TASK. The other order is understood where one of the two words is the name of a task."""

from __future__ import annotations


def model_and_task(first: str, second: str) -> tuple[str, str]:
    """The model and the task among two words, in either order; as they stand where neither or both could be the task."""
    from separatrix.tasks import TASKS

    return (second, first) if first in TASKS and second not in TASKS else (first, second)
