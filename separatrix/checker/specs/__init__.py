"""The tasks, written a second time: each is a spec, which says what its inputs are and what is right.

A certificate names a task. The name is looked up in the table below, so it cannot load anything else.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.seal import Refused
from separatrix.checker.specs.spec import Answer, Case, Choices, Spec, Task, Tokens

__all__ = ["Answer", "Case", "Choices", "Spec", "Tokens", "function", "names", "spec_of"]

LONGEST = 4096  # tokens of an input of a witness
FILES = {  # file -> the tasks in its own table `TASKS`; loaded on first use
    "arithmetic": ("arithmetic",),
    "boolean": ("sparse-threshold", "k-dnf", "k-cnf"),
    "brackets": ("dyck", "dyck-1", "dyck-2", "dyck-next"),
    "circuits": ("circuit",),
    "comparison": ("equality", "eq-random", "eq-one", "eq-ncp", "partition-equality", "intersects"),
    "graphs": ("is-tree",),
    "languages": ("parity", "ones", "an-bn", "regular", "state-tracking"),
    "lookup": ("index-lookup", "copy"),
    "machines": ("turing-machine",),
    "nearest": ("nearest-neighbor",),
    "program_data": ("dynamic-program",),
    "programs": ("reverse-sum", "lis", "edit-distance", "edit-distance-local", "cellular-automaton"),
    "queries": ("index", "recall-next", "c-gram", "counting"),
    "recall": ("associative-recall", "mqar", "latest-recall"),
    "registers": ("state-based-recall",),
    "tables": ("table", "listed"),
}
FILE = {task: file for file, tasks in FILES.items() for task in tasks}


def names() -> frozenset[str]:
    """The tasks that have a spec."""
    return frozenset(FILE)


def function(claim: Any) -> Spec:
    """The spec of a witness, which is about a function: inputs of one length, each with one answer, read at the last token."""
    task = task_of(claim)
    if task.decoder != "position":
        raise Refused(f"claim: {task.name} asks at several positions; a witness is about one answer, read at the last token")
    if task.several_lengths:
        raise Refused(f"claim: a witness is about inputs of one length, found {task.title}")
    within(task.tokens, 1, LONGEST, "tokens")
    return task


def task_of(claim: Any) -> Spec:
    """The spec that a claim names."""
    require_fields(claim, "claim", task=str, parameters=dict)
    return spec_of(claim["task"], claim["parameters"])


def spec_of(task: Any, parameters: Any) -> Spec:
    """The spec of a task at its parameters."""
    if not isinstance(task, str) or task not in FILE:
        raise Refused(f"no spec for the task {task!r:.80}")
    entry: Task = import_module(f"{__name__}.{FILE[task]}").TASKS[task]
    return entry.at(task, parameters)
