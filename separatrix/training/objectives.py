"""What is made small: the cross-entropy of the scored positions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.errors import BadInput
from separatrix.models.sequence_model import SequenceModel
from separatrix.models.transformer import Transformer
from separatrix.tasks import Batch

Objective = Callable[[nn.Module, Batch], Tensor]


def cross_entropy(model: nn.Module, batch: Batch) -> Tensor:
    """In nats, over all scored positions."""
    return functional.cross_entropy(scored_logits(model, batch), torch.from_numpy(batch.targets[batch.mask]))


def scored_logits(model: nn.Module, batch: Batch) -> Tensor:
    """Logits [scored, targets] at the scored positions, row by row.

    Where every row is scored once, a model of ours is asked at that position only: its last layer then works there alone.
    """
    need_no_padding(model, batch)
    tokens, mask = torch.from_numpy(batch.tokens), torch.from_numpy(batch.mask)
    once = bool((batch.mask.sum(axis=1) == 1).all())
    if once and isinstance(model, SequenceModel):
        logits: Tensor = model(tokens, at=mask.to(torch.int8).argmax(dim=1))
        return logits
    everywhere = model(tokens)
    if not isinstance(everywhere, Tensor) or everywhere.shape[:2] != tokens.shape:
        found = list(everywhere.shape) if isinstance(everywhere, Tensor) else type(everywhere).__name__
        raise BadInput(f"model {type(model).__name__}: expected logits [b, n, targets] for tokens {list(tokens.shape)}, found {found}")
    return everywhere[mask]


def need_no_padding(model: nn.Module, batch: Batch) -> None:
    """A Transformer without causal mask would read the padding that stands after shorter rows."""
    if isinstance(model, Transformer) and not model.config.causal and bool((batch.lengths != batch.tokens.shape[1]).any()):
        raise BadInput("a Transformer without causal mask reads the padding of shorter rows: give it a task whose inputs have one length")
