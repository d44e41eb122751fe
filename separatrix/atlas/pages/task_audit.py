"""The audit of a task's data on its page: labels, repeats, a second solver, shortcuts, and the known leaks in words."""

from __future__ import annotations

from typing import Any

from separatrix.atlas.page import Section
from separatrix.records.task_choices import audited_task, command_of, settings_of
from separatrix.tasks.audit.shortcuts import leaking

SHOWN_LABELS = 6

SHORTCUTS = {  # what each shortcut reads
    "majority": "nothing: the most frequent label",
    "length": "the number of tokens",
    "first-symbols": "the first three tokens",
    "last-symbols": "the last three tokens",
    "distinct-symbols": "how many different symbols occur",
    "odd-counts": "how many symbols occur an odd number of times",
    "open-count": "how many brackets open",
    "symbol-count": "how often one symbol occurs, the best one",
    "bag-of-symbols": "counts of all symbols and their products, least squares",
}


def audit_section(name: str, record: dict[str, Any]) -> Section:
    """The section with the audit, at a modest length."""
    task, report = audited_task(name), record["report"]
    shares = list(report["balance"].items())
    content = {
        "settings": settings_of(task),
        "audit": report,
        "shares": shares[:SHOWN_LABELS],
        "other_labels": len(shares) - SHOWN_LABELS,
        "shortcuts": shortcut_rows(report["shortcuts"]),
        "leaks": task.known_leaks,
        "command": command_of("audit", task),
    }
    return Section("audit", "Audit of the data", "task_audit.html", content, short="Audit")


def shortcut_rows(accuracies: dict[str, float]) -> list[dict[str, Any]]:
    """Every shortcut, what it reads, its accuracy, and whether it is a leak."""
    leaks = leaking(accuracies)
    return [{"name": key, "looks": SHORTCUTS[key], "accuracy": value, "leaks": key in leaks} for key, value in accuracies.items()]
