"""The audit of a task's data: balance of labels, repeated examples, a second solver, and how far shortcuts get.

A task lists its known leaks in `known_leaks`; the audit measures them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from separatrix.errors import BadInput
from separatrix.tasks.audit.shortcuts import Cases, cases, shortcuts
from separatrix.tasks.capabilities import second_solver
from separatrix.tasks.next_symbol import NextSymbol
from separatrix.tasks.task import Answer, Batch, Task

LABELS = 16  # labels listed in the balance; rarer ones are added up


def audit(task: Task, count: int = 1000, seed: int = 0) -> dict[str, Any]:
    """Two samples of `count` examples, under `seed` and the next one: shortcuts are fitted on the first and scored on the second.

    `duplicates` counts examples of the second sample that also occur in the first. `disagreements` counts examples of either whose label
    differs from the oracle's answer, or on which the oracle and the second solver disagree; the first one is the `counterexample`.
    """
    if count < 2:
        raise BadInput(f"audit: count must be at least 2, found {count}")
    fitted, scored = task.sample(seed, count), task.sample(seed + 1, count)
    met = {fitted.row(r) for r in range(count)}
    wrong = [case for batch in (fitted, scored) for case in _disagreements(task, batch)]
    first, second = cases(fitted), cases(scored)
    return {
        "task": task.name,
        "parameters": task.parameters,
        "examples": count,
        "seeds": [seed, seed + 1],
        "balance": _balance(task, first),
        "duplicates": sum(scored.row(r) in met for r in range(count)),
        "disagreements": len(wrong),
        "counterexample": wrong[0] if wrong else None,
        "second_solver": second_solver(task) is not None,
        "shortcuts": shortcuts(task, first, second),
    }


def _disagreements(task: Task, batch: Batch) -> list[dict[str, Any]]:
    wrong, solver = [], second_solver(task)
    for r in range(len(batch.tokens)):
        row, target = batch.row(r), batch.answer(r)
        answer = task.answer(row)
        other = solver(row) if solver is not None and answer is not None else answer
        if other != answer or not _label_agrees(task, target, answer):
            wrong.append({"tokens": list(row), "text": task.text(row), "target": target, "answer": answer, "second": other})
    return wrong


def _label_agrees(task: Task, target: Answer, answer: Answer | None) -> bool:
    """The target is the answer; in next-symbol tasks the last drawn symbol is among those that the answer allows."""
    if isinstance(task, NextSymbol):
        last = target[-1] if isinstance(target, tuple) else target
        return isinstance(answer, tuple) and last in answer
    return target == answer


def _balance(task: Task, cases: Cases) -> dict[str, float]:
    """The share of each label, the most frequent first."""
    counted = Counter(cases.labels.tolist())
    shares = {task.target_text(label): round(n / counted.total(), 4) for label, n in counted.most_common(LABELS)}
    rest = counted.total() - sum(n for _, n in counted.most_common(LABELS))
    return shares | ({"(others)": round(rest / counted.total(), 4)} if rest else {})
