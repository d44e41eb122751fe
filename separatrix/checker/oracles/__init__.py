"""The tasks, written a second time: one file for each, named after the task, which ends in a class `Oracle`.

A certificate names a task. The name is looked up among the files of this folder, so it cannot load anything else.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.task_oracle import Answer, Case, TaskOracle, Tokens
from separatrix.checker.seal import Refused

__all__ = ["Answer", "Case", "TaskOracle", "Tokens", "function", "names", "oracle"]

LONGEST = 4096  # tokens of an input of a witness
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@cache
def names() -> frozenset[str]:
    """The tasks that have an oracle."""
    return frozenset(module.name.replace("_", "-") for module in iter_modules(__path__) if not module.ispkg)


def function(claim: Any) -> TaskOracle:
    """The oracle of a witness, which is about a function: inputs of one length, each with one answer, read at the last token."""
    require_fields(claim, "claim", task=str, parameters=dict)
    task = oracle(claim["task"], claim["parameters"])
    if task.decoder != "position":
        raise Refused(f"claim: {task.name} asks at several positions; a witness is about one answer, read at the last token")
    if task.several_lengths:
        raise Refused(f"claim: a witness is about inputs of one length, found {task.title}")
    within(task.tokens, 1, LONGEST, "tokens")
    return task


def oracle(task: Any, parameters: Any) -> TaskOracle:
    """The oracle of a task at its parameters."""
    if not isinstance(task, str) or not NAME.fullmatch(task) or task not in names():
        raise Refused(f"no oracle for the task {task!r:.80}")
    instance: TaskOracle = import_module(f"{__name__}.{task.replace('-', '_')}").Oracle(parameters)
    return instance
