"""The squared error on the output bits of a construction, as an objective for training.

A construction ends with exact bits in its stream and decodes them: the read-out has a +1 or a -1 for each bit of a target's code.
On built weights the error is exactly 0, so is its gradient, and training leaves every weight as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.models.model import Model, read_positions
from separatrix.tasks import Batch


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
