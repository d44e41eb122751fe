"""The tasks at their own sizes: drawn, counted, audited and bounded."""

from __future__ import annotations

import shlex
from typing import Any

from separatrix.parameters import parameters
from separatrix.tasks import Task, task_at, task_class


def drawn_task(name: str) -> Task:
    """The task whose examples are drawn."""
    return task_at(name, task_class(name).drawn_at)


def counted_task(name: str) -> Task:
    """The task whose states are counted."""
    return task_at(name, task_class(name).counted_at)


def audited_task(name: str) -> Task:
    """The task whose data are audited."""
    return task_at(name, task_class(name).audited_at)


def bounded_task(name: str) -> Task:
    """The task whose bounds are evaluated."""
    return task_at(name, task_class(name).bounded_at)


def settings_of(task: Task) -> list[tuple[str, Any]]:
    """The parameters of a task for display, N first, without those that are unset."""
    return [("N" if key == "length" else key, value) for key, value in task.parameters.items() if value not in (None, "", ())]


def command_of(verb: str, task: Task) -> str:
    """The command line for exactly this task."""
    defaults = left_open(task)
    words = ["separatrix", verb, task.name, "--length", str(task.length)]
    for key, value in task.parameters.items():
        if key != "length" and value != defaults.get(key):
            asked = getattr(task, key, value)  # a language by its name in the gallery, a machine by its file
            words += ["--set", f"{key}={asked if isinstance(asked, str) else value}"]
    return shlex.join(words)


def left_open(task: Task) -> dict[str, Any]:
    """Default parameter values at this length, with named texts resolved."""
    required = {name: task.parameters[name] for name, parameter in parameters(type(task)).items() if parameter.required}
    return {name: value for name, value in type(task)(**required).parameters.items() if name not in required}
