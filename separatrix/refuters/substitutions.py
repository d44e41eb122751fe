"""Neighbours of an input: other tokens at one place, at several places that hold the same token, or where a gradient points.

The oracle decides which neighbours are inputs of the task: whatever is proposed here is only proposed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from separatrix.models.model import Model
from separatrix.refuters.leads import Tokens
from separatrix.tasks import Batch, Task

Generator = np.random.Generator
MOST_SCORES = 1 << 25  # estimated changes: rows x tokens x vocabulary
BEST = 32  # estimated changes from which a guided substitution is drawn


def random_neighbour(tokens: Tokens, alphabets: tuple[Any, ...], random: Generator, mate: Tokens | None = None) -> Tokens:
    """One of six moves: a token replaced, with all or one of those equal to it; two exchanged; a segment repeated; a mate's end taken."""
    move = int(random.integers(5 if mate is None or len(mate) != len(tokens) else 6))
    place, other = int(random.integers(len(tokens))), int(random.integers(len(tokens)))
    if move == 3:
        swapped = list(tokens)
        swapped[place], swapped[other] = tokens[other], tokens[place]
        return tuple(swapped)
    if move == 4:
        size = int(random.integers(1, max(2, len(tokens) // 4)))
        size = min(size, len(tokens) - max(place, other))
        return tokens[:place] + tokens[other : other + size] + tokens[place + size :]
    if move == 5 and mate is not None:
        return tokens[:place] + mate[place:]
    symbol = int(alphabets[place][int(random.integers(len(alphabets[place])))])
    return replaced(tokens, place, symbol, move % 3, random)


def replaced(tokens: Tokens, place: int, other: int, how: int, random: Generator) -> Tokens:
    """`other` at a place (how = 0), at all places that hold the same token (1), or at one more of them (2)."""
    equal = [i for i, token in enumerate(tokens) if token == tokens[place]]
    places = {place} if how == 0 else {*equal} if how == 1 else {place, equal[int(random.integers(len(equal)))]}
    return tuple(other if i in places else token for i, token in enumerate(tokens))


def allowed(task: Task, tokens: int) -> npt.NDArray[np.bool_]:
    """Which ids may stand at each of the first tokens, [tokens, vocabulary]."""
    alphabets = task.alphabets()
    table = np.zeros((tokens, task.vocabulary), dtype=bool)
    for place in range(min(tokens, len(alphabets))):
        table[place, list(alphabets[place])] = True
    return table


def guided_neighbours(
    model: nn.Module, task: Task, batch: Batch, may: npt.NDArray[np.bool_], count: int, random: Generator
) -> list[list[Tokens]] | None:
    """For each row substitutions that, to first order, lower the lead most; None where the model has no gradient to follow."""
    if batch.tokens.size * task.vocabulary > MOST_SCORES:
        return None
    change = _estimated_change(model, batch, task.vocabulary)
    if change is None:
        return None
    rows = []
    for r in range(len(batch.tokens)):
        tokens = batch.row(r)
        scores = np.where(may[: len(tokens)], change[r, : len(tokens)], np.inf)
        scores[np.arange(len(tokens)), tokens] = np.inf
        flat = scores.reshape(-1)
        best = np.argpartition(flat, min(BEST, len(flat) - 1))[:BEST]
        best = best[np.isfinite(flat[best])]
        pairs = [divmod(int(place), scores.shape[1]) for place in best[random.permutation(len(best))]]
        rows.append(_with_the_same_answer(task, tokens, pairs, count, random))
    return rows


def _with_the_same_answer(task: Task, tokens: Tokens, pairs: list[tuple[int, int]], count: int, random: Generator) -> list[Tokens]:
    """Up to `count` substitutions after which the same answer is right: the gradient is of the lead of that answer."""
    right, kept = task.answer(tokens), []
    for place, other in pairs:
        near = replaced(tokens, place, other, int(random.integers(3)), random)
        if task.answer(near) == right:
            kept.append(near)
            if len(kept) == count:
                break
    return kept


def _estimated_change(model: nn.Module, batch: Batch, vocabulary: int) -> npt.NDArray[np.float64] | None:
    """d lead / d embedding times the difference of embeddings, [rows, tokens, vocabulary]."""
    module, table = _embedding_of(model, vocabulary)
    if module is None or table is None:
        return None
    tokens, mask = torch.as_tensor(batch.tokens), torch.as_tensor(batch.mask)
    with _leaf(module) as leaves, torch.enable_grad():
        try:
            output: Any = model(tokens)
            logits: Tensor = getattr(output, "logits", output)[mask]
        except (RuntimeError, AttributeError, TypeError, IndexError):
            return None  # an exact format, or a model that cannot be run everywhere at once
        if not leaves or not logits.requires_grad or logits.shape[1] < 2:
            return None
        expected = torch.as_tensor(batch.targets)[mask]
        right = logits.gather(1, expected[:, None])[:, 0]
        others = logits.scatter(1, expected[:, None], float("-inf")).max(dim=1).values
        least = torch.full((len(tokens),), float("inf"), dtype=logits.dtype)
        least = least.scatter_reduce(0, mask.nonzero()[:, 0], right - others, "amin")
        gradient: Tensor | None = torch.autograd.grad(least.sum(), leaves[0], allow_unused=True)[0]
    if gradient is None:  # the outputs do not depend on it smoothly: registers are bits
        return None
    towards = gradient.to(table.dtype) @ table.T
    change: npt.NDArray[np.float64] = (towards - towards.gather(2, tokens[..., None])).detach().to(torch.float64).numpy()
    return np.nan_to_num(change, nan=np.inf, posinf=np.inf, neginf=-np.inf)


def _embedding_of(model: nn.Module, vocabulary: int) -> tuple[nn.Module | None, Tensor | None]:
    """The module that embeds tokens, and the vector of each id."""
    with torch.no_grad():
        if isinstance(model, Model):
            config = model.config.embedding
            if model.numbers.format.kind != "native" or config.reads != "tokens" or config.vocabulary < vocabulary:
                return None, None
            return model.embedding, model.embedding(torch.arange(vocabulary)[:, None])[:, 0]  # the place is the same in every row
        for module in model.modules():
            if isinstance(module, nn.Embedding) and module.num_embeddings >= vocabulary:
                return module, module.weight[:vocabulary]
    return None, None


@contextmanager
def _leaf(module: nn.Module) -> Iterator[list[Tensor]]:
    """While this is open, what the module returns first is a leaf whose gradient can be asked for."""
    leaves: list[Tensor] = []

    def hook(_: nn.Module, __: Any, output: Tensor) -> Tensor | None:
        if leaves:
            return None
        leaves.append(output.detach().requires_grad_())
        return leaves[0]

    handle = module.register_forward_hook(hook)
    try:
        yield leaves
    finally:
        handle.remove()
