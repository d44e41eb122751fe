"""Recall by sums: linear attention in two layers, of width of order sqrt(n) log n for n pairs.

Notation   S  keys, key s stands in slot s mod m of bucket s // m             B  bits of the number of a pair
           n  pairs; pair i has the number 2^B - i                             b  bits of a label
           G  a gain at which elu(-G) + 1 vanishes                             C  what a reader's sink weighs, far more than any count

A label does not see the key before it, but both know the number of their pair, by their position:

    layer 1   from a key to the number of its pair     a head for each of its B bits: a key writes its bucket into its slot iff the bit is 1
    layer 2   from the number to the label             a head for each of b bits: a label writes the bucket of its pair into the pair's slot

What layer 1 reads is divided by C + a count, so times C it is 1, or less by a share of at most w / C: near enough to bits that their AND
is 1 or vanishes, in phi(q) and in the feed-forward part that selects a bucket. A sink is filled once, by a token whose value is 0: the
first label in layer 1, the first key in layer 2. Before that label only the first key reads in layer 1, and it reads itself: the number
of the first pair has all bits 1. So nothing is divided by 0. In float64 every other token also leaves e^-20 there, too little to matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.lookup_sums import GAIN
from separatrix.constructions.named.streams import (
    Array,
    Stream,
    Tensors,
    assembled,
    binary,
    bits_of,
    by_bits,
    code_bits,
    one_hot,
    split,
    stream,
)
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, PlaceConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

FAINT = 20.0  # every token leaves e^-20 in a sink; in float32 that is 0


@dataclass(frozen=True)
class Layout:
    """Slots and buckets of keys (m, w) and of pairs (2^low, 2^high), bits of a pair's number and of a label, and the stream."""

    m: int
    w: int
    low: int
    high: int
    b: int
    stream: Stream

    @property
    def B(self) -> int:
        """Bits of the number of a pair."""
        return self.low + self.high

    @property
    def sink(self) -> float:
        """C: what is lost in all bits together is less than a quarter of the least that is read in layer 2."""
        return 2.0 ** math.ceil(math.log2(16 * (self.w + 1) * self.B * (1 + 2**self.high)))


def layout(task: Recall, width: int) -> Layout:
    """A bucket of keys costs a number for itself and one for each bit that is read there; so does one of pairs."""
    B, b = code_bits(task.pairs), code_bits(task.labels)
    m, w = split(task.keys, 1, 1 + B)
    low = min(range(B + 1), key=lambda k: 2**k + (1 + b) * 2 ** (B - k))
    slots = {"slot": m, "bucket": w, "code": b, "pair": B, "place": 2**low, "part": 2 ** (B - low), "writes": 1, "first": 1, "second": 1}
    reads = {"number": B, "found": B * w, "read": b * 2 ** (B - low), "answer": b}
    return Layout(m, w, low, B - low, b, stream(f"{task.name} with {task.keys} keys", width, **slots, **reads))


def linear_attention(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """Two layers with feed-forward parts; biases as trained, no norm."""
    from separatrix.models.mixers.linear_attention import LinearAttentionConfig

    sizes, at, gain = recall_sums_sizes(task, width, arithmetic), layout(task, width), GAIN[arithmetic]
    s, b, B, w, m, part = at.stream, at.b, at.B, at.w, at.m, 2**at.high
    key = np.arange(task.keys)
    tokens = [s.rows(task.keys, slot=one_hot(key % m, m), bucket=one_hot(key // m, w)), s.rows(task.labels, code=binary(task.labels))]
    weight, bias = by_bits(task.labels, s.rows(b, answer=np.eye(b)), 0.5 / (1 + part))
    tensors = {
        "embedding.table": np.concatenate(tokens),
        "embedding.places.0.address.table": _places(task, at),
        **_finding(at, gain),
        **_reading(at, gain),
        "readout.weight": weight,
        "readout.bias": bias,
    }
    place = PlaceConfig("table", s.width, extent=task.token_count, projected=False)
    layers = (
        LayerConfig(LinearAttentionConfig(B, m + 1, w, bias=True), FeedForwardConfig(B * w), residual=True),
        LayerConfig(LinearAttentionConfig(b, 2**at.low + 1, part, bias=True), FeedForwardConfig(b * part), residual=True),
    )
    embedding = EmbeddingConfig(task.vocabulary, places=(place,))
    facts = {"bits held": float(held_bits(at))}
    return assembled(task, f"{task.name}/linear-attention", arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def _places(task: Recall, at: Layout) -> Array:
    """Embeddings: both tokens of a pair carry its number (bits, slot, bucket) and a flag that they write; a key has no bucket."""
    n, rest = task.pairs, task.token_count - 2 * task.pairs
    token = np.arange(2 * n)
    pair = 2**at.B - 1 - token // 2
    slot, bucket = one_hot(pair % 2**at.low, 2**at.low), one_hot(pair >> at.low, 2**at.high) * (token % 2)[:, None]
    bits = (pair[:, None] >> np.arange(at.B) & 1).astype(np.float64)
    once = {name: (token == t).astype(np.float64)[:, None] for t, name in enumerate(("first", "second"))}
    written = at.stream.rows(2 * n, pair=bits, place=slot, part=bucket, writes=np.ones((2 * n, 1)), **once)
    return np.concatenate([written, np.zeros((rest, at.stream.width))])


def _finding(at: Layout, gain: float) -> Tensors:
    """Layer 1: phi(k)_j = [slot j, bit c of the pair, and written], v = bucket; the bucket of the key itself is kept."""
    s, B, m, w, hidden = at.stream, at.B, at.m, at.w, at.B * at.w
    key = [gain * s.rows(m, slot=np.eye(m), pair=np.tile(np.eye(B)[c], (m, 1)), writes=np.ones((m, 1))) for c in range(B)]
    heads = _heads(key, gain * s.rows(m, slot=np.eye(m)), np.full(m, -gain), at.sink - 1, FAINT * s.rows(1, second=np.ones((1, 1))), gain)
    value, out = np.tile(s.rows(w, bucket=np.eye(w)), (B, 1)), s.rows(hidden, found=np.eye(hidden)).T
    most = float(2**B + 1)  # more than any count
    inner = s.rows(hidden, found=at.sink * np.eye(hidden), bucket=most * np.tile(np.eye(w), (B, 1)))
    outer = s.rows(hidden, number=np.repeat(np.eye(B), w, axis=0)).T
    return _layer(0, heads, value, out, inner, np.full(hidden, -most), outer)


def _reading(at: Layout, gain: float) -> Tensors:
    """Layer 2: phi(k)_j = [slot j of the pair, bit c of the label, written], v = bucket of the pair; phi(q)_j = [the number ends in j]."""
    s, b, slots, part = at.stream, at.b, 2**at.low, 2**at.high
    key = [gain * s.rows(slots, place=np.eye(slots), code=np.tile(np.eye(b)[c], (slots, 1)), writes=np.ones((slots, 1))) for c in range(b)]
    ends, begins = _bits(at.low), _bits(at.high)
    signs = np.concatenate([2 * ends - 1, np.zeros((slots, at.high))], axis=1)
    heads = _heads(key, gain * s.rows(slots, number=signs), -gain * ends.sum(axis=1), 0.0, FAINT * s.rows(1, first=np.ones((1, 1))), gain)
    value, out = np.tile(s.rows(part, part=np.eye(part)), (b, 1)), s.rows(b * part, read=np.eye(b * part)).T
    same = np.tile(np.concatenate([np.zeros((part, at.low)), 2 * begins - 1], axis=1), (b, 1))
    inner = s.rows(b * part, read=np.eye(b * part), number=2 * same)
    outer = s.rows(b * part, answer=np.repeat(np.eye(b), part, axis=0)).T
    return _layer(1, heads, value, out, inner, -2 * np.tile(begins.sum(axis=1), b), outer)


def _bits(count: int) -> Array:
    """All strings of so many bits, the lowest first."""
    return (np.arange(2**count)[:, None] >> np.arange(count) & 1).astype(np.float64)


def _heads(keys: list[Array], query: Array, below: Array, sink: float, fills: Array, gain: float) -> Tensors:
    """Heads with these features and a sink that one token fills; three conditions make a key."""
    return {
        "query": np.tile(np.concatenate([query, 0 * fills]), (len(keys), 1)),
        "query_bias": np.tile(np.append(below, sink), len(keys)),
        "key": np.concatenate([np.concatenate([key, fills]) for key in keys]),
        "key_bias": np.tile(np.append(np.full(len(query), -3 * gain), -FAINT), len(keys)),
    }


def _layer(index: int, heads: Tensors, value: Array, out: Array, inner: Array, bias: Array, outer: Array) -> Tensors:
    mixer = {**heads, "value": value, "value_bias": np.zeros(len(value)), "out": out, "out_bias": np.zeros(len(out))}
    hidden = {"inner": inner, "inner_bias": bias, "outer": outer, "outer_bias": np.zeros(len(outer))}
    named = {f"mixer.{name}": tensor for name, tensor in mixer.items()} | {f"feedforward.{name}": tensor for name, tensor in hidden.items()}
    return {f"layers.{index}.{name}": tensor for name, tensor in named.items()}


def held_bits(at: Layout) -> int:
    """Cells are 0 or 1: a key and a pair come once; a slot counts as many as it has buckets; each head's sink is full."""
    places, parts = 1 << at.low, 1 << at.high
    return at.B * at.m * (at.w + code_bits(at.w + 1)) + at.b * places * (parts + code_bits(parts + 1))


def recall_sums_sizes(task: Recall, width: int, arithmetic: str) -> Sizes:
    """B heads of (m + 1) (w + 1) numbers, and b heads of (m' + 1) (w' + 1)."""
    p, at = bits_of(task.name, arithmetic), layout(task, width)
    state = at.B * (at.m + 1) * (at.w + 1) + at.b * (2**at.low + 1) * (2**at.high + 1)
    return Sizes(layers=2, heads=max(at.B, at.b), width=at.stream.width, precision_bits=p, state_bits=p * state)


def _declared(computes: type[Recall], *lengths: int) -> Construction:
    return Construction(
        name=f"{computes.name}/linear-attention",
        computes=computes,
        architecture=Architecture.LINEAR_ATTENTION,
        build=linear_attention,
        formula=recall_sums_sizes,
        quick=tuple({"length": length} for length in lengths),
        default_length=16,
    )


MQAR_LINEAR_ATTENTION = _declared(Mqar, 4, 16)
RECALL_LINEAR_ATTENTION = _declared(AssociativeRecall, 2, 8)
