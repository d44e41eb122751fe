"""The one evaluator: a model's outputs at the scored positions of a batch, for certificates, training and everything else.

Work is split by the bytes that a forward pass needs, so that a wide model runs fewer rows at a time.
A model without a causal mask would read the padding of shorter rows, so rows of different lengths run separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.models.model import Model, Stepper
from separatrix.tasks import Batch
from separatrix.tasks.task import Integers

Floats = npt.NDArray[np.float64]
AT_ONCE = 1 << 28  # bytes of one forward pass
FOREIGN = 1 << 13  # assumed bytes per token for a model that is not ours


def scored_logits(model: nn.Module, batch: Batch) -> Tensor:
    """Logits [scored, targets] at the scored positions, row by row, in one pass.

    If every row is scored once, a model of ours is read at that position only, so that its last layer is computed only there.
    """
    lengths = {*batch.lengths.tolist()}
    if not getattr(model, "causal", True) and lengths != {batch.tokens.shape[1]}:
        return _by_length(model, batch, lengths)
    tokens, mask = torch.as_tensor(batch.tokens), torch.as_tensor(batch.mask)  # on torch's default device
    if isinstance(model, Model) and _once(batch):
        return model(tokens, at=mask.to(torch.int8).argmax(dim=1))  # type: ignore[no-any-return]
    return _everywhere(model, tokens)[mask]


def logits_of(model: nn.Module, batch: Batch) -> Floats:
    """The logits as an array, without gradients, a few rows at a time."""
    with torch.no_grad():
        logits = torch.cat([scored_logits(model, part) for part in parts(model, batch)])
    array: Floats = logits.cpu().to(torch.float64).numpy()
    return array


def predictions(model: nn.Module, batch: Batch) -> Integers:
    """The most likely target at each scored position, given the true tokens; 0 elsewhere."""
    predicted = np.zeros_like(batch.targets)
    predicted[batch.mask] = logits_of(model, batch).argmax(axis=1)
    return predicted


def fed_back(model: Stepper, batch: Batch) -> Integers:
    """Predictions where each one at a scored position is fed back as the next token, right or wrong."""
    tokens, mask = torch.as_tensor(batch.tokens.copy()), torch.as_tensor(batch.mask)
    predicted, state = torch.zeros_like(tokens), model.initial_state(len(tokens))
    with torch.no_grad():
        for t in range(tokens.shape[1]):
            state, logits = model.step(state, tokens[:, t])
            predicted[:, t] = torch.where(mask[:, t], logits.argmax(dim=-1), 0)
            if t + 1 < tokens.shape[1]:
                tokens[:, t + 1] = torch.where(mask[:, t], predicted[:, t], tokens[:, t + 1])
    array: Integers = predicted.cpu().numpy()
    return array


def with_chains(prompts: Sequence[Sequence[int]], chains: Sequence[Sequence[int]], stop: int) -> Batch:
    """Prompts and the chains that should follow them, as one batch in which every token of a chain is scored.

    A causal model that is right on all of it writes exactly these chains: at each step it has read that prefix.
    """
    rows = [[*prompt, *chain[:-1]] for prompt, chain in zip(prompts, chains, strict=True)]
    width = max((len(row) for row in rows), default=1)
    tokens, targets = np.zeros((len(rows), width), dtype=np.int64), np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros((len(rows), width), dtype=bool)
    for r, (row, prompt, chain) in enumerate(zip(rows, prompts, chains, strict=True)):
        if not len(prompt) or not len(chain) or chain[-1] != stop or stop in chain[:-1]:
            raise BadInput(f"a chain must follow a prompt and end with its only stop token {stop}, found {list(chain)[-8:]}")
        tokens[r, : len(row)] = row
        targets[r, len(prompt) - 1 : len(row)], mask[r, len(prompt) - 1 : len(row)] = chain, True
    return Batch(tokens, targets, mask, np.array([len(row) for row in rows], dtype=np.int64))


def with_vectors(prompts: Integers, chains: Integers) -> Batch:
    """A batch of prompts and chains of integer vectors [rows, length, integers]: every array has one more axis."""
    if chains[:, -1].any() or not chains[:, :-1].any(axis=2).all():
        raise BadInput("a chain of vectors must end with its only zero vector")
    tokens = np.concatenate([prompts, chains[:, :-1]], axis=1)
    targets, mask, first = np.zeros_like(tokens), np.zeros(tokens.shape[:2], dtype=bool), prompts.shape[1] - 1
    targets[:, first:], mask[:, first:] = chains, True
    return Batch(tokens, targets, mask, np.full(len(tokens), tokens.shape[1]))


def parts(model: nn.Module, batch: Batch) -> Iterator[Batch]:
    """The rows of a batch, as many at a time as fit into the bytes of one forward pass."""
    n = batch.tokens.shape[1]
    each = model.bytes_of_a_row(n, _once(batch)) if isinstance(model, Model) else n * FOREIGN
    step = max(1, AT_ONCE // max(1, each))
    for first in range(0, len(batch.tokens), step):
        yield rows_of(batch, slice(first, first + step))


def rows_of(batch: Batch, part: slice | Integers, width: int | None = None) -> Batch:
    """Some rows of a batch, cut to a width; by default to the longest of them."""
    n = int(batch.lengths[part].max(initial=1)) if width is None else width
    return Batch(batch.tokens[part, :n], batch.targets[part, :n], batch.mask[part, :n], batch.lengths[part])


def predicts_tokens(batch: Batch) -> bool:
    """Whether the target is always the next token, so that predictions can be fed back."""
    here = batch.mask[:, :-1]
    inside = here & (np.arange(1, batch.tokens.shape[1]) < batch.lengths[:, None])
    return bool(inside.any()) and bool((batch.targets[:, :-1] == batch.tokens[:, 1:])[inside].all())


def _once(batch: Batch) -> bool:
    return bool((batch.mask.sum(axis=1) == 1).all())


def _everywhere(model: nn.Module, tokens: Tensor) -> Tensor:
    """Logits [b, n, targets]; a user's model may return an object with a field `logits`."""
    output: Any = model(tokens) if isinstance(model, Model) else _of_a_user(model, tokens)
    logits = output if isinstance(output, Tensor) else getattr(output, "logits", output)
    if not isinstance(logits, Tensor) or logits.dim() != 3 or logits.shape[:2] != tokens.shape[:2]:
        shape = list(logits.shape) if isinstance(logits, Tensor) else type(logits).__name__
        raise BadInput(f"model {type(model).__name__}: expected logits [b, n, targets] for tokens {list(tokens.shape)}, found {shape}")
    return logits


def _of_a_user(model: nn.Module, tokens: Tensor) -> Any:
    """The output of a user's model; an error in its code is bad input, not an error of ours."""
    try:
        return model(tokens)
    except Exception as error:
        about = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise BadInput(
            f"model {type(model).__name__} fails on tokens {list(tokens.shape)}: {about} (SEPARATRIX_TRACEBACK=1 shows where)"
        ) from error


def _by_length(model: nn.Module, batch: Batch, lengths: set[int]) -> Tensor:
    """Run rows of different lengths separately, without padding."""
    by_row: list[Tensor] = [torch.empty(0)] * len(batch.tokens)
    for length in lengths:
        rows = np.flatnonzero(batch.lengths == length)
        part = rows_of(batch, rows, length)
        apart = torch.split(scored_logits(model, part), part.mask.sum(axis=1).tolist())
        for row, piece in zip(rows.tolist(), apart, strict=True):
            by_row[row] = piece
    return torch.cat(by_row)
