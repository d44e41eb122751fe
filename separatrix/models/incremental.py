"""The Transformer token by token: its state is the cache of all keys and values so far, and grows with the clock.

A linear unit in the place of heads carries its own registers, whose number does not grow.

`Transformer.forward` computes the same logits in parallel; a law test compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from separatrix.errors import BadInput
from separatrix.models.sequence_model import State, Tensors

if TYPE_CHECKING:
    from separatrix.models.transformer import AttentionHeads, Layer, LayerConfig, Transformer


def step(model: Transformer, state: State, tokens: Tensor) -> tuple[State, Tensor]:
    """Read one token [rows] of each sequence."""
    need_steps(model)
    x = model.numbers.enter(model.embedding(tokens[:, None], start=state.clock + 1))
    caches = []
    for layer, cache in zip(model.stack(), state.layers, strict=True):
        before = x if layer.before_attention is None else layer.before_attention(x)
        following, a = attend_step(layer.attention, cache, before, state.clock) if layer.unit is None else layer.unit.step(cache, before)
        x = layer.after_attention(x, a)
        caches.append(following)
    return State(state.clock + 1, tuple(caches)), model.readout(x)[:, 0]


def attend_step(heads: AttentionHeads, cache: Tensors, x: Any, clock: int) -> tuple[Tensors, Any]:
    """M-Att at the newest token x [b, 1, width], over the cache and itself."""
    numbers, layer = heads.numbers, heads.layer
    q = heads.queries(x, torch.full((len(x),), clock))
    k, v = numbers.join([cache[0], heads.keys(x, clock)], 2), numbers.join([cache[1], heads.values(x)], 2)
    u = numbers.attend(q, k, v, None, layer.attention)
    u = u.swapaxes(1, 2).reshape(len(x), 1, layer.heads * layer.value_width)
    return (k, v), numbers.linear(u, heads.out, heads.out_bias)


def empty_state(layer: Layer, rows: int) -> Tensors:
    """What a layer carries before the first token: an empty cache, or the registers of its linear unit."""
    return empty_cache(layer.attention, rows) if layer.unit is None else (layer.unit.initial(rows),)


def empty_cache(heads: AttentionHeads, rows: int) -> Tensors:
    """No keys and no values."""
    layer, dtype = heads.layer, heads.key.dtype
    shapes = ((rows, layer.heads, 0, layer.key_width), (rows, layer.heads, 0, layer.value_width))
    return tuple(heads.numbers.enter(torch.zeros(shape, dtype=dtype)) for shape in shapes)


def cache_numbers(layer: LayerConfig, length: int) -> int:
    """Numbers that one row carries after `length` tokens."""
    return layer.state if layer.state else layer.heads * (layer.key_width + layer.value_width) * length


def need_steps(model: Transformer) -> None:
    """Without a causal mask only a single layer can be read token by token: above it, earlier tokens would see later ones."""
    unmasked = sum(not layer.state for layer in model.config.layers) > 0 and not model.config.causal
    if unmasked and len(model.config.layers) > 1:
        raise BadInput(f"a Transformer of {len(model.config.layers)} layers without causal mask has no state: every token reads all others")
