"""What a construction claims, and the model that is to live up to it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.certificates.description import register_width, tensors_of
from separatrix.certificates.files import write_folder
from separatrix.checker import canonical
from separatrix.errors import BadInput
from separatrix.models.register_file import RegisterFile
from separatrix.models.saved import describe, weights_bytes
from separatrix.models.transformer import Transformer, read_positions
from separatrix.tasks import Task


@dataclass(frozen=True)
class Bound:
    """One line of a composed error bound: how far a part may be off, and how much that part tolerates."""

    part: str
    what: str
    value: float
    tolerance: float | None


@dataclass(frozen=True)
class Claim:
    """This construction, with these parameters, computes this task in this arithmetic."""

    construction: str
    cites: str
    task: str
    task_parameters: dict[str, Any]
    parameters: dict[str, Any]  # of the construction, without those of the task
    arithmetic: str
    facts: dict[str, float] = field(default_factory=dict)  # constants of the proof: eta, magnitudes
    bounds: tuple[Bound, ...] = ()  # what each part leaks, and what the next one tolerates


@dataclass(frozen=True)
class Step:
    """One step of a proof, and what the model did there."""

    title: str
    says: str  # the proof's sentence, in our words
    values: dict[str, Any]


@dataclass(frozen=True)
class Slot:
    """A named subspace of the stream: coordinates start .. start + width - 1."""

    name: str
    start: int
    width: int


@dataclass(frozen=True)
class Layout:
    """Where the slots lie in the stream at one stage."""

    slots: tuple[Slot, ...]

    def where(self, name: str) -> slice:
        """The coordinates of a slot."""
        found = next((slot for slot in self.slots if slot.name == name), None)
        if found is None:
            raise BadInput(f"no slot {name!r} here: expected one of {', '.join(slot.name for slot in self.slots)}")
        return slice(found.start, found.start + found.width)


@dataclass(frozen=True)
class Built:
    """Exact weights, the claim about them, and the task they compute."""

    model: Transformer | RegisterFile
    claim: Claim
    task: Task
    layouts: tuple[Layout, ...] = ()  # of the embedding and after each layer
    steps: Callable[[Trace], tuple[Step, ...]] | None = None  # the proof, told over one run; no part of the model

    @property
    def transformer(self) -> Transformer:
        """The model, where it is a Transformer."""
        if not isinstance(self.model, Transformer):
            raise BadInput(f"{self.claim.construction} is a recurrent model: expected a construction with attention")
        return self.model

    def sizes(self) -> dict[str, Any]:
        """Layers, heads, widths and bits; no bits of state where they grow with the input."""
        return sizes(self.model)

    def trace(self, tokens: Sequence[int]) -> Trace:
        """One run: the stream after the embedding and after each layer, by slot, and what each head read."""
        return trace(self, tokens)

    def explain(self, tokens: Sequence[int]) -> tuple[Step, ...]:
        """The proof, step by step, with what the model did on this input."""
        return () if self.steps is None else self.steps(self.trace(tokens))

    def document(self) -> dict[str, Any]:
        """claim.json: everything but the numbers."""
        weights = weights_bytes(self.model)
        return {
            "schema": "separatrix/claim",
            "version": 1,
            "statement": {"construction": self.claim.construction, "cites": self.claim.cites, "task": self.claim.task},
            "task_parameters": self.claim.task_parameters,
            "parameters": self.claim.parameters,
            "arithmetic": self.claim.arithmetic,
            "facts": self.claim.facts,
            "sizes": self.sizes(),
            "bounds": [{"part": b.part, "what": b.what, "value": b.value, "tolerance": b.tolerance} for b in self.claim.bounds],
            "slots": [[{"name": s.name, "start": s.start, "width": s.width} for s in layout.slots] for layout in self.layouts],
            "model": describe(self.model),
            "weights_sha256": hashlib.sha256(weights).hexdigest(),
        }

    def save(self, folder: str | Path) -> None:
        """`model.safetensors` and `claim.json`, both or neither."""
        write_folder(Path(folder), {"model.safetensors": weights_bytes(self.model), "claim.json": canonical(self.document()).encode()})


@dataclass(frozen=True)
class Trace:
    """What happened inside a model on one input."""

    tokens: tuple[int, ...]
    streams: tuple[Tensor, ...]  # after the embedding and after each layer: [n, width], the last one [1, width]
    attention: tuple[Tensor, ...]  # per layer: [heads, n, n], the last one [heads, 1, n]; a linear unit has no heads
    logits: Tensor  # [targets]
    layouts: tuple[Layout, ...]

    def slot(self, layer: int, name: str) -> Tensor:
        """The values of a slot after `layer` layers (0 is the embedding), [n, width of the slot]."""
        return self.streams[layer][:, self.layouts[layer].where(name)]


def trace(built: Built, tokens: Sequence[int]) -> Trace:
    """Run the model on one input and keep everything."""
    model, row = built.transformer, torch.tensor([list(tokens)], dtype=torch.int64)
    numbers, at = model.numbers, read_positions(row, -1)
    with torch.no_grad():
        x = numbers.enter(model.embedding(row))
        streams, attention = [numbers.leave(x)[0]], []
        for index, layer in enumerate(model.layers):
            weights: list[Tensor] = []
            x = layer(x, at if index == len(model.layers) - 1 else None, weights)
            streams.append(numbers.leave(x)[0])
            attention.append(torch.cat(weights, dim=2)[0] if weights else torch.zeros(0, streams[-1].shape[0], len(tokens)))
        logits = model.readout(x)[0, 0]
    return Trace(tuple(tokens), tuple(streams), tuple(attention), logits, built.layouts)


def sizes(model: Transformer | RegisterFile) -> dict[str, Any]:
    """What the model costs, counted here and again by the checker: shape, bits of state, and everything that is stored.

    Bits of state are those that cross from one token to the next; there is no such number where a cache grows with the input.
    Parameter bits count what is stored; the representation also tabulates every generated embedding.
    """
    bits = model.numbers.format.bits
    found: dict[str, Any] = {"layers": 1, "heads": 0, "width": 0, "key_width": 0, "value_width": 0, "hidden": 0, "state_bits": 0}
    stored = sum(_stored_bits(tensor, model, bits) for tensor in tensors_of(model).values())
    generated = 0
    if isinstance(model, RegisterFile):
        width = register_width(model)
        found |= {"width": width, "state_bits": model.config.registers}
        generated = bits * width * model.config.numbers
    else:
        config, embedding = model.config, model.config.embedding
        found |= {"layers": len(config.layers), "width": config.width}
        found |= {key: max(getattr(layer, key) for layer in config.layers) for key in ("heads", "key_width", "value_width", "hidden")}
        found["state_bits"] = (
            None if any(not layer.state for layer in config.layers) else bits * sum(layer.state for layer in config.layers)
        )
        generated = bits * config.width * (embedding.numbers + (config.length if embedding.places else 0))
    return {**found, "precision_bits": bits, "parameter_bits": stored, "representation_bits": stored + generated}


def _stored_bits(tensor: Tensor, model: Transformer | RegisterFile, bits: int) -> int:
    """A generator is a matrix of bits; pointers and registers are integers of as many bits as the largest needs."""
    if tensor.is_floating_point():
        return tensor.numel() * bits
    if tensor.dtype == torch.uint8:
        return tensor.numel()
    largest = model.config.registers + model.config.scratch - 1 if isinstance(model, RegisterFile) else int(tensor.max())
    return tensor.numel() * max(1, largest.bit_length())


def only_weights(model: nn.Module) -> bool:
    """Whether a model is nothing but known modules with tensors: no callback can hide in it."""
    return all(type(module).__module__.startswith(("separatrix.models.", "torch.nn.modules.")) for module in model.modules())
