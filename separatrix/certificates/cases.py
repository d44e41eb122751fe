"""Cases through a built model: how many are wrong, by what margin, and a hash of everything that was said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import Floats, logits_of, rows_of
from separatrix.checker.construction import rounded_down
from separatrix.tasks import Batch, Task
from separatrix.tasks.task import Integers, read_at_end

AT_ONCE = 1 << 22  # tokens drawn at a time
Piece = tuple[str, int, Batch]  # the family that cases belong to, the number of the first, and the cases


def pieces(task: Task, families: Iterable[dict[str, Any]]) -> Iterator[Piece]:
    """The cases of all families, a forward pass's worth at a time."""
    for family in families:
        for first, batch in batches(task, family):
            yield family["kind"], first, batch


def batches(task: Task, family: dict[str, Any]) -> Iterator[tuple[int, Batch]]:
    """The cases of one family, with the number of the first of each batch."""
    if family["kind"] == "all":
        inputs = list(task.inputs())
        yield 0, _asked(task, inputs)
        return
    seed, count = family["seed"], family["count"]
    if family["kind"] == "random":
        step = max(1, AT_ONCE // (2 * task.length + 2))
        for first in range(0, count, step):
            yield first, task.sample(seed, min(step, count - first), first)
        return
    whole = task.cases(family["kind"], seed, count)
    step = max(1, AT_ONCE // max(1, whole.tokens.shape[1]))
    for first in range(0, len(whole.tokens), step):
        yield first, rows_of(whole, slice(first, first + step))


def run(built: Built, cases: Iterable[Piece], progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """The result of a certificate."""
    total, errors, margin, said = 0, 0, np.inf, hashlib.sha256()
    counterexample: dict[str, Any] | None = None
    for kind, first, batch in cases:
        logits = logits_of(built.model, batch)
        wanted, rows = batch.targets[batch.mask], np.nonzero(batch.mask)[0]
        chosen = logits.argmax(axis=1)
        said.update(chosen.astype("<i8").tobytes())
        margin = min(margin, _margin(logits, wanted))
        wrong = np.unique(rows[chosen != wanted])
        errors += len(wrong)
        if len(wrong) and counterexample is None:
            counterexample = _counterexample(kind, first, batch, int(wrong[0]), chosen, wanted, rows)
        total += len(batch.tokens)
        if progress is not None:
            progress(f"{kind}: {total} cases, {errors} wrong")
    return {
        "cases": total,
        "errors": errors,
        "margin": None if total == 0 else _stored(margin, built),
        "decisions": said.hexdigest(),
        "counterexample": counterexample,
    }


def _stored(margin: float, built: Built) -> float:
    """Exact in an exact format, and rounded down in floating point, where two correct programs may differ."""
    format = built.model.numbers.format
    return float(margin) if format.exact else rounded_down(float(margin), format.bits)


def _margin(logits: Floats, wanted: Integers) -> float:
    rows = np.arange(len(wanted))
    right = logits[rows, wanted]
    if logits.shape[1] == 1:
        return float(right.min())
    others = logits.copy()
    others[rows, wanted] = -np.inf
    return float((right - others.max(axis=1)).min())


def _counterexample(kind: str, first: int, batch: Batch, row: int, chosen: Any, wanted: Any, rows: Any) -> dict[str, Any]:
    tokens = list(batch.row(row))
    here = rows == row
    return {
        "kind": kind,
        "number": first + row,
        "tokens": tokens if len(tokens) <= 4096 else None,
        "said": chosen[here].tolist(),
        "expected": wanted[here].tolist(),
    }


def _asked(task: Task, inputs: list[tuple[int, ...]]) -> Batch:
    """Inputs of full length with the oracle's answers, as a batch scored at the last token."""
    tokens = np.array(inputs, dtype=np.int64)
    return read_at_end(tokens, np.full(len(tokens), tokens.shape[1]), np.array([task.answer(row) for row in inputs]))
