"""From construction to learning: noise on every built weight, then training, which may or may not recover the construction.

What is trained is what the program is judged by, given its task only: the bits that it decodes, else the vectors that it writes, else
its targets. On built weights bits have error 0 and vectors almost none; the cross-entropy of targets can always fall further.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from separatrix.certificates.built import Built
from separatrix.certificates.cases import run, thinking_batch
from separatrix.certificates.evaluator import scored_logits
from separatrix.certificates.noise import noisy
from separatrix.errors import BadInput
from separatrix.models.decoders.rounding import Rounding
from separatrix.models.model import Model, read_positions
from separatrix.tasks import Batch, Task
from separatrix.training.batches import batches
from separatrix.training.budget import Budget
from separatrix.training.loop import Objective, cross_entropy, make_optimiser, split_seed, update

BITS, VECTORS, TARGETS = "output bits", "next vectors", "cross-entropy"


@dataclass(frozen=True)
class NextVectors:
    """The mean squared error of the integers that a program rounds, given the true vectors before them: an objective for `train`."""

    decoder: Rounding
    task: Task

    def __call__(self, model: nn.Module, batch: Batch) -> Tensor:
        whole = thinking_batch(self.decoder, self.task, batch)
        return (scored_logits(model, whole) - torch.as_tensor(whole.targets[whole.mask])).square().mean()


def objective_of(built: Built) -> tuple[str, Objective]:
    """What a construction is trained on, and its name."""
    if isinstance(built.program.decoder, Rounding):
        return VECTORS, NextVectors(built.program.decoder, built.task)
    drawn = built.task.sample(0, 8)
    one_answer = not built.program.writes and bool((drawn.mask.sum(axis=1) == 1).all())
    if one_answer and (built.model.causal or len({*drawn.lengths.tolist()}) == 1):
        try:
            return BITS, output_bits(built.model)
        except BadInput:  # it decodes something else
            pass
    return TARGETS, cross_entropy


def disturbed(model: Model, deviation: float, seed: int) -> Model:
    """A copy with normal noise of this deviation on every weight, those that are 0 included."""
    if deviation < 0:
        raise BadInput(f"the deviation of the noise must not be negative, found {deviation}")
    return noisy(model, seed, lambda weight, z: weight.add_(z.to(weight.dtype), alpha=deviation))


@dataclass(frozen=True)
class Recovery:
    """One attempt to recover a construction."""

    deviation: float
    seed: int
    step: int
    error: float  # what is trained on, since the last row; before the first step, on the first batch
    accuracy: float  # share of validation inputs on which every decision is right; a chain counts as a whole
    tested: float  # the same of other inputs, for a choice by validation


def recover(built: Built, deviation: float, budget: Budget, seed: int) -> Iterator[Recovery]:
    """Disturb a built model and train it: a row before the first step and one per report."""
    return descend(built, disturbed(built.model, deviation, seed), objective_of(built)[1], deviation, budget, seed)


def descend(built: Built, model: Model, objective: Objective, deviation: float, budget: Budget, seed: int) -> Iterator[Recovery]:
    """Train a model of a construction's shape, from wherever it starts: a row before the first step and one per report."""
    if built.model.numbers.format.kind != "native":
        raise BadInput(f"training needs a native float, found a model in {built.claim.arithmetic}")
    attempt = replace(built, program=replace(built.program, model=model))

    def point(step: int, error: float) -> Recovery:
        accuracy, tested = (_right(attempt, budget.validation, seed, split) for split in ("validation", "test"))
        return Recovery(deviation, seed, step, error, accuracy, tested)

    of_step, optimiser, errors = batches(built.task, budget.batch, budget.examples, seed), make_optimiser(model, budget), 0.0
    with torch.no_grad():
        first = float(objective(model, of_step(0)))
    yield point(0, first)
    for step in range(1, budget.steps + 1):
        errors += update(model, optimiser, of_step(step - 1), budget, step - 1, seed, objective)
        if step % budget.report_every == 0:
            yield point(step, errors / budget.report_every)
            errors = 0.0


def _right(built: Built, count: int, seed: int, split: str) -> float:
    """Share of the inputs of a split on which the program is right throughout."""
    drawn = built.task.sample(split_seed(split, seed), count)
    judged = thinking_batch(built.program.decoder, built.task, drawn) if built.program.writes else drawn
    return 1 - run(built, [(split, 0, judged)]).errors / count


@dataclass(frozen=True)
class OutputBits:
    """The coordinates of the output bits in the stream, and the code of each target."""

    coordinates: Tensor  # [bits]
    code: Tensor  # [targets, bits], zeros and ones

    def __call__(self, model: nn.Module, batch: Batch) -> Tensor:
        """The mean squared error of the bits at the read-out position: an objective for `train`."""
        assert isinstance(model, Model)
        if not model.causal and bool((batch.lengths != batch.tokens.shape[1]).any()):
            raise BadInput(
                "a model without a causal mask reads the padding of shorter rows: expected a task whose inputs all have the same length"
            )
        if bool((batch.mask.sum(axis=1) != 1).any()):
            raise BadInput("the output bits are those of one answer: expected a task that is scored at one position of each input")
        tokens, at = torch.from_numpy(batch.tokens), torch.from_numpy(batch.mask.argmax(axis=1))
        stream = model.numbers.leave(model.hidden(tokens, read_positions(tokens, at)))[:, 0]
        target_bits = self.code[torch.from_numpy(batch.targets[batch.mask])]
        return (stream[:, self.coordinates] - target_bits).square().mean()


def output_bits(model: Model) -> OutputBits:
    """The output bits, read off the read-out of a built model."""
    U = model.readout.weight.detach()
    coordinates = (U != 0).any(dim=0).nonzero()[:, 0]
    signs = U[:, coordinates].sign()
    if model.readout.norm is not None or not len(coordinates) or bool((signs == 0).any()):
        raise BadInput(
            "the model does not decode bits: expected a read-out with a positive or negative weight for every bit of every target"
        )
    return OutputBits(coordinates, (signs + 1) / 2)
