"""A task of one's own as a table: where its inputs are few, the claim holds them all with their answers, and the checker runs them all."""

from __future__ import annotations

import math
from itertools import islice, product
from typing import Any

from separatrix.tasks import Task

INPUTS, MOST_INPUTS = 1 << 16, 1 << 20  # of a table within the usual budget, and within any
ENTRIES = 1 << 21  # with those outside the promise


def table_of(task: Task, inputs: int = INPUTS) -> dict[str, Any] | None:
    """The claim `listed` about all inputs of full length; None where they are too many, or are not answered by one id at the last token."""
    listed = _listed(task, inputs)
    if not listed or not task.scored_at_end:
        return None
    answers = {tokens: task.answer(tokens) for tokens in listed}
    sizes = {len(tokens) for tokens in listed}
    if any(type(answer) is not int for answer in answers.values()):
        return None
    tables = []
    for n in sorted(sizes):
        rows = [tokens for tokens in answers if len(tokens) == n]
        alphabets = [range(min(column), max(column) + 1) for column in zip(*rows, strict=True)]
        if math.prod(map(len, alphabets)) > ENTRIES:
            return None
        each = [answers.get(tokens) for tokens in product(*alphabets)]
        tables.append({"alphabets": [[a.start, len(a)] for a in alphabets], "answers": each})
    named = {"name": task.name, "vocabulary": task.vocabulary, "targets": task.targets}
    return {"task": "listed", "parameters": {**named, "tables": tables}}


def _listed(task: Task, most: int) -> list[tuple[int, ...]]:
    """Its inputs that have an answer, or none where they are too many to list."""
    lists_its_own = type(task).inputs is not Task.inputs
    if not lists_its_own and math.prod(map(len, task.alphabets())) > ENTRIES:
        return []
    some = [*islice((tuple(map(int, tokens)) for tokens in task.inputs()), most + 1)]
    return [tokens for tokens in dict.fromkeys(some) if task.answer(tokens) is not None] if len(some) <= most else []
