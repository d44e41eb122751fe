"""Looking up, copying and comparing by sums: linear attention in one layer or two, of width of order sqrt N.

Notation   P  places; place t has slot (t - 1) mod m and bucket (t - 1) div m       b  bits of a symbol, one head for each
           G  a gain at which elu(-G) + 1 vanishes                                   w  buckets

phi(u) = elu(u) + 1 is 1 at u = 0 and vanishes at u <= -G, so it can be an AND of what is 0 or 1:

    a place writes   phi(k)_j = [slot j and bit c of its symbol is 1]     v = its bucket          in head c
    a reader reads   phi(q)_j = [slot j],   and 1 for a sink              sum over the places of that slot whose bit is 1, by bucket

The sum is divided by 1 + the places that were added up: the reader, or the separator, has written 1 into the sink. So a bucket reads 0
or at least 1/(1 + w). A feed-forward part keeps the asked bucket, ReLU(read + M [bucket] - M). Every other token writes e^-10 into the
sink, so that nothing is divided by 0.

Comparing, the second half reads the first, as if it were a copy. The feed-forward part flags a bit that differs (equality), or 1 in both
(intersects), and a second layer takes the mean of all flags so far, with phi(q) = phi(k) = 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
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
from separatrix.tasks import Task
from separatrix.tasks.copying import Copy
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

GAIN = {"float64": 40.0, "float32": 20.0}  # G: e^-G is below a unit of 1 in the last place
FAINT = 10.0
Lookup = IndexLookup | Copy
Comparing = Equality | Intersects


@dataclass(frozen=True)
class Layout:
    """Slots, buckets and bits, and the stream that carries them."""

    slots: int
    buckets: int
    bits: int
    places: int
    stream: Stream

    @property
    def least_read(self) -> float:
        """What a bit of 1 leaves, at least: one place beside w - 1 others, over the sink and what up to 2 P tokens leave in it."""
        return 1 / (1 + self.buckets + 2 * self.places * math.exp(-FAINT))


def layout(task: Lookup | Comparing, width: int) -> Layout:
    """A slot costs one number, a bucket one for the question and one for each bit; what a place shows of its bucket is read there later."""
    symbols, places = (task.symbols, task.length) if isinstance(task, Lookup) else (task.vocabulary, task.length // 2)
    b = code_bits(symbols)
    m, w = split(places, 1, b + 1)
    answer = {"answer": b} if isinstance(task, Lookup) else {"found": 1, "verdict": 1}
    s = stream(f"{task.name}, N = {task.length}", width, slot=m, read=b * w, asked=w, code=b, reader=1, sink=1, **answer)
    return Layout(m, w, b, places, s)


def linear_attention(task: Lookup | Comparing, width: int = 0, arithmetic: str = "float64") -> Built:
    """One layer with a feed-forward part, and to compare another one without; biases as trained, no norm."""
    from separatrix.models.mixers.linear_attention import LinearAttentionConfig

    sizes, at = lookup_sums_sizes(task, width, arithmetic), layout(task, width)
    hidden = _selecting(at) if isinstance(task, Lookup) else _flagging(at, isinstance(task, Equality))
    reading = LinearAttentionConfig(at.bits, at.slots + 1, at.buckets, bias=True)
    layers: tuple[LayerConfig, ...] = (LayerConfig(reading, FeedForwardConfig(len(hidden["inner"])), residual=True),)
    places = _places(task, at)
    tensors = {
        "embedding.table": _tokens(task, at),
        "embedding.places.0.address.table": places,
        **_heads(at, GAIN[arithmetic]),
        **{f"layers.0.feedforward.{name}": tensor for name, tensor in hidden.items()},
    }
    if isinstance(task, Lookup):
        weight, bias = by_bits(task.symbols, at.stream.rows(at.bits, answer=np.eye(at.bits)), at.least_read / 2)
        tensors["embedding.gate"] = _shows_place(task)
    else:
        tensors |= _mean(at)
        layers = (*layers, LayerConfig(LinearAttentionConfig(1, 1, 1, bias=True), residual=True))
        sign = np.array([1.0, -1.0]) * (1 if isinstance(task, Equality) else -1)
        weight, bias = sign[:, None] * at.stream.rows(1, verdict=np.ones((1, 1))), -0.25 / task.length * sign  # a flag is 1/2 or more
    tensors |= {"readout.weight": weight, "readout.bias": bias}
    place = PlaceConfig("table", at.stream.width, extent=len(places), projected=False)
    embedding = EmbeddingConfig(task.vocabulary, places=(place,), gated=isinstance(task, Lookup))
    facts = {"bits held": float(held_bits(at) + len(layers) - 1)}
    return assembled(task, f"{task.name}/linear-attention", arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def _selecting(at: Layout) -> Tensors:
    """Keeps the bucket that is asked for."""
    b, w, s, hidden = at.bits, at.buckets, at.stream, at.bits * at.buckets
    return {
        "inner": s.rows(hidden, read=np.eye(hidden), asked=2 * np.tile(np.eye(w), (b, 1))),
        "inner_bias": np.full(hidden, -2.0),
        "outer": s.rows(hidden, answer=np.repeat(np.eye(b), w, axis=0)).T,
        "outer_bias": np.zeros(s.width),
    }


def _flagging(at: Layout, differ: bool) -> Tensors:
    """Units for each bit and bucket, with r = what is read over the least of it: 0, or 1 up to R; 2 R where a place shows its bucket too.

    ReLU(r + 2 R ([asked] - [bit] - 1) - 1/2) and ReLU([bit] + [asked] - r - 3/2) for equality; ReLU(r + 2 R ([asked] + [bit] - 2) - 1/2).
    """
    b, w, s, cells = at.bits, at.buckets, at.stream, at.bits * at.buckets
    asked, bit, R = np.tile(np.eye(w), (b, 1)), np.repeat(np.eye(b), w, axis=0), 1 / at.least_read
    read, M = R * np.eye(cells), 2 * R
    if differ:
        inner = [s.rows(cells, read=read, asked=M * asked, code=-M * bit), s.rows(cells, read=-read, asked=asked, code=bit)]
        bias = [np.full(cells, -M - 0.5), np.full(cells, -1.5)]
    else:
        inner, bias = [s.rows(cells, read=read, asked=M * asked, code=M * bit)], [np.full(cells, -2 * M - 0.5)]
    hidden = cells * len(inner)
    outer = s.rows(hidden, found=np.ones((hidden, 1))).T
    return {"inner": np.concatenate(inner), "inner_bias": np.concatenate(bias), "outer": outer, "outer_bias": np.zeros(s.width)}


def _mean(at: Layout) -> Tensors:
    """Layer 2: the mean of `found` over all tokens so far."""
    s, one = at.stream, np.ones((1, 1))
    tensors = {
        "query": s.rows(1), "query_bias": np.zeros(1), "key": s.rows(1), "key_bias": np.zeros(1),
        "value": s.rows(1, found=one), "value_bias": np.zeros(1), "out": s.rows(1, verdict=one).T, "out_bias": np.zeros(s.width),
    }  # fmt: skip
    return {f"layers.1.mixer.{name}": tensor for name, tensor in tensors.items()}


def _tokens(task: Lookup | Comparing, at: Layout) -> Array:
    """Symbols show their bits; an index shows the place it asks for, and reads; a separator fills the sink."""
    s = at.stream
    if not isinstance(task, Lookup):
        return s.rows(task.vocabulary, code=binary(task.vocabulary))
    symbols = s.rows(task.symbols, code=binary(task.symbols))
    if isinstance(task, Copy):
        return np.concatenate([symbols, s.rows(1, sink=np.ones((1, 1)))])
    asked, ones = _digits(np.arange(task.length), at), np.ones((task.length, 1))
    return np.concatenate([symbols, s.rows(task.length, slot=asked[0], asked=asked[1], reader=ones, sink=ones)])


def _shows_place(task: Lookup) -> Array:
    """Whether a token shows where it stands: all but an index."""
    return np.concatenate([np.ones(task.symbols), np.full(task.vocabulary - task.symbols, float(isinstance(task, Copy)))])


def _places(task: Lookup | Comparing, at: Layout) -> Array:
    """What each position shows: slot and bucket of a place to be written; in the second half, those of the place P before, to be read.

    When comparing, where there is no separator, the first reader fills the sink.
    """
    P, s = at.places, at.stream
    slot, bucket = _digits(np.arange(P), at)
    written = s.rows(P, slot=slot, read=np.concatenate([bucket, np.zeros((P, (at.bits - 1) * at.buckets))], axis=1))
    if isinstance(task, IndexLookup):
        return np.concatenate([written, s.rows(1)])
    fills = np.zeros((P, 1)) if isinstance(task, Lookup) else np.eye(P, 1)
    return np.concatenate([written, s.rows(P, slot=slot, asked=bucket, reader=np.ones((P, 1)), sink=fills)])


def _digits(place: Array, at: Layout) -> tuple[Array, Array]:
    return one_hot(place % at.slots, at.slots), one_hot(place // at.slots, at.buckets)


def _heads(at: Layout, gain: float) -> Tensors:
    """Weights of the layer that reads the table: one head for each bit of a symbol."""
    b, m, w, s = at.bits, at.slots, at.buckets, at.stream
    key, query = np.zeros((b, m + 1, s.width)), np.zeros((b, m + 1, s.width))
    for c in range(b):
        bit = np.tile(np.eye(b)[c], (m, 1))
        key[c, :m] = gain * s.rows(m, slot=np.eye(m), code=bit, reader=np.full((m, 1), -2.0))
        key[c, m] = FAINT * s.rows(1, sink=np.ones((1, 1)))[0]
        query[c, :m] = gain * s.rows(m, slot=np.eye(m))
    key_bias = np.tile(np.append(np.full(m, -2 * gain), -FAINT), b)
    query_bias = np.tile(np.append(np.full(m, -gain), 0.0), b)
    value = np.tile(s.rows(w, read=np.eye(w, b * w)), (b, 1))
    tensors = {
        "query": query.reshape(-1, s.width), "query_bias": query_bias, "key": key.reshape(-1, s.width), "key_bias": key_bias,
        "value": value, "value_bias": np.zeros(b * w), "out": s.rows(b * w, read=np.eye(b * w)).T, "out_bias": np.zeros(s.width),
    }  # fmt: skip
    return {f"layers.0.mixer.{name}": tensor for name, tensor in tensors.items()}


def held_bits(at: Layout) -> int:
    """A cell is 0 or 1, since a place has one slot and one bucket; a slot counts up to w places; the sink is full or not."""
    return at.bits * (at.slots * (at.buckets + math.ceil(math.log2(at.buckets + 1))) + 1)


def lookup_sums_sizes(task: Lookup | Comparing, width: int, arithmetic: str) -> Sizes:
    """b heads of (m + 1) (w + 1) numbers; to compare, one more of two."""
    p, at = bits_of(task.name, arithmetic), layout(task, width)
    layers = 1 if isinstance(task, Lookup) else 2
    state = p * (at.bits * (at.slots + 1) * (at.buckets + 1) + 2 * (layers - 1))
    return Sizes(layers=layers, heads=at.bits, width=at.stream.width, precision_bits=p, state_bits=state)


def _declared(computes: type[Task], *quick: Settings) -> Construction:
    fixed = ("distribution",) if computes is IndexLookup else ()
    return Construction(
        name=f"{computes.name}/linear-attention",
        computes=computes,
        architecture=Architecture.LINEAR_ATTENTION,
        build=linear_attention,
        formula=lookup_sums_sizes,
        quick=quick,
        default_length=16,
        fixed=fixed,
        ignores=fixed,  # a place that does not exist was never written
    )


LOOKUP_LINEAR_ATTENTION = _declared(IndexLookup, {"length": 4, "symbols": 3}, {"length": 64, "symbols": 2})
COPY_LINEAR_ATTENTION = _declared(Copy, {"length": 4, "symbols": 4})
EQUALITY_LINEAR_ATTENTION = _declared(Equality, {"length": 6})
INTERSECTS_LINEAR_ATTENTION = _declared(Intersects, {"length": 8})
