"""From a program of the assembler to the weights of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from separatrix.arithmetic import arithmetic as operators
from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Built, Claim, Layout, Slot, Step, Trace
from separatrix.constructions.assembler import Assembler, Layer
from separatrix.errors import BadInput
from separatrix.models.embedding import EmbeddingConfig
from separatrix.models.linear_unit import LinearUnit
from separatrix.models.transformer import AttentionHeads, FeedForward, LayerConfig, Transformer, TransformerConfig
from separatrix.tasks import Task

Places = dict[str, slice]  # where each slot lies in the stream


def compiled(
    net: Assembler,
    task: Task,
    construction: str,
    cites: str,
    parameters: dict[str, Any],
    facts: dict[str, float],
    steps: Callable[[Trace], tuple[Step, ...]] | None,
) -> Built:
    """The module, its layout and its claim."""
    assert net.output is not None
    stages = _stages(net)
    width = max(1, *(sum(stage.values()) for stage in stages))
    layouts = [_layout(stage) for stage in stages]
    model = Transformer(_config(net, width)).to(stored_dtype(net.arithmetic))
    with torch.no_grad():
        _write_embedding(net, model, layouts[0])
        for index, layer in enumerate(net.layers):
            _write_layer(layer, model, layouts[2 * index : 2 * index + 3], width)
        weights, bias = torch.from_numpy(net.output[0]), torch.from_numpy(net.output[2])
        matrix, constant = map(torch.from_numpy, net.output[1].resolved(layouts[-1], width))
        model.unembedding[:] = weights @ matrix
        model.unembedding_bias[:] = bias + weights @ constant
    refuse_off_grid(model, construction)
    net.refuse_inexact_embedding(construction)
    claim = Claim(construction, cites, task.name, task.parameters, parameters, net.arithmetic, facts, tuple(net.bounds))
    named = tuple(Layout(tuple(Slot(name, part.start, part.stop - part.start) for name, part in layout.items())) for layout in layouts[::2])
    return Built(model, claim, task, named, steps)


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


def _config(net: Assembler, width: int) -> TransformerConfig:
    return TransformerConfig(
        embedding=EmbeddingConfig(
            plain=net.plain,
            numbers=net.numbers,
            number_address=net.number_place[1].config if net.number_place else None,
            places=tuple(address.config for _, address, _ in net.places),
            gated=net.gate is not None,
        ),
        targets=net.targets,
        width=width,
        layers=tuple(_layer_config(layer) for layer in net.layers),
        causal=net.causal,
        residual=net.residual,
        activation=net.activation,
        arithmetic=net.arithmetic,
        length=net.length,
    )


def _layer_config(layer: Layer) -> LayerConfig:
    hidden = max(1, sum(gadget.units for _, gadget in layer.gadgets)) if layer.gadgets else 0
    if not layer.attention:
        return LayerConfig(0, 0, 0, hidden, state=max(1, sum(recurrence.registers for _, recurrence in layer.recurrences)))
    keys = max((head.query.rows for head in layer.heads), default=1)
    values = max((head.value.rows for head in layer.heads), default=1)
    return LayerConfig(max(1, len(layer.heads)), keys, values, hidden, layer.attention)  # type: ignore[arg-type]


def _write_embedding(net: Assembler, model: Transformer, layout: Places) -> None:
    embedding = model.embedding
    for slot, table in net.rows:
        embedding.table[:, layout[slot]] += torch.from_numpy(table)
    if net.gate is not None and embedding.gate is not None:
        embedding.gate[:] = torch.from_numpy(net.gate)
    written = list(zip(embedding.every_place(), net.places, strict=True))
    if embedding.number is not None and net.number_place is not None:
        written.append((embedding.number, net.number_place))
    for place, (slot, address, matrix) in written:
        if place.weight is not None:
            place.weight[:, layout[slot]] = torch.from_numpy(matrix).to(place.weight.dtype)
        elif layout[slot] != slice(0, embedding.table.shape[1]):
            raise BadInput(f"slot {slot!r}: an address is added as it is only where its slot is the whole stream")
        if address.stored is not None:
            place.store(torch.from_numpy(address.stored))
        if address.pointers is not None:
            assert place.pointers is not None
            place.pointers.copy_(torch.from_numpy(address.pointers))


def _write_layer(layer: Layer, model: Transformer, layouts: list[Places], width: int) -> None:
    """One layer, with the layouts before it, after its first part and after its second."""
    before, between, after = layouts
    part = model.stack()[layer.number - 1]
    if part.unit is None:
        _write_heads(layer, part.attention, before, between, width)
    else:
        _write_unit(layer, part.unit, before, between, width)
    if part.feedforward is not None:
        _write_feedforward(layer, part.feedforward, between, after, width)


def _write_heads(layer: Layer, heads: AttentionHeads, before: Places, between: Places, width: int) -> None:
    keys, values = heads.layer.key_width, heads.layer.value_width
    for h, head in enumerate(layer.heads):
        heads.query[h * keys : h * keys + head.query.rows] = torch.from_numpy(head.query.resolved(before, width)[0])
        heads.key[h * keys : h * keys + head.key.rows] = torch.from_numpy(head.key.resolved(before, width)[0])
        heads.value[h * values : h * values + head.value.rows] = torch.from_numpy(head.value.resolved(before, width)[0])
        heads.out[between[head.into], h * values : h * values + head.value.rows] = torch.from_numpy(head.out).to(heads.out.dtype)


def _write_unit(layer: Layer, unit: LinearUnit, before: Places, between: Places, width: int) -> None:
    first = 0
    for into, recurrence in layer.recurrences:
        rows = slice(first, first + recurrence.registers)
        first += recurrence.registers
        unit.transition[rows, rows] = torch.from_numpy(recurrence.transition).to(unit.transition.dtype)
        unit.drive[rows] = torch.from_numpy(recurrence.source.through(recurrence.takes).resolved(before, width)[0])
        unit.out[between[into], rows] = torch.from_numpy(recurrence.gives).to(unit.out.dtype)


def _write_feedforward(layer: Layer, feedforward: FeedForward, between: Places, after: Places, width: int) -> None:
    assert feedforward.outer_bias is not None
    assert feedforward.inner_bias is not None
    unit = 0
    for into, gadget in layer.gadgets:
        feedforward.outer_bias[after[into]] += torch.from_numpy(gadget.constant).to(feedforward.outer.dtype)
        for piece in gadget.parts:
            rows = slice(unit, unit + piece.form.rows)
            unit += piece.form.rows
            feedforward.inner[rows], feedforward.inner_bias[rows] = map(torch.from_numpy, piece.form.resolved(between, width))
            feedforward.outer[after[into], rows] = torch.from_numpy(piece.matrix).to(feedforward.outer.dtype)
            if feedforward.gate is not None and feedforward.gate_bias is not None:
                if piece.gate is None:
                    feedforward.gate_bias[rows] = 1.0
                else:
                    feedforward.gate[rows], feedforward.gate_bias[rows] = map(torch.from_numpy, piece.gate.resolved(between, width))


def stored_dtype(arithmetic: str) -> torch.dtype:
    """The type that weights are stored in: their own for native floats, float64 for emulated formats."""
    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}.get(arithmetic, torch.float64)


def refuse_off_grid(model: Transformer, construction: str) -> None:
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
