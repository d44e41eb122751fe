"""The record of a task: a few examples of every family, the states it needs, and the audit of its data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from separatrix.bits import ceil_log2
from separatrix.bounds.limits import task_profile
from separatrix.records.task_choices import audited_task, counted_task, drawn_task
from separatrix.tasks import Task
from separatrix.tasks.audit.audit import audit

EXAMPLES, DRAWN_FROM = (
    2,
    64,
)  # per family, one for each answer where there are two, and how many are searched so that different answers occur
AUDITED = 1000  # examples per seed, of two seeds


def task_record(name: str) -> dict[str, Any]:
    """Everything on the page of a task that has to be computed."""
    drawn, counted, audited = drawn_task(name), counted_task(name), audited_task(name)
    return {
        "examples": {"parameters": drawn.parameters, "families": {kind: examples(drawn, kind) for kind in drawn.case_kinds}},
        "states": {"parameters": counted.parameters, "profile": states(counted)},
        "audit": {"parameters": audited.parameters, "report": audit(audited, AUDITED)},
    }


def examples(task: Task, kind: str) -> list[list[int]]:
    """The first examples of a family, alternating between the answers that occur."""
    batch = task.cases(kind, 0, DRAWN_FROM)
    rows = list(dict.fromkeys(batch.row(r) for r in range(len(batch.tokens))))
    met: Counter[Any] = Counter()
    turn = {}
    for row in rows:
        answer = task.answer(row)
        turn[row] = met[answer]
        met[answer] += 1
    return [list(row) for row in sorted(rows, key=lambda row: turn[row])[:EXAMPLES]]  # stable: within a round in the order of drawing


def states(task: Task) -> dict[str, Any]:
    """Bits after each token: necessary, and known to suffice."""
    profile = task_profile(task)
    return {
        "bits": profile.bits,
        "bits_at": list(profile.bits_at),
        "suffice_at": [ceil_log2(count) for count in profile.classes_upper],
        "method": profile.method,
    }
