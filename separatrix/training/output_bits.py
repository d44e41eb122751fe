"""From construction to learning: training starts from built weights, with the squared error on their output bits.

A construction ends with exact bits in its stream and decodes them: the read-out has a +1 or a -1 for each bit of a target's code.
On built weights the error is exactly 0, so is its gradient, and training leaves every weight as it is.
With noise on the weights, training may or may not recover the construction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from separatrix.certificates.built import Built
from separatrix.certificates.noise import noisy
from separatrix.errors import BadInput
from separatrix.models.model import Model, read_positions
from separatrix.tasks import Batch
from separatrix.training.budget import Budget
from separatrix.training.evaluation import evaluate
from separatrix.training.loop import LossRow, split_seed, train


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
    error: float  # squared error on the output bits since the last row; before the first step, on the first batch
    accuracy: float


def recover(built: Built, deviation: float, budget: Budget, seed: int) -> Iterator[Recovery]:
    """Disturb a built model and train it on its output bits: a row before the first step and one per report."""
    if built.model.numbers.format.kind != "native":
        raise BadInput(f"training needs a native float, found a model in {built.claim.arithmetic}")
    model, bits = disturbed(built.model, deviation, seed), output_bits(built.model)
    with torch.no_grad():
        first = float(bits(model, built.task.sample(seed, budget.batch)))

    def accuracy() -> float:
        return evaluate(model, built.task, budget.validation, split_seed("validation", seed)).accuracy

    yield Recovery(deviation, seed, 0, first, accuracy())
    for event in train(model, built.task, budget, seed, objective=bits):
        if isinstance(event, LossRow):
            yield Recovery(deviation, seed, event.step, event.loss, accuracy())
