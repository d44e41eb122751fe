"""What a shell completes besides commands and options: names of tasks, constructions, studies and models, read when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import click
from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], list[str | CompletionItem]]


def names_in(room: str, registry: str) -> Complete:
    """The names of a registry that begin with what was typed."""

    def complete(context: click.Context, parameter: click.Parameter, typed: str) -> list[str | CompletionItem]:  # noqa: ARG001
        return [name for name in getattr(import_module(room), registry) if name.startswith(typed)]

    return complete


TASK_NAMES = names_in("separatrix.tasks", "TASKS")
CONSTRUCTION_NAMES = names_in("separatrix.constructions", "CONSTRUCTIONS")
STUDY_NAMES = names_in("separatrix.studies", "STUDIES")


def model_or_file(context: click.Context, parameter: click.Parameter, typed: str) -> list[str | CompletionItem]:  # noqa: ARG001
    """Architectures at two layers of width 64, which `separatrix plan` compares, or else a file or folder."""
    from separatrix.models.cost_formulas import SIZED

    names: list[str | CompletionItem] = [
        f"{name}-2-64" for name in SIZED if typed and name.startswith(typed) and not name.startswith("hybrid")
    ]
    return names or [CompletionItem(typed, type="file")]
