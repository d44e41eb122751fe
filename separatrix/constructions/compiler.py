"""From a program of the assembler to the weights of a model: a configuration, and tensors by their names in the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from separatrix.arithmetic import arithmetic as operators
from separatrix.arithmetic import parse_format
from separatrix.certificates.built import Built, Trace
from separatrix.certificates.claim import Claim, Layout, Slot, Step
from separatrix.certificates.program import Program
from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.tensors import layouts_of, tensors_of
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.decoders.decoder import Decoder
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.position import Position, Positions
from separatrix.models.decoders.retrieval import Retrieval
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model
from separatrix.models.saved import filled
from separatrix.tasks import Task
from separatrix.tasks.capabilities import chain_limit, search_of, stop_of

Array = npt.NDArray[Any]


def compiled(
    net: Assembler,
    task: Task,
    construction: str,
    cites: str,
    parameters: dict[str, Any],
    facts: dict[str, float],
    steps: Callable[[Trace], tuple[Step, ...]] | None,
    decoder: Decoder | None = None,
) -> Built:
    """The module, its layout and its claim."""
    layouts, width = layouts_of(net)
    model = model_of(_config(net, width), tensors_of(net), construction)
    net.refuse_inexact_embedding(construction)
    claim = Claim(construction, cites, task.name, task.parameters, parameters, net.arithmetic, facts, tuple(net.bounds))
    named = tuple(Layout(tuple(Slot(name, part.start, part.stop - part.start) for name, part in layout.items())) for layout in layouts[::2])
    return Built(Program(model, decoder or read_as(task)), claim, task, named, steps)


def model_of(config: ModelConfig, tensors: dict[str, Array], construction: str) -> Model:
    """The model of a configuration with exactly these tensors; in an exact format every weight must be one of its numbers."""
    dtype = stored_dtype(config.arithmetic)
    stored = {name: torch.from_numpy(np.require(tensor, requirements=("C", "W"))) for name, tensor in tensors.items()}
    model = filled(config, {name: t.to(dtype) if t.is_floating_point() else t for name, t in stored.items()})
    refuse_off_grid(model, construction)
    return model


def read_as(task: Task) -> Decoder:
    """The decoder for a task: a chain with or without searches; else at the last token, or at every scored position."""
    stop, search = stop_of(task), search_of(task)
    if stop is not None:
        if search is None:
            return Greedy(stop, chain_limit(task))
        return Retrieval(search.start, search.end, stop, chain_limit(task), task.spelling)
    batch = task.sample(0, 1)
    return Position() if batch.mask[0].sum() == 1 and batch.mask[0, batch.lengths[0] - 1] else Positions()


def _config(net: Assembler, width: int) -> ModelConfig:
    return ModelConfig(
        embedding=EmbeddingConfig(
            plain=net.plain,
            numbers=net.numbers,
            number_address=net.number_place[1].config if net.number_place else None,
            places=tuple(address.config for _, address, _ in net.places),
            gated=net.gate is not None,
            reads="vectors" if net.vectors else "tokens",
        ),
        layers=tuple(LayerConfig(_mixer_config(layer), _hidden_config(layer), net.residual) for layer in net.layers),
        readout=ReadoutConfig(net.targets, bias=not net.tied, tied=net.tied),
        width=width,
        arithmetic=net.arithmetic,
        length=net.length,
    )


def _mixer_config(layer: Layer) -> MixerConfig | None:
    if layer.attention is None:
        return None
    if not layer.attention:
        return LinearRnnConfig(layer.registers())
    if layer.attention == "linear":
        return LinearAttentionConfig(*layer.head_sizes())
    mask = layer.mask or (Causal() if layer.net.causal else All())
    return AttentionConfig(*layer.head_sizes(), layer.attention, mask)  # type: ignore[arg-type]


def _hidden_config(layer: Layer) -> FeedForwardConfig | None:
    return FeedForwardConfig(layer.hidden(), layer.activation) if layer.gadgets else None


def stored_dtype(arithmetic: str) -> torch.dtype:
    """The type that weights are stored in: their own for native floats, float64 for emulated formats."""
    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}.get(arithmetic, torch.float64)


def refuse_off_grid(model: Model, construction: str) -> None:
    """In an exact format every weight must be one of its numbers."""
    format = parse_format(model.config.arithmetic)
    if not format.exact:
        return
    numbers = operators(format.name)
    for name, parameter in model.named_parameters():
        exact = parameter.detach()
        wrong = (numbers.leave(numbers.enter(exact)) != exact).nonzero()
        if len(wrong):
            value = float(exact[tuple(wrong[0])])
            raise BadInput(f"{construction}: weight {value!r} of {name} is not representable in {format.name}")
