"""A one-layer model on a long input: the stream is cut into blocks of tokens, so that keys and values never need it all at once."""

from __future__ import annotations

from separatrix.checker.models.description import Description
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import after_mixing, under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.values import Array, Values, join, positions

BLOCK = 1 << 15  # tokens at a time; shorter inputs are not split


def can_stream(d: Description) -> bool:
    """For one layer of attention without a norm."""
    layer = d.layers[0]
    return len(d.layers) == 1 and isinstance(layer.mixer, Attention) and layer.norm == "none" and d.embedding.reads == "tokens"


def stream(d: Description, weights: Weights, ops: Numbers, tokens: Array, at: Array) -> Values:
    """The stream after the layer at some positions, from 0 on, of one input [n] or of several [b, n]."""
    if tokens.ndim > 1:
        return join([stream(d, weights, ops, row, at)[None] for row in tokens], axis=0)
    layer, w, heads = d.layers[0], under(weights, "layers.0"), under(weights, "layers.0.mixer")
    mixer = layer.mixer
    assert isinstance(mixer, Attention)
    x = join([embed(d.embedding, weights, ops, tokens[t : t + 1], t + 1) for t in at.tolist()])
    q = mixer.queries(ops, heads, x, at)
    logits: list[list[Values]] = [[] for _ in range(mixer.heads)]
    values = []
    for first in range(0, len(tokens), BLOCK):
        block = embed(d.embedding, weights, ops, tokens[first : first + BLOCK], first + 1)
        k = mixer.keys(ops, heads, block, positions(first, len(block)))
        values.append(mixer.values(ops, heads, block))
        for h, read in enumerate(logits):
            read.append(ops.logits(mixer.of_head(q, h, mixer.key_width), mixer.of_head(k, h, mixer.key_width)))
    v, visible = join(values), mixer.mask.visible(at, len(tokens))
    weighed = [ops.attention(join(read, axis=-1), visible, mixer.scores) for read in logits]
    mixed = [ops.mix(each, mixer.of_head(v, h, mixer.value_width)) for h, each in enumerate(weighed)]
    return after_mixing(layer, w, ops, x, mixer.out(ops, heads, join(mixed, axis=-1)))
