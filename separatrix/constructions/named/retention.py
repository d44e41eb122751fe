"""Looking up, copying and comparing by a table of places in RetNet, where tokens show their position: width of order sqrt N.

Notation   P  places; place t has slot (t - 1) div w and bucket (t - 1) mod w      b  bits of a symbol      gamma  what a token leaves
           lag  tokens between a place and its reader          theta_j  the turn of pair j, 10000^(-j / pairs) a token

    first layer     its feed-forward part makes the cells, [bucket and bit]; its retention rests
    second layer    k = e_j for the slot's own pair j, v = K [cells],  q = e_j turned back by the lag,  gate = the reader's bucket
    comparing       the feed-forward part of the second layer flags what differs (equality) or is 1 in both (intersects), and a third
                    layer adds the flags up in one cell, up to 20,700 places: beyond, the slowest pair turns flags against each other

A reader sees K gamma^lag cos(theta_j x (lag - the lag it is turned back by)) where its place has a bit of 1, and 0 exactly elsewhere. When
copying and comparing all lags are P, and the cosine is 1. An index knows the lag of its slot: w theta_j <= 2 pi / 3 keeps the cosine above
1/2, so slots take the slow pairs. The places of a slot stand side by side, so they have faded almost equally, and the norm of the head
removes that: a bit of 1 is read as gamma^(w - 1) / 2 at least. K makes up for gamma^N beside the 10^-6 in the norm; where that is
too much for the format, the head is one that fades more slowly, behind others that rest: head h keeps 1 - 2^-(5 + h).

Recall is open here: what a key was written with lies at any age, and no head shows the token before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.placed_tables import Layout, Lookup, Placed, comparing, positions_of, symbols_of, tokens
from separatrix.constructions.named.streams import Array, Tensors, assembled, bits_of, by_bits, code_bits, one_hot, split, stream
from separatrix.constructions.named.table_mixers import APART, GAIN
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, PlaceConfig
from separatrix.tasks.copying import Copy
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

FADED = {"float64": 400, "float32": 40}  # bits that a number may lose to gamma^lag: squares stay within the range of the format
TURN = 2 * math.pi / 3  # of a slot's places, at most: half of it on each side has a cosine of 1/2 or more


@dataclass(frozen=True)
class Retained(Layout):
    """A table whose slots hold places that stand side by side."""

    lags: range  # of the slots' reads
    pairs: int
    heads: int

    def digits(self) -> tuple[Array, Array]:
        place = np.arange(self.places)
        return one_hot(place // self.buckets, self.slots), one_hot(place % self.buckets, self.buckets)

    @cached_property
    def gamma(self) -> float:
        """The decay of the last head."""
        return 1 - 2.0 ** -(4 + self.heads)

    @cached_property
    def least(self) -> float:
        """What the norm leaves of a bit of 1."""
        return self.gamma ** (self.buckets - 1) / 2

    def turned_back(self) -> Array:
        """For each slot the lag in the middle of its places; when all lags are one, that."""
        if len(self.lags) == 1:
            return np.full(self.slots, float(self.lags[0]))
        return self.lags[-1] - (np.arange(self.slots) + 0.5) * self.buckets + 0.5


def pairs_for(slots: int, turn: float) -> int:
    """Pairs of which the slowest, one for each slot, turn at most so far in a token; every pair turns by more than 1/10000."""
    pairs = slots
    if turn <= 1.01e-4:
        raise BadInput(f"RetNet turns every pair by more than 1/10000 a token, found {turn:.3g} as the most: expected fewer places")
    while 10000.0 ** -((pairs - slots) / pairs) > turn:
        pairs += 1 + pairs // 64
    return pairs


def heads_for(lag: int, arithmetic: str) -> int:
    """The least number of heads whose slowest decay keeps enough over this lag."""
    heads = 1
    while -lag * math.log2(1 - 2.0 ** -(4 + heads)) > FADED[arithmetic]:
        heads += 1
    return heads


def layout(task: Placed, width: int, arithmetic: str) -> Retained:
    """A slot costs one number of the stream, a bucket one and a cell for each bit."""
    b, P = code_bits(symbols_of(task)), task.length if isinstance(task, Lookup) else task.length // 2
    m, w = split(P, 1, 1 + b)
    slots = {"slot": m, "bucket": w, "code": b, "reads": 1, "answer": b, "cell": w * b}
    slots |= {} if isinstance(task, Lookup) else {"found": 1, "verdict": 1}
    lags = range(1, P + 1) if isinstance(task, IndexLookup) and P > 1 else range(P, P + 1)
    pairs = m if len(lags) == 1 else pairs_for(m, TURN / w)
    s = stream(f"{task.name}, N = {task.length}", width, **slots)
    return Retained(m, w, b, P, s, lags, pairs, heads_for(P, arithmetic))


def retnet(task: Placed, width: int = 0, arithmetic: str = "float64") -> Built:
    """Two layers for a lookup, three for a comparison; no norm before a part."""
    from separatrix.models.mixers.retnet import RetNetConfig

    sizes, at = retnet_sizes(task, width, arithmetic), layout(task, width, arithmetic)
    s, positions = at.stream, positions_of(task, at)
    tensors = {"embedding.table": tokens(task, at), "embedding.places.0.address.table": positions}
    if isinstance(task, IndexLookup):
        tensors["embedding.gate"] = np.concatenate([np.ones(task.symbols), np.zeros(task.length)])  # an index shows what it asks for
    tensors |= _named(0, "mixer", _resting(s.width)) | _named(0, "feedforward", _cells(at)) | _named(1, "mixer", _reading(at))
    reading, hidden = RetNetConfig(at.heads, 2 * at.pairs, at.columns), None
    layers: tuple[LayerConfig, ...] = (LayerConfig(RetNetConfig(1, 2, 1), FeedForwardConfig(at.columns), residual=True),)
    if isinstance(task, Lookup):
        weight, bias = by_bits(task.symbols, s.rows(at.bits, answer=np.eye(at.bits)), APART)
    else:
        flags = comparing(at, False, isinstance(task, Equality), math.sqrt(at.columns) / at.least)
        hidden, slow = FeedForwardConfig(len(flags["inner"])), pairs_for(1, TURN / at.places)
        tensors |= _named(1, "feedforward", flags) | _named(2, "mixer", _adding(at, slow))
        sign = np.array([1.0, -1.0]) * (1 if isinstance(task, Equality) else -1)
        weight, bias = sign[:, None] * s.rows(1, verdict=np.ones((1, 1))), -APART * sign
    layers = (*layers, LayerConfig(reading, hidden, residual=True))
    if hidden is not None:
        layers = (*layers, LayerConfig(RetNetConfig(at.heads, 2 * slow, 1), residual=True))
    tensors |= {"readout.weight": weight, "readout.bias": bias}
    place = PlaceConfig("table", s.width, extent=len(positions), projected=False)
    embedding = EmbeddingConfig(task.vocabulary, places=(place,), gated=isinstance(task, IndexLookup))
    facts = {"bits held": float(held_bits(at)), "K": gain(at, at.pairs)}
    return assembled(task, f"{task.name}/retnet", arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def gain(at: Retained, pairs: int) -> float:
    """K: what has faded most is still 8 or more, so that 10^-6 beside its square is nothing."""
    return 2.0 ** math.ceil(math.log2(16 * math.sqrt(2 * pairs)) - at.places * math.log2(at.gamma))


def _resting(width: int) -> Tensors:
    keys, value = np.zeros((2, width)), np.zeros((1, width))
    return {"query": keys, "key": keys, "value": value, "gate": value, "out": value.T}


def _cells(at: Retained) -> Tensors:
    """A cell for the token's bucket and each bit of its symbol, unless it reads."""
    s, columns = at.stream, at.columns
    own, bit = np.repeat(np.eye(at.buckets), at.bits, axis=0), np.tile(np.eye(at.bits), (at.buckets, 1))
    return {
        "inner": s.rows(columns, bucket=2 * own, code=2 * bit, reads=np.full((columns, 1), -2.0)),
        "inner_bias": np.full(columns, -3.0),  # a cell that stays empty is at -1 or below, so that no error of a sum fills it
        "outer": s.rows(columns, cell=np.eye(columns)).T,
        "outer_bias": np.zeros(s.width),
    }


def _reading(at: Retained) -> Tensors:
    """The last head has the table, a slot in each of its slowest pairs."""
    s, m = at.stream, at.slots
    pair = np.arange(at.pairs - m, at.pairs)
    back = at.turned_back() * 10000.0 ** -(pair / at.pairs)
    own, bit = np.repeat(np.eye(at.buckets), at.bits, axis=0), np.tile(np.eye(at.bits), (at.buckets, 1))
    slot, query, key = s.rows(m, slot=np.eye(m)), np.zeros((2 * at.pairs, s.width)), np.zeros((2 * at.pairs, s.width))
    query[pair], query[pair + at.pairs] = np.cos(back)[:, None] * slot, -np.sin(back)[:, None] * slot
    key[pair] = slot
    values, gate = gain(at, at.pairs) * s.rows(at.columns, cell=np.eye(at.columns)), GAIN * s.rows(at.columns, bucket=own)
    return _last_head(at, query, key, values, gate, s.rows(at.columns, answer=bit).T / (2 * at.least * GAIN))


def _adding(at: Retained, pairs: int) -> Tensors:
    """One cell, in the slowest pair, turned back by half of the places."""
    s, one, query, key = at.stream, np.ones((1, 1)), np.zeros((2 * pairs, at.stream.width)), np.zeros((2 * pairs, at.stream.width))
    reads, back = s.rows(1, reads=one)[0], at.places / 2 * 10000.0 ** -((pairs - 1) / pairs)
    query[pairs - 1], query[-1], key[pairs - 1] = math.cos(back) * reads, -math.sin(back) * reads, reads
    return _last_head(at, query, key, gain(at, pairs) * s.rows(1, found=one), GAIN * reads[None], s.rows(1, verdict=one).T / GAIN)


def _last_head(at: Retained, query: Array, key: Array, values: Array, gate: Array, out: Array) -> Tensors:
    """Weights of a layer in which only the last head works and the others output 0."""
    idle = at.heads - 1
    rows = {"query": query, "key": key, "value": values, "gate": gate}
    return {name: np.concatenate([np.zeros((idle * len(row), row.shape[1])), row]) for name, row in rows.items()} | {
        "out": np.concatenate([np.zeros((len(out), idle * out.shape[1])), out], axis=1)
    }


def _named(layer: int, part: str, weights: Tensors) -> Tensors:
    return {f"layers.{layer}.{part}.{name}": tensor for name, tensor in weights.items()}


def held_bits(at: Retained) -> int:
    """A cell is written once, so at a known time it holds a bit; and one bit says whether something was found."""
    return at.slots * at.columns + ("found" in at.stream.slots)


def retnet_sizes(task: Placed, width: int, arithmetic: str) -> Sizes:
    """Heads of equal size, of which the last has the table."""
    p, at = bits_of(task.name, arithmetic), layout(task, width, arithmetic)
    numbers, layers = 2 + at.heads * 2 * at.pairs * at.columns, 2
    if not isinstance(task, Lookup):
        numbers, layers = numbers + at.heads * 2 * pairs_for(1, TURN / at.places), 3
    return Sizes(layers=layers, heads=at.heads, width=at.stream.width, precision_bits=p, state_bits=p * numbers)


def _declared(computes: type[Placed], *quick: Settings) -> Construction:
    return Construction(
        name=f"{computes.name}/retnet",
        computes=computes,
        architecture=Architecture.RETNET,
        build=retnet,
        formula=retnet_sizes,
        quick=quick,
        default_length=16,
        fixed=("distribution",) if computes is IndexLookup else (),
    )


_short = {"arithmetic": "float32"}
LOOKUP_RETNET = _declared(IndexLookup, {"length": 4, "symbols": 3}, {"length": 6, "symbols": 2, **_short})
COPY_RETNET = _declared(Copy, {"length": 4, "symbols": 3})
EQUALITY_RETNET = _declared(Equality, {"length": 6, **_short})
INTERSECTS_RETNET = _declared(Intersects, {"length": 6})
