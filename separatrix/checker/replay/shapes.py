"""What the rules require of a model as a whole, and the parts of a layer on boxes.

Also the input of the first layer: tokens at positions, one by one, or all positions of a token in one box.
"""

from __future__ import annotations

from separatrix.checker.models.description import Layer
from separatrix.checker.models.embedding import embed_at
from separatrix.checker.models.layer import feedforward, under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, join, known
from separatrix.checker.numbers.leads import leads
from separatrix.checker.seal import Unproven


def attention_layers(model: Model, count: int) -> list[Attention]:
    """The mixers of a model with `count` attention layers, without norms, that reads tokens."""
    d = model.description
    if d.embedding.reads != "tokens":
        raise Unproven("the embedding", "it reads vectors, expected tokens")
    if len(d.layers) != count:
        raise Unproven("the model", f"expected {count} layer{'s' * (count > 1)} of attention, found {len(d.layers)}")
    mixers = []
    for i, layer in enumerate(d.layers):
        if not isinstance(layer.mixer, Attention):
            raise Unproven(f"layer {i + 1}", f"expected attention, found {type(layer.mixer).__name__}")
        if layer.norm != "none":
            raise Unproven(f"layer {i + 1}", "a norm, expected none")
        if layer.mixer.folds:
            raise Unproven(f"layer {i + 1}", "a scaled softmax, which a program may take another way, expected logits that are not scaled")
        mixers.append(layer.mixer)
    if d.readout.norm != "none":
        raise Unproven("the read-out", "a norm, expected none")
    return mixers


def after_reading(model: Model, number: int, x: Box, read: Box) -> Box:
    """The rest of a layer at each position alone: what the heads read, side by side, and the stream x that entered."""
    layer: Layer = model.description.layers[number]
    w, ops = model.layers[number], model.ops
    mixer = under(w, "mixer")
    y = ops.linear(read, mixer["out"], mixer.get("out_bias"))
    if layer.residual:
        y = ops.add(x, y)
    if layer.feedforward is None:
        return known(y)
    if layer.feedforward.activation not in ("relu", "reglu"):
        raise Unproven(f"layer {number + 1}", f"the feed-forward part has {layer.feedforward.activation} units, expected relu or reglu")
    z = feedforward(layer.feedforward, under(w, "feedforward"), ops, y, together=True)
    return known(ops.add(y, z) if layer.residual else z)


def logits_of(model: Model, x: Box) -> Box:
    """From the stream to the logits."""
    return known(model.ops.linear(x, model.weights["readout.weight"], model.weights.get("readout.bias")))


def leads_after(model: Model, x: Box, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of the stream; in the units of the format."""
    return leads(model.ops, x, model.weights["readout.weight"], model.weights.get("readout.bias"), answers)


def tokens_at(model: Model, tokens: Array, positions: Array) -> Box:
    """The stream [tokens, width] of tokens at positions, from 0 on."""
    return embed_at(model.description.embedding, model.weights, model.ops, tokens, positions + 1)


def anywhere(model: Model, tokens: range, n: int, listed: bool) -> Box:
    """A box for each of some plain tokens that holds its stream at every position 0 .. n - 1, [tokens, width]: one by one if `listed`."""
    if listed:
        boxes = []
        for token in tokens:
            boxes.append(known(tokens_at(model, arrays.full(n, token), arrays.arange(n))).hull()[None])
        return join(boxes)
    from separatrix.checker.replay.many_places import everywhere

    return everywhere(model, tokens, n)
