"""Tasks: exact oracles and counter-based samplers. No torch in this room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separatrix.errors import BadInput
from separatrix.naming import find
from separatrix.parameters import typed
from separatrix.tasks.own_names import refuse_taken_names
from separatrix.tasks.task import Batch, Task

TASKS = {
    "index-lookup": "separatrix.tasks.index_lookup:IndexLookup",
    "associative-recall": "separatrix.tasks.associative_recall:AssociativeRecall",
    "mqar": "separatrix.tasks.mqar:Mqar",
    "latest-recall": "separatrix.tasks.latest_recall:LatestRecall",
    "state-based-recall": "separatrix.tasks.state_based_recall:StateBasedRecall",
    "nearest-neighbor": "separatrix.tasks.nearest_neighbor:NearestNeighbor",
    "dyck": "separatrix.tasks.dyck:Dyck",
    "equality": "separatrix.tasks.equality:Equality",
    "eq-random": "separatrix.tasks.equality:EqRandom",
    "eq-one": "separatrix.tasks.equality:EqOne",
    "eq-ncp": "separatrix.tasks.equality:EqNcp",
    "copy": "separatrix.tasks.copying:Copy",
    "partition-equality": "separatrix.tasks.partition_equality:PartitionEquality",
    "intersects": "separatrix.tasks.intersects:Intersects",
    "sparse-threshold": "separatrix.tasks.sparse_threshold:SparseThreshold",
    "k-dnf": "separatrix.tasks.normal_forms:KDnf",
    "k-cnf": "separatrix.tasks.normal_forms:KCnf",
    "parity": "separatrix.tasks.parity:Parity",
    "dyck-1": "separatrix.tasks.dyck_languages:Dyck1",
    "dyck-2": "separatrix.tasks.dyck_languages:Dyck2",
    "parity-next": "separatrix.tasks.next_symbol:ParityNext",
    "dyck-2-next": "separatrix.tasks.next_symbol:Dyck2Next",
    "dyck-next": "separatrix.tasks.dyck_next:DyckNext",
    "ones": "separatrix.tasks.counter_languages:Ones",
    "an-bn": "separatrix.tasks.counter_languages:AnBn",
    "index": "separatrix.tasks.index:Index",
    "recall-next": "separatrix.tasks.recall_next:RecallNext",
    "c-gram": "separatrix.tasks.c_gram:CGram",
    "counting": "separatrix.tasks.counting:Counting",
    "circuit": "separatrix.tasks.circuit:Circuit",
    "is-tree": "separatrix.tasks.is_tree:IsTree",
    "turing-machine": "separatrix.tasks.turing_machine:TuringMachine",
    "regular": "separatrix.tasks.regular:Regular",
    "state-tracking": "separatrix.tasks.state_tracking:StateTracking",
    "function": "separatrix.tasks.function:Function",
    "reverse-sum": "separatrix.tasks.reverse_sum:ReverseSum",
    "lis": "separatrix.tasks.lis:Lis",
    "lis-chain": "separatrix.tasks.lis_chain:LisChain",
    "edit-distance": "separatrix.tasks.edit_distance:EditDistance",
    "edit-distance-chain": "separatrix.tasks.edit_distance_chain:EditDistanceChain",
    "edit-distance-local": "separatrix.tasks.edit_distance_local:EditDistanceLocal",
    "edit-distance-local-chain": "separatrix.tasks.edit_distance_local_chain:EditDistanceLocalChain",
    "cellular-automaton": "separatrix.tasks.cellular_automaton:CellularAutomaton",
    "arithmetic": "separatrix.tasks.arithmetic:Arithmetic",
}

__all__ = ["TASKS", "Batch", "Task", "is_a", "is_of_the_package", "make_task", "task_at", "task_class"]


def task_class(name: str) -> type[Task]:
    """The class of a task: by name, or the user's own as file.py:Name."""
    kind = find(name, TASKS, "task")
    if not (isinstance(kind, type) and issubclass(kind, Task)):
        raise BadInput(f"{name!r} is not a task: expected a class derived from separatrix.tasks.Task")
    if name not in TASKS:
        refuse_taken_names(kind, name)
    return kind


def make_task(name: str, **chosen: Any) -> Task:
    """A task by name; parameters are values or text."""
    kind = task_class(name)
    return kind(**typed(kind, chosen, f"task {name}"))


def is_of_the_package(task: Task) -> bool:
    """Whether a task is the package's own task of that name; a user's task may have any name."""
    return task.name in TASKS and type(task) is task_class(task.name)


def is_a(task: Task, name: str) -> bool:
    """Whether a task is of the package's class of this name, or of one derived from it; loads no other task."""
    return any(f"{kind.__module__}:{kind.__name__}" == TASKS[name] for kind in type(task).__mro__)


def task_at(name: str, settings: Mapping[str, Any]) -> Task:
    """A task at one of its own sizes (`drawn_at`, `counted_at`, ..), with stand-ins for parameters that have no default."""
    return make_task(name, **{**task_class(name).stand_ins, **settings})
