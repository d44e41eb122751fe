"""By how much a model is right on each input: the least lead of the right answer over the best other one, at the scored positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import nn

from separatrix.certificates.cases import thinking_batch
from separatrix.certificates.evaluator import logits_of
from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import ChainDecoder, Decoder
from separatrix.tasks import Batch, Task
from separatrix.tasks.task import Integers

Floats = npt.NDArray[np.float64]
Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Leads:
    """For each row the least lead, where it is, and what the model says there. A tie has the lead 0 and goes to the first answer."""

    lead: Floats
    position: Integers  # from 0
    said: Integers
    expected: Integers

    @property
    def wrong(self) -> npt.NDArray[np.bool_]:
        """Rows with a wrong answer somewhere."""
        wrong: npt.NDArray[np.bool_] = self.said != self.expected
        return wrong


@dataclass(frozen=True)
class Subject:
    """A model and a task that it is asked about; with a decoder that writes, it is judged on every token of its chains."""

    model: nn.Module
    task: Task
    decoder: Decoder | None = None

    @property
    def writes(self) -> bool:
        """Whether it answers by writing a chain."""
        return isinstance(self.decoder, ChainDecoder)

    def leads(self, batch: Batch) -> Leads:
        """The least lead of every input of a batch."""
        return leads(self.model, self.judged_on(batch))

    def judged_on(self, batch: Batch) -> Batch:
        """The inputs as they are judged: one causal pass over prompt and chain shows that greedy decoding writes that chain."""
        return thinking_batch(self.decoder, self.task, batch) if self.writes and self.decoder is not None else batch


def leads(model: nn.Module, batch: Batch) -> Leads:
    """The least lead of every row of a batch."""
    logits, expected = logits_of(model, batch), batch.targets[batch.mask]
    rows, positions = np.nonzero(batch.mask)
    if not np.isfinite(logits).all():
        raise BadInput(f"model {type(model).__name__}: its outputs are not finite numbers")
    if logits.shape[1] <= expected.max(initial=0):
        raise BadInput(f"model {type(model).__name__} has {logits.shape[1]} outputs, and the task expects {int(expected.max())}")
    every = np.arange(len(expected))
    right, said = logits[every, expected], logits.argmax(axis=1)
    logits[every, expected] = -np.inf
    lead = right - logits.max(axis=1, initial=-np.inf) if logits.shape[1] > 1 else np.abs(right)
    order = np.lexsort((lead, rows))
    first = order[np.unique(rows[order], return_index=True)[1]]
    return Leads(lead[first], positions[first], said[first], expected[first])


def asked(task: Task, rows: Iterable[Tokens], like: Batch) -> tuple[Batch, Integers]:
    """Those of the rows that are inputs of the task, scored where the row of `like` with the same place is; and their places."""
    kept, targets, places = [], [], []
    for place, tokens in enumerate(rows):
        right = task.answer(tokens)
        scored = int(like.mask[place].sum())
        if right is None:
            continue
        due: Any = right if isinstance(right, tuple) else (right,)
        if len(due) == scored:
            kept.append(tokens)
            targets.append(due)
            places.append(place)
    where = np.array(places, dtype=np.int64)
    width = like.tokens.shape[1]
    tokens_array, target_array = np.zeros((len(kept), width), dtype=np.int64), np.zeros((len(kept), width), dtype=np.int64)
    mask = like.mask[where] if len(where) else np.zeros((0, width), dtype=bool)
    for r, (row, due) in enumerate(zip(kept, targets, strict=True)):
        tokens_array[r, : len(row)] = row
        target_array[r, mask[r]] = due
    return Batch(tokens_array, target_array, mask, like.lengths[where] if len(where) else np.zeros(0, dtype=np.int64)), where


def stacked(rows: Sequence[Batch]) -> Batch:
    """Batches of one row each as one batch, padded to the longest."""
    n = max(int(row.lengths[0]) for row in rows)
    tokens, targets, mask = np.zeros((len(rows), n), np.int64), np.zeros((len(rows), n), np.int64), np.zeros((len(rows), n), bool)
    for r, row in enumerate(rows):
        k = int(row.lengths[0])
        tokens[r, :k], targets[r, :k], mask[r, :k] = row.tokens[0, :k], row.targets[0, :k], row.mask[0, :k]
    return Batch(tokens, targets, mask, np.array([int(row.lengths[0]) for row in rows]))
