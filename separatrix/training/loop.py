"""The training loop: one update after another, with rows and snapshots along the way.

    for event in train(model, task, Budget(steps=500), seed=0):
        ...                                   # LossRow | ScoreRow | Snapshot

No random state can be lost: the batch of a step and its dropout follow from (seed, step).
So a run resumed from a snapshot yields the same rows as one that was never interrupted.
Validation may stop a run; the tests are run once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.certificates.evaluator import scored_logits
from separatrix.errors import BadInput
from separatrix.tasks import Batch, Task
from separatrix.tasks.drawing.counter import stream_key
from separatrix.training.batches import batches
from separatrix.training.budget import Budget
from separatrix.training.evaluation import Scores, evaluate
from separatrix.training.snapshots import Progress, Snapshot, put_back, take


@dataclass(frozen=True)
class LossRow:
    """The mean training loss since the previous row of this kind."""

    step: int
    loss: float
    rate: float


@dataclass(frozen=True)
class ScoreRow:
    """The scores on examples outside the training data."""

    step: int
    split: str  # validation | test
    scores: Scores


Event = LossRow | ScoreRow | Snapshot
Objective = Callable[[nn.Module, Batch], Tensor]


def cross_entropy(model: nn.Module, batch: Batch) -> Tensor:
    """The training objective, in nats, over all scored positions."""
    return functional.cross_entropy(scored_logits(model, batch), torch.as_tensor(batch.targets[batch.mask]))


class Diverged(BadInput):
    """The loss or its gradient is no longer a finite number."""

    def __init__(self, step: int, what: str, value: float, rate: float) -> None:
        super().__init__(f"the {what} is {value} at step {step} (learning rate {rate:g}): training stops")
        self.step = step


def train(
    model: nn.Module,
    task: Task,
    budget: Budget,
    seed: int,
    *,
    validation: Task | None = None,
    tests: Sequence[Task] = (),
    start: Snapshot | None = None,
    objective: Objective = cross_entropy,
) -> Iterator[Event]:
    """Train in place. The first and the last event are snapshots; with `start` the run resumes from there."""
    of_step, optimiser = batches(task, budget.batch, budget.examples, seed), make_optimiser(model, budget)
    progress = Progress() if start is None else start.progress
    if start is None:
        yield take(model, optimiser, progress)
    else:
        put_back(start, model, optimiser)
    watched = task if validation is None else validation
    while not progress.finished and progress.step < budget.steps:
        loss = update(model, optimiser, of_step(progress.step), budget, progress.step, seed, objective)
        progress = replace(progress, step=progress.step + 1, loss_sum=progress.loss_sum + loss)
        s = progress.step
        if s % budget.report_every == 0 or s == budget.steps:
            span = budget.report_every if s % budget.report_every == 0 else s % budget.report_every
            yield LossRow(s, progress.loss_sum / span, budget.rate_at(s - 1))
            progress = replace(progress, loss_sum=0.0)
        stop = False
        if s % budget.validate_every == 0 or s == budget.steps:
            row = ScoreRow(s, "validation", evaluate(model, watched, budget.validation, split_seed("validation", seed)))
            yield row
            progress, stop = judged(progress, budget, row.scores.accuracy)
        if stop or s == budget.steps:
            break
        if s % budget.snapshot_every == 0:
            yield take(model, optimiser, progress)
    if not progress.finished:
        for test in tests:
            yield ScoreRow(progress.step, "test", evaluate(model, test, budget.test, split_seed("test", seed)))
        yield take(model, optimiser, replace(progress, finished=True))


def update(
    model: nn.Module, optimiser: torch.optim.Optimizer, batch: Batch, budget: Budget, step: int, seed: int, objective: Objective
) -> float:
    """One step of the optimiser; returns the loss before it. Stops at a loss or a gradient that is not finite."""
    rate = budget.rate_at(step)
    for group in optimiser.param_groups:
        group["lr"] = rate
    model.train()
    with torch.random.fork_rng(devices=[]):  # the model's own random draws, such as dropout, follow from seed and step
        torch.default_generator.manual_seed(stream_key("dropout", {"step": step}, seed) >> 1)
        loss = objective(model, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
    value = float(loss.detach())
    if not math.isfinite(value):
        raise Diverged(step, "loss", value, rate)
    norm = float(nn.utils.clip_grad_norm_(model.parameters(), budget.clip or math.inf))
    if not math.isfinite(norm):
        raise Diverged(step, "norm of the gradient", norm, rate)
    optimiser.step()
    return value


def judged(progress: Progress, budget: Budget, accuracy: float) -> tuple[Progress, bool]:
    """The progress after a validation, and whether to stop."""
    better = accuracy > progress.best
    progress = replace(
        progress,
        best=max(accuracy, progress.best),
        validations_since_best=0 if better else progress.validations_since_best + 1,
    )
    enough = budget.enough > 0 and accuracy >= budget.enough
    return progress, enough or 0 < budget.patience <= progress.validations_since_best


def make_optimiser(model: nn.Module, budget: Budget) -> torch.optim.Optimizer:
    """Fused Adam or AdamW; weight decay is for matrices only."""
    trained = [p for p in model.parameters() if p.requires_grad]
    if not trained:
        raise BadInput(f"model {type(model).__name__} has no parameters to train")
    if budget.optimiser == "adam":
        return torch.optim.Adam(trained, lr=budget.rate, fused=True)
    groups = [
        {"params": [p for p in trained if p.dim() >= 2], "weight_decay": budget.decay},
        {"params": [p for p in trained if p.dim() < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([group for group in groups if group["params"]], lr=budget.rate, fused=True)


def split_seed(split: str, seed: int) -> int:
    """The seed of the validation or test examples that belong to a training seed."""
    return stream_key(split, {}, seed) >> 1
