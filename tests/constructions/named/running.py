"""Built models run against their task: all tokens at once and one after the other."""

from __future__ import annotations

import numpy as np
import torch

from separatrix.certificates.built import Built
from separatrix.tasks.batch import Batch

Logits = torch.Tensor


@torch.no_grad()
def logits(built: Built, tokens: np.ndarray, by_steps: bool = False) -> Logits:
    """[rows, n, targets]."""
    rows = torch.from_numpy(tokens)
    if not by_steps:
        return built.model(rows)
    state, said = built.model.initial_state(len(rows)), []
    for t in range(rows.shape[1]):
        state, y = built.model.step(state, rows[:, t])
        said.append(y)
    return torch.stack(said, dim=1)


def share_right(built: Built, batch: Batch, by_steps: bool = False) -> float:
    """The share of rows that are right at every scored token."""
    said = logits(built, batch.tokens, by_steps).argmax(dim=-1).numpy()
    return float(((said == batch.targets) | ~batch.mask).all(axis=1).mean())


def batches(built: Built, count: int) -> list[Batch]:
    """Random cases, and every adversarial family."""
    return [built.task.sample(7, count), *(built.task.adversarial(kind, 3, count) for kind in built.task.families)]


def all_right(built: Built, count: int = 40) -> bool:
    """On all of them, both ways, where the two ways also agree."""
    return all(share_right(built, batch, by_steps) == 1.0 for batch in batches(built, count) for by_steps in (False, True))


def every_input_right(built: Built) -> bool:
    """On every input of a small task, against its oracle."""
    inputs = [*built.task.inputs()]
    said = logits(built, np.array(inputs)).argmax(dim=-1).numpy()
    asked = built.task.sample(0, 1).mask[0]
    for row, tokens in zip(said, inputs, strict=True):
        answer = built.task.answer(tokens)
        if row[asked].tolist() != (list(answer) if isinstance(answer, tuple) else [answer]):
            return False
    return len(inputs) > 1
