"""At which parameters each task is drawn, counted and audited: small enough to look at, large enough to say something."""

from __future__ import annotations

import shlex
from typing import Any

from separatrix.parameters import parameters
from separatrix.tasks import Task, make_task

AUDITED, DRAWN, COUNTED, BOUNDED = 20, 8, 12, 1000  # lengths, where nothing else is said

NEEDED: dict[str, dict[str, Any]] = {  # parameters without a default
    "regular": {"language": "(ab)*"},
    "function": {"function": "separatrix.atlas.palindrome:palindrome"},
}
DRAWN_AT: dict[str, dict[str, Any]] = {
    "index-lookup": {"symbols": 16},
    "associative-recall": {"length": 4},
    "mqar": {"length": 6},
    "nearest-neighbor": {"length": 5, "dimension": 5, "gamma": 0.3},
    "dyck": {"length": 10},
    "eq-one": {"symbols": 16},
    "eq-ncp": {"symbols": 16},
    "intersects": {"length": 12},
    "sparse-threshold": {"length": 6, "k": 2},
    "k-dnf": {"length": 6, "k": 2},
    "k-cnf": {"length": 6, "k": 2},
    "dyck-1": {"length": 10},
    "dyck-2": {"length": 10},
    "dyck-2-next": {"length": 9},
    "function": {"length": 7},
}
COUNTED_AT: dict[str, dict[str, Any]] = {
    "index-lookup": {"length": 6, "symbols": 4},
    "associative-recall": {"length": 6},
    "mqar": {"length": 8},
    "nearest-neighbor": {"length": 5, "dimension": 2, "gamma": 1.0},
    "sparse-threshold": {"length": 10},
    "k-dnf": {"length": 10},
    "k-cnf": {"length": 10},
    "dyck-2": {"length": 8},
    "dyck-2-next": {"length": 8},
    "function": {"length": 10},
}
SEVERAL = ("eq-ncp",)  # several tokens are scored, and a profile counts one answer at the end
AUDITED_AT: dict[str, dict[str, Any]] = {"function": {"length": 8}}  # longer palindromes are too rare to meet


def drawn_task(name: str) -> Task:
    """The task whose examples are drawn."""
    return make_task(name, **{"length": DRAWN, **NEEDED.get(name, {}), **DRAWN_AT.get(name, {})})


def counted_task(name: str) -> Task:
    """The task whose states are counted."""
    return make_task(name, **{"length": COUNTED, **NEEDED.get(name, {}), **COUNTED_AT.get(name, {})})


def audited_task(name: str) -> Task:
    """The task whose data are audited."""
    return make_task(name, **{"length": AUDITED, **NEEDED.get(name, {}), **AUDITED_AT.get(name, {})})


def bounded_task(name: str) -> Task:
    """The task at the length at which bounds are put into numbers."""
    return make_task(name, **{"length": BOUNDED, **NEEDED.get(name, {})})


def settings_of(task: Task) -> list[tuple[str, Any]]:
    """The parameters of a task as they are shown, N first, without those that are left open."""
    return [("N" if key == "length" else key, value) for key, value in task.parameters.items() if value not in (None, "", ())]


def command_of(verb: str, task: Task, more: str = "") -> str:
    """The command line that does something with this very task."""
    defaults = parameters_with_defaults(task)
    words = ["separatrix", verb, task.name, "--length", str(task.length)]
    for key, value in task.parameters.items():
        if key != "length" and value != defaults.get(key):
            words += ["--set", f"{key}={value}"]
    return shlex.join(words) + more


def parameters_with_defaults(task: Task) -> dict[str, Any]:
    """The defaults of a task's parameters."""
    return {name: parameter.default for name, parameter in parameters(type(task)).items() if not parameter.required}
