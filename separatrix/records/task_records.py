"""What is computed of a task: a few examples of every family, the states it needs, its bounds in numbers, and the audit of its data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.bounds.states.profile import ceil_log2
from separatrix.records.task_choices import audited_task, bounded_task, counted_task, drawn_task
from separatrix.tasks import Task
from separatrix.tasks.audit.audit import audit

EXAMPLES, DRAWN_FROM = 4, 64  # of each family, and how many are looked through so that different answers come up
AUDITED = 1000  # examples of each of two seeds
PRECISION = 32  # bits of a number, for bounds on widths


def task_record(name: str) -> dict[str, Any]:
    """Everything that the page of a task shows and that takes computing."""
    drawn, counted, bounded, audited = drawn_task(name), counted_task(name), bounded_task(name), audited_task(name)
    return {
        "examples": {"parameters": drawn.parameters, "families": {kind: examples(drawn, kind) for kind in drawn.case_kinds}},
        "states": {"parameters": counted.parameters, "profile": states(counted)},
        "bounds": {"parameters": bounded.parameters, "precision": PRECISION, "rows": bounds(bounded)},
        "audit": {"parameters": audited.parameters, "report": audit(audited, AUDITED)},
    }


def examples(task: Task, kind: str) -> list[list[int]]:
    """The first examples of a family, taking turns between the answers that come up."""
    batch = task.cases(kind, 0, DRAWN_FROM)
    rows = list(dict.fromkeys(batch.row(r) for r in range(len(batch.tokens))))
    seen: Counter[Any] = Counter()
    turn = {}
    for row in rows:
        answer = task.answer(row)
        turn[row] = seen[answer]
        seen[answer] += 1
    return [list(row) for row in sorted(rows, key=lambda row: turn[row])[:EXAMPLES]]  # stable: within a turn in the order they were drawn


def states(task: Task) -> dict[str, Any]:
    """Bits after each token, at least and known to suffice."""
    profile = task_profile(task)
    return {
        "bits": profile.bits,
        "bits_at": list(profile.bits_at),
        "suffice_at": [ceil_log2(count) for count in profile.classes_upper],
        "method": profile.method,
    }


def bounds(task: Task) -> list[dict[str, Any]]:
    """Lower bounds in numbers."""
    shown = ("architecture", "quantity", "value", "formula", "cites", "tight", "deterministic_only", "caveat")
    return [{name: getattr(bound, name) for name in shown} for bound in bounds_for(task, PRECISION)]
