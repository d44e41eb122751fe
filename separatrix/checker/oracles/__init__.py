"""The tasks, written a second time: one file for each, named after the task, which ends in a class `Oracle`.

A certificate names a task. The name is looked up among the files of this folder, so nothing else can be loaded by it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from separatrix.checker.oracles.forms.task_oracle import Answer, Case, TaskOracle, Tokens
from separatrix.checker.seal import Refused

__all__ = ["Answer", "Case", "TaskOracle", "Tokens", "names", "oracle"]

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@cache
def names() -> frozenset[str]:
    """The tasks that have an oracle."""
    return frozenset(module.name.replace("_", "-") for module in iter_modules(__path__) if not module.ispkg)


def oracle(task: Any, parameters: Any) -> TaskOracle:
    """The oracle of a task at its parameters."""
    if not isinstance(task, str) or not NAME.fullmatch(task) or task not in names():
        raise Refused(f"no oracle for the task {task!r:.80}")
    made: TaskOracle = import_module(f"{__name__}.{task.replace('-', '_')}").Oracle(parameters)
    return made
