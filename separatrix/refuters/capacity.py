"""Bits about the input that a model can still use: one prefix, every question about it from the same state, accuracy turned into bits.

[bhattamishra2024 Theorem 3]

A task whose inputs hold independent answers asks for each of them (`Interviewed`), and Fano's inequality adds them up. From any other
task only its accuracy is known: the ceiling of the task says how many bits that accuracy needs at least.

With `quantise` the state is rounded to b bits for each number after every token: the range of each tensor of the state, met without
rounding, is cut into 2^b equal parts, and a number becomes the middle of its part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from separatrix.bounds.accuracy.retained import Retained, answers_of, fano_bits, retained, wilson
from separatrix.bounds.limits import task_ceiling
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.planning import need_of
from separatrix.certificates.evaluator import logits_of, predictions, rows_of
from separatrix.errors import BadInput
from separatrix.models.model import Model, State
from separatrix.tasks import Batch, Task
from separatrix.tasks.capabilities import Interviewed

ROWS = 4096  # questions that are answered at once
Change = Callable[[State], State]


@dataclass(frozen=True)
class Capacity:
    """What a model retains, beside what it carries and what the task needs."""

    retained: Retained
    per_position: tuple[dict[str, Any], ...]
    accuracy: float
    inputs: int
    needed: int | None
    state_bits: int | None
    ceiling: float | None  # on the accuracy with so many bits of state; None where none is known
    method: str

    def document(self) -> dict[str, Any]:
        """The measurement as JSON."""
        return {
            "bits": self.retained.bits,
            "interval": self.retained.interval,
            "per_position": list(self.per_position),
            "needed": self.needed,
            "state_bits": self.state_bits,
            "accuracy": self.accuracy,
            "ceiling": self.ceiling,
            "inputs": self.inputs,
            "method": self.method,
        }


def capacity(model: nn.Module, task: Task, inputs: int = 256, seed: int = 0, quantise: int | None = None) -> Capacity:
    """Bits retained, from `inputs` drawn inputs."""
    if inputs < 2:
        raise BadInput(f"the number of inputs must be at least 2, found {inputs}")
    model.eval()
    change = None if quantise is None else _quantiser(model, task, quantise, seed)
    carried = _state_bits(model, task, quantise)
    if not isinstance(task, Interviewed):
        return _by_ceiling(model, task, inputs, seed, change, carried)
    count, values = answers_of(task)
    right = _right(model, task.interview(seed, inputs), count, change).reshape(inputs, count)
    hits = right.sum(axis=0)
    rows = [
        {"position": i + 1, "accuracy": float(h / inputs), "bits": fano_bits(h / inputs, values),
         "interval": [fano_bits(share, values) for share in wilson(float(h), inputs)]}
        for i, h in enumerate(hits)
    ]  # fmt: skip
    accuracy = float(right.mean())
    method = f"{count} questions about each of {inputs} inputs, from one state; Fano's inequality for each answer among {values}"
    return Capacity(
        retained(hits.tolist(), inputs, values), tuple(rows), accuracy, inputs, _needed(task), carried, _ceiling(task, carried), method
    )


def _by_ceiling(
    model: nn.Module, task: Task, inputs: int, seed: int, change: Change | None, carried: int | None
) -> Capacity:  # fmt: skip
    """The least bits that the accuracy needs, and the accuracies within its interval."""
    batch = task.sample(seed, inputs)
    predicted = np.zeros_like(batch.targets)
    if change is None:
        predicted = predictions(model, batch)
    else:
        predicted[batch.mask] = _stepped(model, batch, change)
    right = ((predicted == batch.targets) | ~batch.mask).all(axis=1)
    low, high = wilson(float(right.sum()), inputs)
    bits = [float(task_ceiling(task, accuracy=share).bits) for share in (float(right.mean()), low, high)]
    method = f"the least bits whose ceiling reaches the accuracy on {inputs} inputs"
    return Capacity(Retained(*bits), (), float(right.mean()), inputs, _needed(task), carried, _ceiling(task, carried), method)


def _right(model: nn.Module, batch: Batch, count: int, change: Change | None) -> Any:
    """Which answers are right, in the order of inputs and questions."""
    expected = batch.targets[batch.mask]
    if isinstance(model, Model) and model.causal:
        return _stepped(model, batch, change, count) == expected
    if change is not None:
        raise BadInput(f"a model of class {type(model).__name__} does not read token by token, so its state cannot be rounded")
    logits = logits_of(model, batch)
    if not np.isfinite(logits).all():
        raise BadInput("the model's outputs are not finite numbers")
    return logits.argmax(axis=1) == expected


def _stepped(model: nn.Module, batch: Batch, change: Change | None, questions: int = 1) -> Any:
    """Answers token by token; rows that share all but their last token are read once, and the state answers every question."""
    if not isinstance(model, Model):
        raise BadInput(f"a model of class {type(model).__name__} does not read token by token, so its state cannot be rounded")
    once = bool((batch.mask.sum(axis=1) == 1).all()) and questions > 1
    shared = questions if once else 1
    answers: list[Tensor] = []
    step = max(1, ROWS // shared) * shared
    for first in range(0, len(batch.tokens), step):
        part = rows_of(batch, slice(first, first + step), batch.tokens.shape[1])
        answers.append(_read(model, part, change, shared))
    return torch.cat(answers).numpy()


def _read(model: Model, batch: Batch, change: Change | None, shared: int) -> Tensor:
    """The answers of some rows, row by row."""
    tokens, mask = torch.as_tensor(batch.tokens), torch.as_tensor(batch.mask)
    length = tokens.shape[1]
    prefix = tokens[::shared] if shared > 1 else tokens
    state = model.initial_state(len(prefix))
    answers = torch.zeros_like(tokens)
    with torch.no_grad():
        for t in range(length):
            last = shared > 1 and t == length - 1
            if last:
                state = state.of_rows(torch.arange(len(prefix)).repeat_interleave(shared))
            state, logits = model.step(state, tokens[:, t] if last or shared == 1 else prefix[:, t])
            state = state if change is None else change(state)
            if last or shared == 1:
                if not bool(torch.isfinite(logits).all()):
                    raise BadInput("the model's outputs are not finite numbers")
                answers[:, t] = logits.argmax(dim=-1)
    return answers[mask]


def _quantiser(model: nn.Module, task: Task, bits: int, seed: int) -> Change:
    """Rounds every number of a state to one of 2^b values, within the range that its tensor has on drawn inputs."""
    if not 1 <= bits <= 24:
        raise BadInput(f"--quantise expects 1..24 bits for each number, found {bits}")
    if not isinstance(model, Model) or not model.causal or model.numbers.format.kind != "native":
        raise BadInput("--quantise needs a model of ours that reads token by token in native floats")
    tokens = torch.as_tensor(task.sample(seed, 64).tokens)
    ranges: dict[tuple[int, int], tuple[Tensor, Tensor]] = {}
    state = model.initial_state(len(tokens))
    with torch.no_grad():
        for t in range(tokens.shape[1]):
            state, _ = model.step(state, tokens[:, t])
            for place, tensor in _floats(state):
                low, high = ranges.get(place, (tensor.min(), tensor.max()))
                ranges[place] = (torch.minimum(low, tensor.min()), torch.maximum(high, tensor.max()))

    def rounded(place: tuple[int, int], tensor: Tensor) -> Tensor:
        low, high = ranges[place]
        size = (high - low) / 2**bits
        if not bool(size > 0):
            return torch.full_like(tensor, float(low))
        part = ((tensor - low) / size).floor().clamp(0, 2**bits - 1)
        middle: Tensor = low + (part + 0.5) * size
        return middle

    def change(state: State) -> State:
        layers = tuple(
            tuple(rounded((i, j), t) if isinstance(t, Tensor) and t.is_floating_point() and t.numel() else t for j, t in enumerate(layer))
            for i, layer in enumerate(state.layers)
        )
        return State(state.clock, layers)

    return change


def _floats(state: State) -> list[tuple[tuple[int, int], Tensor]]:
    return [
        ((i, j), tensor)
        for i, layer in enumerate(state.layers)
        for j, tensor in enumerate(layer)
        if isinstance(tensor, Tensor) and tensor.is_floating_point() and tensor.numel()
    ]


def _state_bits(model: nn.Module, task: Task, quantise: int | None) -> int | None:
    """Bits that cross the last cut of an input; None for a model whose state is not declared."""
    last = task.token_count - 1
    if not isinstance(model, Model) and callable(getattr(model, "state_bits", None)):
        declared: int = model.state_bits(last, _dtype(model))  # type: ignore[operator]
        return declared
    if not isinstance(model, Model) or not model.causal or not model.state_known:
        return None
    if quantise is not None:
        return sum(layer.mixer.state_bits(last, quantise) for layer in model.each_layer() if layer.mixer is not None)
    return model.state_bits(last, _dtype(model) if model.numbers.format.kind == "native" else model.numbers.format.name)


def _dtype(model: nn.Module) -> str:
    return next((str(p.dtype).removeprefix("torch.") for p in model.parameters()), "float32")


def _needed(task: Task) -> int | None:
    return need_of(task, NumberFormat(32)).bits


def _ceiling(task: Task, state_bits: int | None) -> float | None:
    """The best accuracy with so many bits, where it is known."""
    if state_bits is None:
        return None
    try:
        return task_ceiling(task, state_bits=state_bits).accuracy
    except BadInput:
        return None
