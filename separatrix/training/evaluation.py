"""Accuracy of a model on a task: whole rows, single positions, and with its own predictions fed back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn

from separatrix.certificates.evaluator import fed_back, parts, predictions, predicts_tokens
from separatrix.errors import BadInput
from separatrix.models.model import Model, Stepper
from separatrix.tasks import Batch, Task
from separatrix.tasks.capabilities import asked_positions
from separatrix.tasks.next_symbol import NextSymbol
from separatrix.training.examples import answered, thinks
from separatrix.training.examples import examples as of_task

BLOCK = 1 << 17  # symbols at a time


@dataclass(frozen=True)
class Scores:
    """Scores on a fixed set of examples."""

    length: int  # the task's N
    examples: int
    accuracy: float  # the task's own score, with the true tokens before every scored position
    positions: float  # share of scored positions that are right
    greedy: float | None  # the score when each prediction becomes the next token, of a chain that of its answer; None if that cannot be
    asked: tuple[tuple[int, int, int], ...]  # (position asked about, how often, how often right)


def evaluate(model: nn.Module, task: Task, examples: int, seed: int) -> Scores:
    """Scores of a model on examples 0 .. examples - 1 of a seed."""
    if examples < 1:
        raise BadInput(f"evaluate: the number of examples must be at least 1, found {examples}")
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            scores = _scores(model, task, of_task(task, seed, examples), speaks=not thinks(task))
            if thinks(task) and isinstance(model, Model) and model.causal:
                return replace(scores, greedy=answered(model, task, seed, examples))
            return scores
    finally:
        model.train(training)


def _scores(model: nn.Module, task: Task, batch: Batch, speaks: bool) -> Scores:
    right, where, forced, spoken = [], [], 0.0, 0.0
    tokens = task.targets <= task.vocabulary and predicts_tokens(batch)  # the end of a string is a target, and not a token
    feeds_back = speaks and tokens and isinstance(model, Stepper) and getattr(model, "causal", True)
    for part in parts(model, batch):
        predicted = predictions(model, part)
        right.append((predicted == part.targets)[part.mask])
        where.append(asked_positions(task, part))
        forced += task.score(predicted, part) * len(part.tokens)
        if feeds_back and isinstance(model, Stepper):
            spoken += task.score(fed_back(model, part), part) * len(part.tokens)
    hits, places, count = np.concatenate(right), np.concatenate(where), len(batch.tokens)
    by_position = tuple((int(p), int((places == p).sum()), int(hits[places == p].sum())) for p in np.unique(places))
    return Scores(task.length, count, forced / count, float(hits.mean()), spoken / count if feeds_back else None, by_position)


def measured_cross_entropy(model: nn.Module, task: NextSymbol, examples: int, seed: int) -> float:
    """Nats per prediction after prefixes of N symbols, drawn from the source and read at the last one."""
    if examples < 1:
        raise BadInput(f"the number of examples must be at least 1, found {examples}")
    total, done = 0.0, 0
    while done < examples:
        batch = task.sample(seed, min(examples - done, max(1, BLOCK // task.length)), start=done)
        with torch.no_grad():
            logits = model(torch.from_numpy(batch.tokens), at=-1).double()
        targets = torch.from_numpy(batch.targets[batch.mask])
        total += float(nn.functional.cross_entropy(logits, targets, reduction="sum"))
        done += len(batch.tokens)
    return total / examples
