"""A recurrent model with too few bits, whatever it thinks: two strings of bits that leave it in one state at the end of Alice's part.

[wen2024 Theorem 4.6; its lower bound] [wen2024 Theorem 4.7; its lower bound]

Alice's part of a prompt holds N bits (bounds/communication/prompts.py), and the state after it is her message. With fewer than N bits two
strings share a state; Bob asks for a bit in which they differ, and from there on both runs are one: the same chain of thought, the same
answer. Strings are tried in a random order, so that a state of b bits is met twice after about 2^(b/2) of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from separatrix.bounds.communication.prompts import REDUCTIONS
from separatrix.models.model import Model
from separatrix.tasks import Task

MOST_STRINGS = 1 << 16
TOGETHER = 1 << 10

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class EqualMessages:
    """Two strings after which the model is in one state, the place (from 1) where they differ, and both prompts."""

    strings: tuple[tuple[int, ...], tuple[int, ...]]
    place: int
    prompts: tuple[Tokens, Tokens]
    tried: int


def equal_messages(model: Model, task: Task, seed: int = 0, most: int = MOST_STRINGS) -> EqualMessages | None:
    """The first two strings that share a state, None if there are none among `most`; for tasks that INDEX reduces to."""
    reduction = REDUCTIONS[task.name]
    N = reduction.bits(task)
    if N < 1:
        return None
    random, met = np.random.default_rng(seed), dict[bytes, tuple[int, ...]]()
    for start in range(0, most, TOGETHER):
        drawn = random.integers(0, 2, (TOGETHER, N))
        strings = [tuple(row) for row in drawn.tolist()]
        for a, state in zip(strings, _states(model, task, strings), strict=True):
            other = met.setdefault(state, a)
            if other != a:
                place = next(i for i in range(N) if a[i] != other[i]) + 1
                prompts = reduction.prompt(task, other, place), reduction.prompt(task, a, place)
                return EqualMessages((other, a), place, prompts, start + TOGETHER)
    return None


def _states(model: Model, task: Task, strings: list[tuple[int, ...]]) -> list[bytes]:
    """The state after Alice's part of each string, as bytes; equal numbers give equal bytes."""
    reduction = REDUCTIONS[task.name]
    tokens = torch.tensor([task.read(reduction.alice(task, a)) for a in strings])
    state = model.initial_state(len(strings))
    with torch.no_grad():
        for t in range(tokens.shape[1]):
            state, _ = model.step(state, tokens[:, t])
    parts = [tensor for layer in state.layers for tensor in layer if isinstance(tensor, Tensor)]
    rows = torch.cat([part.reshape(len(strings), -1).to(torch.float64) for part in parts], dim=1) + 0.0  # -0 is 0
    return [row.tobytes() for row in rows.numpy()]
