"""What a shell completes besides commands and options: names of tasks, constructions and studies, read when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import click

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def names_in(room: str, registry: str) -> Complete:
    """The names of a registry that begin with what was typed."""

    def complete(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:  # noqa: ARG001
        return [name for name in getattr(import_module(room), registry) if name.startswith(typed)]

    return complete


TASK_NAMES = names_in("separatrix.tasks", "TASKS")
CONSTRUCTION_NAMES = names_in("separatrix.constructions", "CONSTRUCTIONS")
STUDY_NAMES = names_in("separatrix.studies", "STUDIES")
