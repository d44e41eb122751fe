"""Looking up and copying by sums: linear attention in one layer, of width of order sqrt N.

Notation   N  places; place t has slot (t - 1) mod m and bucket (t - 1) div m       b  bits of a symbol, one head for each
           G  a gain at which elu(-G) + 1 vanishes                                   w  buckets

phi(u) = elu(u) + 1 is 1 at u = 0 and vanishes at u <= -G, so it can be an AND of what is 0 or 1:

    a place writes   phi(k)_j = [slot j and bit c of its symbol is 1]     v = its bucket          in head c
    a reader reads   phi(q)_j = [slot j],   and 1 for a sink              sum over the places of that slot whose bit is 1, by bucket

The sum is divided by 1 + the places that were added up: the reader, or the separator, has written 1 into the sink. So a bucket reads 0
or at least 1/(1 + w). A feed-forward part keeps the asked bucket, ReLU(read + M [bucket] - M). Every other token writes e^-14 into the
sink, so that nothing is divided by 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.recall_tables import split
from separatrix.constructions.named.streams import Array, Stream, Tensors, assembled, binary, bits_of, by_bits, code_bits, one_hot, stream
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, PlaceConfig
from separatrix.tasks.copying import Copy
from separatrix.tasks.index_lookup import IndexLookup

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

GAIN = {"float64": 40.0, "float32": 20.0}  # G: e^-G is below a unit of 1 in the last place
FAINT = 14.0
Lookup = IndexLookup | Copy


@dataclass(frozen=True)
class Layout:
    """Slots, buckets and bits, and the stream that carries them."""

    slots: int
    buckets: int
    bits: int
    stream: Stream

    def least_read(self, length: int) -> float:
        """What a bit of 1 leaves, at least: one place beside w - 1 others, over the sink and what up to 2 N tokens leave in it."""
        return 1 / (1 + self.buckets + 2 * length * math.exp(-FAINT))


def layout(task: Lookup, width: int) -> Layout:
    """A slot costs one number, a bucket one for the question and one for each bit; what a place shows of its bucket is read there later."""
    b = code_bits(task.symbols)
    m, w = split(task.length, 1, b + 1)
    s = stream(f"{task.name}, N = {task.length}", width, slot=m, read=b * w, asked=w, code=b, answer=b, reader=1, sink=1)
    return Layout(m, w, b, s)


def linear_attention(task: Lookup, width: int = 0, arithmetic: str = "float64") -> Built:
    """One layer with a feed-forward part; biases as trained, no norm."""
    from separatrix.models.mixers.linear_attention import LinearAttentionConfig

    sizes, at = lookup_sums_sizes(task, width, arithmetic), layout(task, width)
    b, w, s, hidden = at.bits, at.buckets, at.stream, at.bits * at.buckets
    places, extent = _places(task, at)
    weight, bias = by_bits(task.symbols, s.rows(b, answer=np.eye(b)), at.least_read(task.length) / 2)
    tensors = {
        "embedding.table": _tokens(task, at),
        "embedding.gate": _shows_place(task),
        "embedding.places.0.address.table": places,
        **_heads(at, GAIN[arithmetic]),
        "layers.0.feedforward.inner": s.rows(hidden, read=np.eye(hidden), asked=2 * np.tile(np.eye(w), (b, 1))),
        "layers.0.feedforward.inner_bias": np.full(hidden, -2.0),
        "layers.0.feedforward.outer": s.rows(hidden, answer=np.repeat(np.eye(b), w, axis=0)).T,
        "layers.0.feedforward.outer_bias": np.zeros(s.width),
        "readout.weight": weight,
        "readout.bias": bias,
    }
    embedding = EmbeddingConfig(task.vocabulary, places=(PlaceConfig("table", s.width, extent=extent, projected=False),), gated=True)
    layer = LayerConfig(LinearAttentionConfig(b, at.slots + 1, w, bias=True), FeedForwardConfig(hidden), residual=True)
    facts = {"bits held": float(held_bits(at))}
    name = f"{task.name}/linear-attention"
    return assembled(task, name, arithmetic, {"width": width}, sizes, embedding, (layer,), tensors, facts)


def _tokens(task: Lookup, at: Layout) -> Array:
    """Symbols show their bits; an index shows the place it asks for, and reads; a separator fills the sink."""
    s, symbols = at.stream, at.stream.rows(task.symbols, code=binary(task.symbols))
    one = np.ones((1, 1))
    if isinstance(task, Copy):
        return np.concatenate([symbols, s.rows(1, sink=one)])
    asked, ones = _digits(np.arange(task.length), at), np.ones((task.length, 1))
    return np.concatenate([symbols, s.rows(task.length, slot=asked[0], asked=asked[1], reader=ones, sink=ones)])


def _shows_place(task: Lookup) -> Array:
    """Whether a token shows where it stands: all but an index."""
    return np.concatenate([np.ones(task.symbols), np.full(task.vocabulary - task.symbols, float(isinstance(task, Copy)))])


def _places(task: Lookup, at: Layout) -> tuple[Array, int]:
    """What each position shows: slot and bucket of a place to be written; when copying, those of the place N before, to be read."""
    N, s = task.length, at.stream
    slot, bucket = _digits(np.arange(N), at)
    written = s.rows(N, slot=slot, read=np.concatenate([bucket, np.zeros((N, (at.bits - 1) * at.buckets))], axis=1))
    reading = s.rows(N, slot=slot, asked=bucket, reader=np.ones((N, 1)))
    rows = np.concatenate([written, reading]) if isinstance(task, Copy) else written
    table = np.concatenate([rows, np.zeros((1, s.width))]) if isinstance(task, IndexLookup) else rows
    return table, len(table)


def _digits(place: Array, at: Layout) -> tuple[Array, Array]:
    return one_hot(place % at.slots, at.slots), one_hot(place // at.slots, at.buckets)


def _heads(at: Layout, gain: float) -> Tensors:
    """One head for each bit."""
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


def lookup_sums_sizes(task: Lookup, width: int, arithmetic: str) -> Sizes:
    """b heads of (m + 1) (w + 1) numbers."""
    p, at = bits_of(task.name, arithmetic), layout(task, width)
    state = p * at.bits * (at.slots + 1) * (at.buckets + 1)
    return Sizes(layers=1, heads=at.bits, width=at.stream.width, precision_bits=p, state_bits=state)


LOOKUP_LINEAR_ATTENTION = Construction(
    name="index-lookup/linear-attention",
    cites="",
    computes=IndexLookup,
    architecture=Architecture.LINEAR_ATTENTION,
    build=linear_attention,
    formula=lookup_sums_sizes,
    quick=({"length": 4, "symbols": 3},),
    default_length=16,
    fixed=("distribution",),
    ignores=("distribution",),  # a place that does not exist was never written
)
COPY_LINEAR_ATTENTION = Construction(
    name="copy/linear-attention",
    cites="",
    computes=Copy,
    architecture=Architecture.LINEAR_ATTENTION,
    build=linear_attention,
    formula=lookup_sums_sizes,
    quick=({"length": 4, "symbols": 4},),
    default_length=16,
)
