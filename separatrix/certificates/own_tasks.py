"""Tasks that the checker does not know.

Where the inputs are few, the claim is a table of them all with their answers, and the checker runs them all (`listed`). Else the
certificate stores cases and the answers that the author expects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice, product
from typing import Any

import numpy as np

from separatrix.certificates.cases import Piece
from separatrix.certificates.evaluator import rows_of
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


TOKENS = 1 << 17  # the most that a certificate stores, shared by the families


def author_pieces(cases: Iterable[Piece]) -> list[Piece]:
    """The cases as one family, each input once, as many of each kind as fit, numbered consecutively."""
    drawn = list(cases)
    kinds = list(dict.fromkeys(kind for kind, _, _ in drawn))
    room = dict.fromkeys(kinds, TOKENS // max(1, len(kinds)))
    pieces: list[Piece] = []
    inputs: set[tuple[int, ...]] = set()
    number = 0
    for kind, _, batch in drawn:
        rows: list[int] = []
        for r in range(len(batch.tokens)):
            fits = int(batch.lengths[r]) <= room[kind] or not (number or rows)  # at least one case
            if fits and batch.row(r) not in inputs:
                inputs.add(batch.row(r))
                rows.append(r)
                room[kind] -= int(batch.lengths[r])
        if rows:
            pieces.append(("the author's", number, rows_of(batch, np.array(rows))))
            number += len(rows)
    return pieces


def written(pieces: list[Piece]) -> list[dict[str, Any]]:
    """Every case with its scored positions, counted from 1, and the answers expected there."""
    return [
        {
            "tokens": list(batch.row(r)),
            "at": [int(i) + 1 for i in np.flatnonzero(batch.mask[r])],
            "expected": batch.targets[r][batch.mask[r]].tolist(),
        }
        for _, _, batch in pieces
        for r in range(len(batch.tokens))
    ]
