"""Cases through a built model: how many are wrong, by what margin, and a hash of everything that was said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from separatrix.certificates.claim import Built
from separatrix.models.transformer import Transformer
from separatrix.tasks import Batch, Task
from separatrix.tasks.task import read_at_end

AT_ONCE = 1 << 22  # tokens in one forward pass
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


@dataclass(frozen=True)
class Trial:
    """What came of some cases: how many, how many wrong, the least margin, a hash of all decisions, the first that went wrong."""

    cases: int
    distinct: int
    errors: int
    margin: float
    decisions: str
    answers: int  # different answers that were right, counted up to two
    counterexample: dict[str, Any] | None

    @property
    def holds(self) -> bool:
        """Whether every decision was right."""
        return self.errors == 0


def trial(built: Built, families: Iterable[dict[str, Any]]) -> Trial:
    """Families of cases of the task, by name, seed and count, through the model."""
    return run(built, pieces(built.task, families))


def run(built: Built, cases: Iterable[Piece], progress: Callable[[str], None] | None = None) -> Trial:
    """Every case through the model."""
    total, errors, margin, said = 0, 0, np.inf, hashlib.sha256()
    counterexample: dict[str, Any] | None = None
    seen: set[bytes] = set()
    answers: set[bytes] = set()
    for kind, first, batch in cases:
        logits = scored_logits(built, batch)
        wanted, rows = batch.targets[batch.mask], np.nonzero(batch.mask)[0]
        chosen = logits.argmax(axis=1)
        said.update(chosen.astype("<i8").tobytes())
        margin = min(margin, _margin(logits, wanted))
        wrong = np.unique(rows[chosen != wanted])
        errors += len(wrong)
        if len(wrong) and counterexample is None:
            counterexample = _counterexample(kind, first, batch, int(wrong[0]), chosen, wanted, rows)
        total += len(batch.tokens)
        for r in range(len(batch.tokens)):
            seen.add(hashlib.sha256(batch.tokens[r, : batch.lengths[r]].astype("<i8").tobytes()).digest())
            if len(answers) < 2:
                answers.add(batch.targets[r][batch.mask[r]].astype("<i8").tobytes())
        if progress is not None:
            progress(f"{kind}: {total} cases, {errors} wrong")
    return Trial(total, len(seen), errors, float(margin), said.hexdigest(), len(answers), counterexample)


def scored_logits(built: Built, batch: Batch) -> npt.NDArray[np.float64]:
    """Logits at every scored position, [scored, targets]."""
    model, lengths = built.model, {*batch.lengths.tolist()}
    sees_padding = isinstance(model, Transformer) and not model.config.causal and lengths != {batch.tokens.shape[1]}
    with torch.no_grad():
        logits = _by_length(model, batch, lengths) if sees_padding else _scored(model, batch)
    found: npt.NDArray[np.float64] = logits.to(torch.float64).numpy()
    return found


def rows_of(batch: Batch, part: slice | npt.NDArray[np.int64], width: int | None = None) -> Batch:
    """Some rows of a batch, cut to a width."""
    return Batch(batch.tokens[part, :width], batch.targets[part, :width], batch.mask[part, :width], batch.lengths[part])


def _scored(model: Any, batch: Batch) -> Tensor:
    tokens = torch.from_numpy(batch.tokens)
    if (batch.mask.sum(axis=1) == 1).all():
        return model(tokens, at=torch.from_numpy(batch.mask.argmax(axis=1)))  # type: ignore[no-any-return]
    return model(tokens)[torch.from_numpy(batch.mask)]  # type: ignore[no-any-return]


def _by_length(model: Any, batch: Batch, lengths: set[int]) -> Tensor:
    """Without a mask every token reads all others, so rows of different lengths run apart and without padding."""
    found: list[Tensor] = [torch.empty(0)] * len(batch.tokens)
    for length in lengths:
        rows = np.flatnonzero(batch.lengths == length)
        part = rows_of(batch, rows, length)
        apart = torch.split(_scored(model, part), part.mask.sum(axis=1).tolist())
        for row, piece in zip(rows.tolist(), apart, strict=True):
            found[row] = piece
    return torch.cat(found)


def _margin(logits: npt.NDArray[np.float64], wanted: npt.NDArray[np.int64]) -> float:
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
        "tokens": tokens,
        "said": chosen[here].tolist(),
        "expected": wanted[here].tolist(),
        "at": [int(i) + 1 for i in np.flatnonzero(batch.mask[row])],
    }


def _asked(task: Task, inputs: list[tuple[int, ...]]) -> Batch:
    """Inputs of full length with the oracle's answers, as a batch scored at the last token."""
    tokens = np.array(inputs, dtype=np.int64)
    return read_at_end(tokens, np.full(len(tokens), tokens.shape[1]), np.array([task.answer(row) for row in inputs]))
