"""The weights of a program of the assembler, as arrays by their names in the model. No torch here."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.forms import Form
from separatrix.errors import BadInput

Array = npt.NDArray[Any]
Places = dict[str, slice]  # the coordinates of each slot in the stream


def layouts_of(net: Assembler) -> tuple[list[Places], int]:
    """Where the slots lie after the embedding and after each part of each layer; and the width of the stream."""
    stages = _stages(net)
    return [_layout(stage) for stage in stages], max(1, *(sum(stage.values()) for stage in stages))


def tensors_of(net: Assembler) -> dict[str, Array]:
    """Every weight of the model."""
    layouts, width = layouts_of(net)
    tensors = _embedding(net, layouts[0], width)
    for index, layer in enumerate(net.layers):
        parts = _layer(layer, layouts[2 * index : 2 * index + 3], width)
        tensors |= {f"layers.{index}.{name}": tensor for name, tensor in parts.items()}
    return tensors | ({} if net.tied else _readout(net, layouts[-1], width))


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
    mixer: dict[str, Array] = {}
    if layer.attention is not None:
        mixer = _heads(layer, before, between, width) if layer.attention else _registers(layer, before, between, width)
    tensors = {f"mixer.{name}": tensor for name, tensor in mixer.items()}
    hidden = _hidden(layer, between, after, width) if layer.gadgets else {}
    return tensors | {f"feedforward.{name}": tensor for name, tensor in hidden.items()}


def _heads(layer: Layer, before: Places, between: Places, width: int) -> dict[str, Array]:
    H, m, v = layer.head_sizes()
    query, key, value, out = np.zeros((H * m, width)), np.zeros((H * m, width)), np.zeros((H * v, width)), np.zeros((width, H * v))
    for h, head in enumerate(layer.heads):
        values = slice(h * v, h * v + head.value.rows)
        query[h * m : h * m + head.query.rows] = _matrix(head.query, before, width)
        key[h * m : h * m + head.key.rows] = _matrix(head.key, before, width)
        value[values] = _matrix(head.value, before, width)
        out[between[head.into], values] = head.out
    return {"query": query, "key": key, "value": value, "out": out}


def _registers(layer: Layer, before: Places, between: Places, width: int) -> dict[str, Array]:
    state = layer.registers()
    transition, drive, out = np.zeros((state, state)), np.zeros((state, width)), np.zeros((width, state))
    first = 0
    for into, recurrence in layer.recurrences:
        rows = slice(first, first + recurrence.registers)
        first += recurrence.registers
        transition[rows, rows] = recurrence.transition
        drive[rows] = _matrix(recurrence.source.through(recurrence.takes), before, width)
        out[between[into], rows] = recurrence.gives
    return {"transition": transition, "drive": drive, "out": out}


def _hidden(layer: Layer, between: Places, after: Places, width: int) -> dict[str, Array]:
    hidden, gated = layer.hidden(), layer.activation == "reglu"
    shapes = {"inner": (hidden, width), "inner_bias": (hidden,), "outer": (width, hidden), "outer_bias": (width,)}
    shapes |= {"gate": (hidden, width), "gate_bias": (hidden,)} if gated else {}
    tensors: dict[str, Array] = {name: np.zeros(shape) for name, shape in shapes.items()}
    unit = 0
    for into, gadget in layer.gadgets:
        tensors["outer_bias"][after[into]] += gadget.constant
        for piece in gadget.parts:
            rows = slice(unit, unit + piece.form.rows)
            unit += piece.form.rows
            tensors["inner"][rows], tensors["inner_bias"][rows] = piece.form.resolved(between, width)
            tensors["outer"][after[into], rows] = piece.matrix
            if gated and piece.gate is None:
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
