"""A whole model as an ONNX file: `tokens` [batch, length], or vectors [batch, length, plain] -> `logits` [batch, length, targets].

Positions and numbered tokens are tabulated, up to the longest input of the model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from onnx import TensorProto, checker, helper
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.models.embedding import Embedding
from separatrix.models.exported.graph import INTEGER, OPSET, Graph, Value
from separatrix.models.exported.mixers import mixed
from separatrix.models.feedforward import FeedForward
from separatrix.models.layer import Layer
from separatrix.models.model import Model

NUMBERS = {"float64": TensorProto.DOUBLE, "float32": TensorProto.FLOAT}
LARGEST = 1 << 30  # bytes of tables; a file of this format holds less than 2 GB


def onnx_bytes(model: Model, last: bool, about: Mapping[str, str]) -> bytes:
    """The file; `about` is stored beside the graph, as text.

    With `last` the answer is read at the last token alone: the last layer is computed only there, and `logits` are [batch, 1, targets].
    """
    name = model.config.arithmetic
    if name not in NUMBERS:
        raise BadInput(f"--format onnx: engines that read ONNX compute in float64 or float32, not in {name}")
    _refuse_large_tables(model)
    g = Graph(NUMBERS[name])
    with torch.no_grad():
        x = _embedded(g, model.embedding, "tokens", model.config.length)
        layers = model.each_layer()
        for number, layer in enumerate(layers, 1):
            x = _after(g, layer, x, last and number == len(layers))
        x = x if model.readout.norm is None else _normed(g, model.readout.norm, x)
        g.nodes.append(helper.make_node("Identity", [g.linear(x, model.readout.weight, model.readout.bias)], ["logits"]))
    reads = [model.config.embedding.plain] if model.config.embedding.reads == "vectors" else []
    into = helper.make_tensor_value_info("tokens", INTEGER, ["batch", "length", *reads])
    out = helper.make_tensor_value_info("logits", g.number, ["batch", 1 if last else "length", model.config.readout.targets])
    graph = helper.make_graph(g.nodes, "separatrix", [into], [out], g.constants)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="separatrix", ir_version=8)
    helper.set_model_props(proto, dict(about))
    checker.check_model(proto, full_check=True)
    return bytes(proto.SerializeToString())


def _refuse_large_tables(model: Model) -> None:
    embedding = model.config.embedding
    numbers = (embedding.vocabulary + len(embedding.places) * model.config.length) * model.config.width
    if 8 * numbers > LARGEST:
        raise BadInput(
            f"--format onnx: positions and tokens would be tables of {8 * numbers / 1e9:.1f} GB, expected at most {LARGEST / 1e9:.1f} GB: "
            "choose a smaller --length"
        )


def _embedded(g: Graph, embedding: Embedding, tokens: Value, length: int) -> Value:
    """Rows of one table for all ids, and a table of positions for each place."""
    dtype = embedding.table.dtype
    if embedding.config.reads == "vectors":
        x = g.add("MatMul", g.to_number(tokens), g.weight(embedding.table, "table"))
    else:
        every = torch.arange(embedding.config.vocabulary)
        x = g.add("Gather", g.weight(embedding.of_tokens(every[None])[0], "table"), tokens, axis=0)
    for place in embedding.every_place():
        table = g.weight(place(torch.arange(1, length + 1), dtype), "places")
        features = g.first(table, g.size(tokens, 1), 0)
        if embedding.gate is not None:
            gates = embedding.gate[embedding.rows(torch.arange(embedding.config.vocabulary))]
            gate = g.add("Gather", g.weight(gates[:, None], "gate"), tokens, axis=0)
            features = g.add("Mul", gate, features)
        x = g.add("Add", x, features)
    return x


def _after(g: Graph, layer: Layer, x: Value, last: bool) -> Value:
    """The stream after a layer, at every token or at the last alone."""

    def added(x: Value, part: Value) -> Value:
        return g.add("Add", x, part) if layer.config.residual else part

    normed = x if layer.before_mixing is None else _normed(g, layer.before_mixing, x)
    if layer.mixer is None and layer.feedforward is None:
        return g.last(normed) if last else normed
    here = g.last(x) if last else x
    y = here if layer.mixer is None else added(here, mixed(g, layer.mixer, normed, last))
    if layer.feedforward is None:
        return y
    return added(y, _fed_forward(g, layer.feedforward, y if layer.before_feedforward is None else _normed(g, layer.before_feedforward, y)))


def _fed_forward(g: Graph, part: FeedForward, y: Value) -> Value:
    h = g.linear(y, part.inner, part.inner_bias)
    if part.config.activation == "gelu":
        cubed = g.add("Mul", g.add("Mul", h, h), h)
        inside = g.add("Mul", g.add("Add", h, g.add("Mul", cubed, g.scalar(0.044715))), g.scalar(math.sqrt(2 / math.pi)))
        h = g.add("Mul", g.add("Mul", h, g.scalar(0.5)), g.add("Add", g.add("Tanh", inside), g.scalar(1.0)))
    elif part.config.activation == "swiglu":
        h = g.add("Mul", h, g.add("Sigmoid", h))
    else:
        h = g.add("Relu", h)
    if part.gate is not None:
        h = g.add("Mul", h, g.linear(y, part.gate, part.gate_bias))
    return g.linear(h, part.outer, part.outer_bias)


def _normed(g: Graph, norm: nn.Module, x: Value) -> Value:
    """A layer norm or an RMS norm, by its definition."""
    weight, bias = norm.weight, getattr(norm, "bias", None)
    assert isinstance(weight, Tensor)
    if isinstance(norm, nn.LayerNorm):
        x = g.add("Sub", x, g.add("ReduceMean", x, g.integers(-1), keepdims=1))
    square = g.add("ReduceMean", g.add("Mul", x, x), g.integers(-1), keepdims=1)
    root = g.add("Sqrt", g.add("Add", square, g.scalar(float(getattr(norm, "eps", 0.0)))))
    y = g.add("Mul", g.add("Div", x, root), g.weight(weight, "norm"))
    return y if bias is None else g.add("Add", y, g.weight(bias, "norm"))
