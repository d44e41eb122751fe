"""Neighbours of an input: other tokens at one place, at several places that hold the same token, or where a gradient points.

The oracle decides which neighbours are inputs of the task: whatever is proposed here is only proposed.
"""

from __future__ import annotations

import itertools
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
SINGLE = 8  # guided substitutions at one place


def random_neighbour(tokens: Tokens, alphabets: tuple[Any, ...], random: Generator, mate: Tokens) -> Tokens:
    """One of seven moves: tokens replaced, exchanged, repeated from elsewhere, or taken from a mate."""
    move, n = int(random.integers(7)), len(tokens)
    i, j = (int(place) for place in random.integers(0, n, 2))
    near = list(tokens)
    if move == 0:
        return replaced(tokens, i, _drawn(alphabets, i, random), int(random.integers(3)), random)
    if move == 1:
        for place in (i, j):
            near[place] = _drawn(alphabets, place, random)
    elif move == 2:
        near[i], near[j] = tokens[j], tokens[i]
    elif move == 3 and i + 1 < n:
        near[i : i + 2] = tokens[i + 1], tokens[i]
    elif move == 4:  # a short segment of its own, at another place
        size = min(int(random.integers(1, max(2, n // 4))), n - max(i, j))
        near[i : i + size] = tokens[j : j + size]
    elif move == 5:  # a mate's segment, at its place
        first, last = min(i, j), min(max(i, j) + 1, len(mate))
        near[first:last] = mate[first:last] or near[first:last]
    elif move == 6 and j < len(mate):  # a mate's segment, at another place
        size = min(int(random.integers(1, max(2, n // 2))), n - i, len(mate) - j)
        near[i : i + size] = mate[j : j + size]
    return tuple(near)


def _drawn(alphabets: tuple[Any, ...], place: int, random: Generator) -> int:
    return int(alphabets[place][int(random.integers(len(alphabets[place])))])


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
    model: nn.Module, task: Task, batch: Batch, may: npt.NDArray[np.bool_], random: Generator
) -> list[list[Tokens]] | None:
    """For each row substitutions that, to first order, lower the lead most, at one place and at many; None without a gradient."""
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
        rows.append([*_at_many_places(task, tokens, scores), *_at_one_place(task, tokens, scores, random)])
    return rows


def _at_many_places(task: Task, tokens: Tokens, scores: npt.NDArray[np.float64]) -> list[Tokens]:
    """The best token at the 1, 2, 4, .. places where it promises most and leaves the right answer as it is."""
    right, best, gain = task.answer(tokens), scores.argmin(axis=1), scores.min(axis=1)
    near, rows, changed = tokens, [], 0
    for i in np.argsort(gain, kind="stable"):
        changing = (*near[:i], int(best[i]), *near[i + 1 :])
        if gain[i] < 0 and task.answer(changing) == right:
            near, changed = changing, changed + 1
            rows += [near] if changed & (changed - 1) == 0 else []
    return list(dict.fromkeys([*rows, near]))


def _at_one_place(task: Task, tokens: Tokens, scores: npt.NDArray[np.float64], random: Generator) -> list[Tokens]:
    """Some of the best substitutions after which the same answer is right: the gradient is of the lead of that answer."""
    flat = scores.reshape(-1)
    best = np.argpartition(flat, min(BEST, len(flat) - 1))[:BEST]
    best = best[np.isfinite(flat[best])]
    right, rows = task.answer(tokens), []
    for place, other in (divmod(int(at), scores.shape[1]) for at in best[random.permutation(len(best))]):
        several = (replaced(tokens, place, other, how, random) for how in range(3))  # alone, or with equal ones that belong to it
        rows += list(itertools.islice((near for near in several if task.answer(near) == right), 1))
        if len(rows) == SINGLE:
            break
    return rows


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
