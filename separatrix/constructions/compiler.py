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
from separatrix.constructions.forms import Form
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.decoders.decoder import Decoder
from separatrix.models.decoders.position import Position, Positions
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model
from separatrix.models.saved import filled
from separatrix.tasks import Task

Array = npt.NDArray[Any]
Places = dict[str, slice]  # the coordinates of each slot in the stream


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
    stages = _stages(net)
    width = max(1, *(sum(stage.values()) for stage in stages))
    layouts = [_layout(stage) for stage in stages]
    tensors = _embedding(net, layouts[0], width)
    for index, layer in enumerate(net.layers):
        parts = _layer(layer, layouts[2 * index : 2 * index + 3], width)
        tensors |= {f"layers.{index}.{name}": tensor for name, tensor in parts.items()}
    tensors |= _readout(net, layouts[-1], width)
    model = model_of(_config(net, width), tensors, construction)
    net.refuse_inexact_embedding(construction)
    claim = Claim(construction, cites, task.name, task.parameters, parameters, net.arithmetic, facts, tuple(net.bounds))
    named = tuple(Layout(tuple(Slot(name, part.start, part.stop - part.start) for name, part in layout.items())) for layout in layouts[::2])
    return Built(Program(model, decoder or read_as(task)), claim, task, named, steps)


def model_of(config: ModelConfig, tensors: dict[str, Array], construction: str) -> Model:
    """The model of a configuration with exactly these tensors; in an exact format every weight must be one of its numbers."""
    dtype = stored_dtype(config.arithmetic)
    stored = {name: torch.from_numpy(np.array(tensor, order="C")) for name, tensor in tensors.items()}
    model = filled(config, {name: t.to(dtype) if t.is_floating_point() else t for name, t in stored.items()})
    refuse_off_grid(model, construction)
    return model


def read_as(task: Task) -> Decoder:
    """The decoder for a task without a chain: at the last token, or at every scored position."""
    batch = task.sample(0, 1)
    return Position() if batch.mask[0].sum() == 1 and batch.mask[0, batch.lengths[0] - 1] else Positions()


def _stages(net: Assembler) -> list[dict[str, int]]:
    """The slots of the stream after the embedding and after each part of each layer."""
    stages = [net.slots]
    for layer in net.layers:
        stages += [layer.between, layer.ends()[0]]
    return [stages[-1]] * len(stages) if net.residual else stages


def _layout(slots: dict[str, int]) -> Places:
    layout, start = {}, 0
    for name, width in slots.items():
        layout[name] = slice(start, start + width)
        start += width
    return layout


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
        readout=ReadoutConfig(net.targets),
        width=width,
        arithmetic=net.arithmetic,
        length=net.length,
    )


def _mixer_config(layer: Layer) -> MixerConfig | None:
    if layer.attention is None:
        return None
    if not layer.attention:
        return LinearRnnConfig(max(1, sum(recurrence.registers for _, recurrence in layer.recurrences)))
    keys = max((head.query.rows for head in layer.heads), default=1)
    values = max((head.value.rows for head in layer.heads), default=1)
    if layer.attention == "linear":
        return LinearAttentionConfig(max(1, len(layer.heads)), keys, values)
    mask = layer.mask or (Causal() if layer.net.causal else All())
    return AttentionConfig(max(1, len(layer.heads)), keys, values, layer.attention, mask)  # type: ignore[arg-type]


def _hidden_config(layer: Layer) -> FeedForwardConfig | None:
    units = sum(gadget.units for _, gadget in layer.gadgets)
    return FeedForwardConfig(max(1, units), layer.net.activation) if layer.gadgets else None


def _embedding(net: Assembler, layout: Places, width: int) -> dict[str, Array]:
    """Token rows, gates, and the addresses of places and numbers."""
    rows = net.plain + (net.numbers > 0)
    table = np.zeros((rows, width))
    for slot, part in net.rows:
        table[:, layout[slot]] += part
    tensors: dict[str, Array] = {"embedding.table": table}
    if net.gate is not None:
        tensors["embedding.gate"] = net.gate
    addresses = [(f"embedding.places.{index}", *place) for index, place in enumerate(net.places)]
    addresses += [("embedding.number", *net.number_place)] if net.number_place is not None else []
    for name, slot, address, matrix in addresses:
        if address.config.projected:
            tensors[f"{name}.weight"] = np.zeros((address.config.dims, width))
            tensors[f"{name}.weight"][:, layout[slot]] = matrix
        elif layout[slot] != slice(0, width):
            raise BadInput(f"slot {slot!r}: an unprojected address needs the whole stream as its slot")
        if address.stored is not None:
            generator = address.config.address == "sign"
            kind, stored = ("generator", np.uint8) if generator else ("table", np.float64)
            tensors[f"{name}.address.{kind}"] = address.stored.astype(stored)
        if address.pointers is not None:
            tensors[f"{name}.pointers"] = address.pointers.astype(np.int64)
    return tensors


def _layer(layer: Layer, layouts: list[Places], width: int) -> dict[str, Array]:
    """One layer, with the layouts before it, after its first part and after its second."""
    before, between, after = layouts
    tensors: dict[str, Array] = {}
    if layer.attention is not None:
        mixer = _heads(layer, before, between, width) if layer.attention else _registers(layer, before, between, width)
        tensors |= {f"mixer.{name}": tensor for name, tensor in mixer.items()}
    hidden = _hidden(layer, between, after, width) if layer.gadgets else {}
    return tensors | {f"feedforward.{name}": tensor for name, tensor in hidden.items()}


def _heads(layer: Layer, before: Places, between: Places, width: int) -> dict[str, Array]:
    config = _mixer_config(layer)
    assert isinstance(config, AttentionConfig | LinearAttentionConfig)
    H, m, v = config.heads, config.key_width, config.value_width
    query, key, value, out = np.zeros((H * m, width)), np.zeros((H * m, width)), np.zeros((H * v, width)), np.zeros((width, H * v))
    for h, head in enumerate(layer.heads):
        values = slice(h * v, h * v + head.value.rows)
        query[h * m : h * m + head.query.rows] = _matrix(head.query, before, width)
        key[h * m : h * m + head.key.rows] = _matrix(head.key, before, width)
        value[values] = _matrix(head.value, before, width)
        out[between[head.into], values] = head.out
    return {"query": query, "key": key, "value": value, "out": out}


def _registers(layer: Layer, before: Places, between: Places, width: int) -> dict[str, Array]:
    config = _mixer_config(layer)
    assert isinstance(config, LinearRnnConfig)
    transition, drive, out = np.zeros((config.state,) * 2), np.zeros((config.state, width)), np.zeros((width, config.state))
    first = 0
    for into, recurrence in layer.recurrences:
        rows = slice(first, first + recurrence.registers)
        first += recurrence.registers
        transition[rows, rows] = recurrence.transition
        drive[rows] = _matrix(recurrence.source.through(recurrence.takes), before, width)
        out[between[into], rows] = recurrence.gives
    return {"transition": transition, "drive": drive, "out": out}


def _hidden(layer: Layer, between: Places, after: Places, width: int) -> dict[str, Array]:
    config = _hidden_config(layer)
    assert config is not None
    shapes = {"inner": (config.hidden, width), "inner_bias": (config.hidden,), "outer": (width, config.hidden), "outer_bias": (width,)}
    shapes |= {"gate": (config.hidden, width), "gate_bias": (config.hidden,)} if config.gated else {}
    tensors: dict[str, Array] = {name: np.zeros(shape) for name, shape in shapes.items()}
    unit = 0
    for into, gadget in layer.gadgets:
        tensors["outer_bias"][after[into]] += gadget.constant
        for piece in gadget.parts:
            rows = slice(unit, unit + piece.form.rows)
            unit += piece.form.rows
            tensors["inner"][rows], tensors["inner_bias"][rows] = piece.form.resolved(between, width)
            tensors["outer"][after[into], rows] = piece.matrix
            if config.gated and piece.gate is None:
                tensors["gate_bias"][rows] = 1.0
            elif piece.gate is not None:
                tensors["gate"][rows], tensors["gate_bias"][rows] = piece.gate.resolved(between, width)
    return tensors


def _readout(net: Assembler, layout: Places, width: int) -> dict[str, Array]:
    assert net.output is not None
    weights, form, bias = net.output
    matrix, constant = form.resolved(layout, width)
    return {"readout.weight": weights @ matrix, "readout.bias": bias + weights @ constant}


def _matrix(form: Form, layout: Places, width: int) -> Array:
    """A linear form without a constant, over a stream of this layout."""
    return form.resolved(layout, width)[0]


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
