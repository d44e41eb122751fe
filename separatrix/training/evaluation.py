"""How well a model does a task: all of a row right, single positions right, and right when it has to live with its own words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from separatrix.errors import BadInput
from separatrix.models.sequence_model import SequenceModel
from separatrix.tasks import Batch, Task
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.task import Integers
from separatrix.training.batches import rows
from separatrix.training.objectives import scored_logits

AT_ONCE = 1 << 15  # tokens in one forward pass


@dataclass(frozen=True)
class Scores:
    """What came out on fixed examples."""

    length: int  # the task's N
    examples: int
    accuracy: float  # the task's own score, where the true tokens stand before every scored position
    positions: float  # share of scored positions that are right
    greedy: float | None  # the score when each prediction becomes the next token; None where predictions are no tokens
    asked: tuple[tuple[int, int, int], ...]  # (position asked, how often, how often right)


def evaluate(model: nn.Module, task: Task, examples: int, seed: int) -> Scores:
    """Scores of a model on examples 0 .. examples - 1 of a seed."""
    if examples < 1:
        raise BadInput(f"evaluate: the number of examples must be at least 1, found {examples}")
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return _scores(model, task, task.sample(seed, examples))
    finally:
        model.train(training)


def _scores(model: nn.Module, task: Task, batch: Batch) -> Scores:
    right, where, said, spoken = [], [], [], []
    step = max(1, AT_ONCE // batch.tokens.shape[1])
    fed_back = predicts_tokens(batch) and isinstance(model, SequenceModel)
    for first in range(0, len(batch.tokens), step):
        part = rows(batch, slice(first, first + step))
        predictions = teacher_forced(model, part)
        right.append((predictions == part.targets)[part.mask])
        where.append(positions_asked(task, part))
        said.append(task.score(predictions, part) * len(part.tokens))
        if fed_back and isinstance(model, SequenceModel):
            spoken.append(task.score(greedy(model, part), part) * len(part.tokens))
    hits, places, count = np.concatenate(right), np.concatenate(where), len(batch.tokens)
    asked = tuple((int(p), int((places == p).sum()), int(hits[places == p].sum())) for p in np.unique(places))
    return Scores(task.length, count, sum(said) / count, float(hits.mean()), sum(spoken) / count if fed_back else None, asked)


def teacher_forced(model: nn.Module, batch: Batch) -> Integers:
    """The most likely target at each scored position, given the true tokens; 0 elsewhere."""
    predictions = np.zeros_like(batch.targets)
    predictions[batch.mask] = scored_logits(model, batch).argmax(dim=-1).numpy()
    return predictions


def greedy(model: SequenceModel, batch: Batch) -> Integers:
    """The same, but what was said at a scored position stands as the next token, right or wrong."""
    tokens, mask = torch.from_numpy(batch.tokens.copy()), torch.from_numpy(batch.mask)
    predictions, state = torch.zeros_like(tokens), model.initial_state(len(tokens))
    for t in range(tokens.shape[1]):
        state, logits = model.step(state, tokens[:, t])
        predictions[:, t] = torch.where(mask[:, t], logits.argmax(dim=-1), 0)
        if t + 1 < tokens.shape[1]:
            tokens[:, t + 1] = torch.where(mask[:, t], predictions[:, t], tokens[:, t + 1])
    found: npt.NDArray[np.int64] = predictions.numpy()
    return found


def predicts_tokens(batch: Batch) -> bool:
    """Whether what is asked is always the next token, so that predictions can be fed back."""
    here = batch.mask[:, :-1]
    inside = here & (np.arange(1, batch.tokens.shape[1]) < batch.lengths[:, None])
    return bool(inside.any()) and bool((batch.targets[:, :-1] == batch.tokens[:, 1:])[inside].all())


def positions_asked(task: Task, batch: Batch) -> Integers:
    """For each scored position, from 1, which position it asks about: itself, except where a task points elsewhere."""
    row, column = np.nonzero(batch.mask)
    if isinstance(task, IndexLookup):
        return batch.tokens[row, column] - task.symbols + 1
    return column + 1
