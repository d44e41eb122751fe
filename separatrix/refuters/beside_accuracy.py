"""What stands beside an accuracy in a report: chance, whether the model reads ahead, what its state allows, an input on which it fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from separatrix.bounds.limits import task_ceiling
from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.refuters.attack import attack
from separatrix.refuters.capacity import capacity
from separatrix.refuters.suite import TEST_SEED
from separatrix.runs.state_of import state_bytes
from separatrix.tasks import Batch, Task
from separatrix.tasks.capabilities import Interviewed
from separatrix.training.examples import examples, thinks

SEED = 0


def looks_ahead(model: nn.Module, task: Task) -> str | None:
    """Where an output changes with a later token; None for a model that reads from left to right."""
    tokens = torch.as_tensor(examples(task, SEED, 8).tokens)
    other = tokens.clone()
    other[:, -1] = (other[:, -1] + 1) % task.vocabulary
    model.eval()
    with torch.no_grad():
        one, two = (_logits(model, rows)[:, :-1] for rows in (tokens, other))
    differ = ((one - two).abs() > 1e-4 + 1e-3 * one.abs()).any(dim=-1).any(dim=0)
    return None if not bool(differ.any()) else f"token {tokens.shape[1]} changes the output at token {int(differ.int().argmax()) + 1}"


def _logits(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    said = model(tokens)
    logits: torch.Tensor = getattr(said, "logits", said)
    return logits


def chance(task: Task, count: int) -> float:
    """The accuracy of the one answer that is most often right."""
    batch: Batch = task.sample(TEST_SEED, count)
    answers = [batch.answer(r) for r in range(count)]
    if isinstance(answers[0], tuple):
        return float(task.targets ** -len(answers[0]))
    return float(np.bincount(np.array(answers)).max() / count)


def declared_bits(model: nn.Module, task: Task) -> int | None:
    """By the model itself, or by the formula of its Hugging Face configuration; None for a model that says nothing about it."""
    bits, config = getattr(model, "state_bits", None), getattr(model, "config", None)
    if isinstance(model, Model) and not model.state_known:
        return None
    if callable(bits):
        return int(bits(task.token_count))
    if config is None or not hasattr(config, "to_dict"):
        return None
    try:
        return 8 * state_bytes(config.to_dict(), task.token_count, "float32").needed
    except BadInput:
        return None


def ceiling(task: Task, state: int | None) -> float | None:
    if state is None:
        return None
    try:
        return float(task_ceiling(task, state_bits=state).accuracy)
    except BadInput:
        return None


def retained_bits(model: nn.Module, task: Task, causal: bool) -> float | None:
    """Bits about the input that the model can still use, where the task can be asked about everything."""
    if not causal or not isinstance(task, Interviewed):
        return None
    try:
        return float(capacity(model, task, inputs=64, seed=SEED).retained.bits)
    except BadInput:
        return None


def failing_input(model: nn.Module, place: str, task: Task, evaluations: int) -> dict[str, Any] | None:
    """The simplest failing input that was found: tokens, what the model says, what is right."""
    if thinks(task) or (isinstance(model, Model) and not model.causal):
        return None
    try:
        found = attack(model, place, task, evaluations, SEED)
    except BadInput:
        return None
    if found.failure is None or found.found is None:
        return {"found": False, "evaluations": found.tried.get("evaluations"), "least_margin": found.least_margin}
    document = found.found.document
    text = found.task.text(document["tokens"]) if "tokens" in document else ""
    return {"found": True, "input": text, **{key: document.get(key) for key in ("tokens", "position", "said", "expected")}}
