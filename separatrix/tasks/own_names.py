"""The names of a user's own parameters: those of what every task has would silently replace it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.tasks.task import Task

PACKAGE = __name__.partition(".")[0]


def refuse_taken_names(kind: type[Task], what: str) -> None:
    """Refuse a parameter, say `total`, that is called as an attribute of every task is, and so would be taken for it."""
    ours = [base for base in kind.__mro__[1:] if base.__module__.partition(".")[0] == PACKAGE]
    known = {field.name for base in ours if is_dataclass(base) for field in fields(base)}
    for field in fields(kind):
        if field.name not in known and any(field.name in vars(base) for base in ours):
            raise BadInput(f"{what}: a parameter cannot be called {field.name!r}, as every task has something of that name: rename it")
