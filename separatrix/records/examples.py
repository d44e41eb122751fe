"""Inputs worth looking at: a few families of each task, small enough to draw."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks import Task
from separatrix.tasks.index_lookup import IndexLookup

SHOWN = 8  # examples of a family, where the task names no better choice


@dataclass(frozen=True)
class Family:
    """Inputs that belong together, each with a short label."""

    name: str
    items: str  # what the labels number: "Place asked for, p"
    inputs: tuple[tuple[str, tuple[int, ...]], ...]


def families(task: Task) -> tuple[Family, ...]:
    """The inputs that a reader can choose from."""
    if isinstance(task, IndexLookup):
        return _every_place(task)
    return tuple(_sampled(task, kind) for kind in task.case_kinds)


def _every_place(task: IndexLookup) -> tuple[Family, ...]:
    """One string asked about at every place, and the strings in which every other symbol is as different as can be."""
    drawn = task.sample(0, 1).row(0)[:-1]
    asked = [(*drawn, task.symbols + p) for p in range(task.length)]
    adverse = task.complement(0, task.length)
    return (
        _numbered("random symbols", "Place asked for, p", asked),
        _numbered("adversarial: all others differ in every bit", "Place asked for, p", [adverse.row(p) for p in range(task.length)]),
    )


def _sampled(task: Task, kind: str) -> Family:
    batch = task.cases(kind, 0, SHOWN)
    return _numbered(kind, "Example", [batch.row(r) for r in range(len(batch.tokens))])


def _numbered(name: str, items: str, inputs: list[tuple[int, ...]]) -> Family:
    return Family(name, items, tuple((str(number), tokens) for number, tokens in enumerate(inputs, 1)))
