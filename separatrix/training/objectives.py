"""The training objective: the cross-entropy of the scored positions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.certificates.evaluator import scored_logits
from separatrix.tasks import Batch

Objective = Callable[[nn.Module, Batch], Tensor]


def cross_entropy(model: nn.Module, batch: Batch) -> Tensor:
    """In nats, over all scored positions."""
    return functional.cross_entropy(scored_logits(model, batch), torch.from_numpy(batch.targets[batch.mask]))
