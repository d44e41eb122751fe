"""Exact weights with the claim about them, and one run of them taken apart."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.certificates.claim import Claim, Layout, Step
from separatrix.certificates.files import write_folder
from separatrix.checker import canonical
from separatrix.checker.construction import SIZES
from separatrix.errors import BadInput
from separatrix.models.register_file import RegisterFile
from separatrix.models.saved import describe, weights_bytes
from separatrix.models.transformer import Transformer, read_positions
from separatrix.tasks import Task


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

    def sizes(self) -> dict[str, int]:
        """Layers, heads, width and bits."""
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


def sizes(model: Transformer | RegisterFile) -> dict[str, int]:
    """What the model costs. Parameter bits count what is stored; the representation also tabulates every generated embedding.

    The width of a register file is the number of its registers, of one bit each: width times precision are the bits of its state.
    """
    bits = model.numbers.format.bits
    stored = bits * sum(parameter.numel() for parameter in model.parameters())
    stored += sum(_buffer_bits(tensor) for tensor in model.buffers())
    if isinstance(model, RegisterFile):
        found = (1, 0, model.config.registers, 1, stored, stored)
        return dict(zip(SIZES, found, strict=True))
    config, embedding = model.config, model.config.embedding
    generated = bits * config.width * (embedding.numbers + (config.length if embedding.places else 0))
    return {
        "layers": len(config.layers),
        "heads": max(layer.heads for layer in config.layers),
        "width": config.width,
        "precision_bits": bits,
        "parameter_bits": stored,
        "representation_bits": stored + generated,
    }


def _buffer_bits(tensor: Tensor) -> int:
    """A generator is a matrix of bits; pointers are integers of as many bits as the largest needs."""
    if tensor.dtype == torch.uint8:
        return tensor.numel()
    return tensor.numel() * max(1, int(tensor.max()).bit_length())


def only_weights(model: nn.Module) -> bool:
    """Whether a model is nothing but known modules with tensors: no callback can hide in it."""
    return all(type(module).__module__.startswith(("separatrix.models.", "torch.nn.modules.")) for module in model.modules())
