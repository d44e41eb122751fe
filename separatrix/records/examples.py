"""Example inputs to show: a few families of each task, small enough to draw."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks import Task
from separatrix.tasks.index_lookup import IndexLookup

SHOWN = 3  # examples per family, unless the task has a better choice


@dataclass(frozen=True)
class Family:
    """Inputs that belong together, each with a short label."""

    name: str
    items: str  # what the labels count: "Queried place, p"
    inputs: tuple[tuple[str, tuple[int, ...]], ...]


def families(task: Task) -> tuple[Family, ...]:
    """The inputs offered to the reader."""
    if isinstance(task, IndexLookup):
        return _every_place(task)
    return tuple(_sampled(task, kind) for kind in task.case_kinds)


def _every_place(task: IndexLookup) -> tuple[Family, ...]:
    """One string queried at every place, and the strings in which all other symbols differ as much as possible."""
    drawn = task.sample(0, 1).row(0)[:-1]
    queries = [(*drawn, task.symbols + p) for p in range(task.length)]
    adverse = task.complement(0, task.length)
    return (
        _numbered("random symbols", "Queried place, p", queries),
        _numbered("adversarial: all others differ in every bit", "Queried place, p", [adverse.row(p) for p in range(task.length)]),
    )


def _sampled(task: Task, kind: str) -> Family:
    batch = task.cases(kind, 0, SHOWN)
    return _numbered(kind, "Example", [batch.row(r) for r in range(len(batch.tokens))])


def _numbered(name: str, items: str, inputs: list[tuple[int, ...]]) -> Family:
    return Family(name, items, tuple((str(number), tokens) for number, tokens in enumerate(inputs, 1)))
