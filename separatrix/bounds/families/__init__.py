"""Proven bounds of each task, one file per family of tasks; the table only maps a task's name to its facts."""

from __future__ import annotations

from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds
from separatrix.naming import find
from separatrix.tasks import Task, is_of_the_package

BOUNDS = {
    "index-lookup": "separatrix.bounds.families.index_lookup:INDEX_LOOKUP",
    "equality": "separatrix.bounds.families.equality:EQUALITY",
    "eq-random": "separatrix.bounds.families.equality:EQ_RANDOM",
    "eq-one": "separatrix.bounds.families.equality:EQ_ONE",
    "eq-ncp": "separatrix.bounds.families.equality:EQ_NCP",
    "partition-equality": "separatrix.bounds.families.partition_equality:PARTITION_EQUALITY",
    "intersects": "separatrix.bounds.families.intersects:INTERSECTS",
    "associative-recall": "separatrix.bounds.families.recall:ASSOCIATIVE_RECALL",
    "mqar": "separatrix.bounds.families.recall:MQAR",
    "latest-recall": "separatrix.bounds.families.latest_recall:LATEST_RECALL",
    "state-based-recall": "separatrix.bounds.families.state_based_recall:STATE_BASED_RECALL",
    "nearest-neighbor": "separatrix.bounds.families.nearest_neighbor:NEAREST_NEIGHBOR",
    "parity": "separatrix.bounds.families.parity:PARITY",
    "dyck": "separatrix.bounds.families.dyck:DYCK",
    "copy": "separatrix.bounds.families.copying:COPY",
    "index": "separatrix.bounds.families.queries:INDEX",
    "counting": "separatrix.bounds.families.queries:COUNTING",
    "recall-next": "separatrix.bounds.families.queries:RECALL_NEXT",
    "c-gram": "separatrix.bounds.families.queries:C_GRAM",
    "is-tree": "separatrix.bounds.families.queries:IS_TREE",
    "regular": "separatrix.bounds.families.regular:REGULAR",
    "state-tracking": "separatrix.bounds.families.state_tracking:STATE_TRACKING",
    "reverse-sum": "separatrix.bounds.families.chains:REVERSE_SUM",
    "lis": "separatrix.bounds.families.chains:LIS",
    "edit-distance": "separatrix.bounds.families.chains:EDIT_DISTANCE",
    "edit-distance-local": "separatrix.bounds.families.chains:EDIT_DISTANCE_LOCAL",
    "arithmetic": "separatrix.bounds.families.chains:ARITHMETIC",
}

__all__ = ["BOUNDS", "ClosedForm", "TaskBounds", "form_of", "known_bounds"]


def known_bounds(task: Task) -> TaskBounds:
    """The facts about a task; none for a task outside the package."""
    return _facts(task.name) if is_of_the_package(task) else TaskBounds()


def form_of(task: str) -> ClosedForm | None:
    """The closed form of a task of the package by name, if there is one."""
    return _facts(task).form


def _facts(task: str) -> TaskBounds:
    facts: TaskBounds = find(task, BOUNDS, "task with bounds") if task in BOUNDS else TaskBounds()
    return facts
