"""A one-layer model on a long input: keys and values are never in memory all at once.

In every format the stream can be cut into blocks of tokens. In floats there is a shorter way: attention is linear on either side of
the softmax, and the stream is linear in token rows and addresses. So the logit of key j is <K^T q, x_j>, a number per token row plus one
per address, and the weighted sum of values is V applied to the weighted sum of token rows and addresses.

The bounds are those of a program that computes keys and values: with S_j the sum of magnitudes in x_j,

    |logit' - logit| <= gamma (|q| |K|) S_j + (e_q |K|) S_j        |read' - read| <= |V| sum_j (gamma w_j + e_w) S_j

where gamma counts the terms of all the sums involved, in this order or in that of a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from separatrix.checker.models.description import Description, Place
from separatrix.checker.models.embedding import addresses, embed, index
from separatrix.checker.models.layer import after_mixing, under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import gamma, grid_of, no_rounding
from separatrix.checker.numbers.values import Array, Values, join

BLOCK = 1 << 15  # tokens at a time; shorter inputs are not split
REMEMBERED = 1 << 27  # bytes of addresses that all cases share
Memory = dict[tuple[str, int, int], Array]


def can_stream(d: Description) -> bool:
    """For one layer of attention without a norm."""
    layer = d.layers[0]
    return len(d.layers) == 1 and isinstance(layer.mixer, Attention) and layer.norm == "none" and d.embedding.reads == "tokens"


def folds(d: Description, ops: Numbers) -> bool:
    """Whether the shorter way applies: plain softmax heads, in a native float, over addresses of integers and tables."""
    mixer, e = d.layers[0].mixer, d.embedding
    plain = isinstance(mixer, Attention) and mixer.scores == "softmax" and not (mixer.bias or mixer.rotary or mixer.scaled)
    exact = all(place.address != "sinusoidal" for place in e.addresses) and all(place.projected for place in e.places)
    return plain and isinstance(ops, Float) and exact


def stream(d: Description, weights: Weights, ops: Numbers, tokens: Array, at: Array, memory: Memory) -> Values:
    """The stream after the layer at some positions, from 0 on."""
    layer, w = d.layers[0], under(weights, "layers.0")
    mixer, heads = layer.mixer, under(w, "mixer")
    assert isinstance(mixer, Attention)
    x = join([embed(d.embedding, weights, ops, tokens[t : t + 1], t + 1) for t in at.tolist()])
    q = mixer.queries(ops, heads, x, at)
    if isinstance(ops, Float) and folds(d, ops):
        source = Source(d, weights, tokens, memory)
        read = join([_folded(ops, mixer, heads, source, mixer.of_head(q, h, mixer.key_width), at, h) for h in range(mixer.heads)], axis=-1)
    else:
        read = _blockwise(d, weights, ops, mixer, tokens, q, at)
    return after_mixing(layer, w, ops, x, mixer.out(ops, heads, read))


def _blockwise(d: Description, weights: Weights, ops: Numbers, mixer: Attention, tokens: Array, q: Values, at: Array) -> Values:
    """What the heads read, with keys and values computed block by block."""
    heads = under(weights, "layers.0.mixer")
    logits: list[list[Values]] = [[] for _ in range(mixer.heads)]
    values = []
    for first in range(0, len(tokens), BLOCK):
        x = embed(d.embedding, weights, ops, tokens[first : first + BLOCK], first + 1)
        k = mixer.keys(ops, heads, x, np.arange(first, first + len(x)))
        values.append(mixer.values(ops, heads, x))
        for h, read in enumerate(logits):
            read.append(ops.logits(mixer.of_head(q, h, mixer.key_width), mixer.of_head(k, h, mixer.key_width)))
    v, visible = join(values), mixer.mask.visible(at, len(tokens))
    return join(
        [
            ops.mix(ops.attention(join(read, axis=-1), visible, mixer.scores), mixer.of_head(v, h, mixer.value_width))
            for h, read in enumerate(logits)
        ],
        axis=-1,
    )


def _folded(ops: Float, mixer: Attention, w: Weights, source: Source, q: Values, at: Array, h: int) -> Values:
    """What one head reads, [readers, value width]."""
    m, u, n, d = mixer.key_width, mixer.value_width, len(source.tokens), source.table.shape[1]
    K, V = w["key"][h * m : (h + 1) * m], w["value"][h * u : (h + 1) * u]
    terms = m + 2 * d + source.terms + 16
    reach = q.reach @ np.abs(K)
    size = source.dots(reach, magnitudes=True)
    error = gamma(terms, ops.u) * size + terms * ops.tiny
    if q.error is not None:
        error = error + source.dots(q.error @ np.abs(K), magnitudes=True)
    elif source.exact(ops, q.value, K):
        error = None
    room = max(float((np.abs(M) @ source.most).max()) for M in (K, V, np.eye(d)))  # keys, values and the stream of a program
    a = ops.within(source.dots(q.value @ K), np.maximum(size, room), error)
    weights = ops.attention(a, mixer.mask.visible(at, n), mixer.scores)
    mixed = source.mixed(weights.value)
    off = source.mixed(gamma(n + terms, ops.u) * weights.reach + weights.errors, magnitudes=True)
    large = source.mixed(weights.reach, magnitudes=True) @ np.abs(V).T
    return ops.within(mixed @ V.T, np.maximum(large, room), off @ np.abs(V).T + n * ops.tiny)


@dataclass(frozen=True, eq=False)
class Source:
    """The stream that enters the layer, as token rows and addresses."""

    d: Description
    w: Weights
    tokens: Array
    memory: Memory

    @property
    def table(self) -> Array:
        """Of token rows."""
        return self.w["embedding.table"]

    @property
    def terms(self) -> int:
        """Numbers that are added up in one coordinate."""
        number = self.d.embedding.number_address
        return sum(place.dims + 3 for place in (*self.d.embedding.places, *([number] if number else [])))

    @cached_property
    def rows(self) -> Array:
        """Row of each token."""
        return np.minimum(self.tokens, self.d.embedding.rows - 1)

    @cached_property
    def numbered(self) -> Array:
        """Which tokens are numbers."""
        return np.flatnonzero(self.tokens >= self.d.embedding.plain)

    def gate(self, magnitudes: bool) -> Array | None:
        """By token row."""
        gate = self.w["embedding.gate"] if self.d.embedding.gated else None
        return gate if gate is None or not magnitudes else np.abs(gate)

    def dots(self, probes: Array, magnitudes: bool = False) -> Array:
        """<probe, x_j> for each probe and token, [probes, n]; of magnitudes, their sum."""
        size = np.abs if magnitudes else np.asarray
        products = (probes @ size(self.table).T)[:, self.rows]
        gate = self.gate(magnitudes)
        for place in self.d.embedding.places:
            along = probes @ size(self.w[f"{place.name}.weight"]).T
            for part, vectors in self.blocks(place, magnitudes):
                added = along @ vectors.T
                products[:, part] += added if gate is None else gate[self.rows[part]] * added
        for where, vectors, directions in self.numbers(magnitudes):
            products[:, where] += (probes @ directions.T) @ vectors.T
        return np.asarray(products)

    def mixed(self, weights: Array, magnitudes: bool = False) -> Array:
        """sum_j w_j x_j for each row of weights, [rows, width]; of magnitudes, their sum."""
        size = np.abs if magnitudes else np.asarray
        by_row: Array = np.stack([np.bincount(self.rows, weights=row, minlength=self.d.embedding.rows) for row in weights])
        total: Array = by_row @ size(self.table)
        gate = self.gate(magnitudes)
        gated = weights if gate is None else weights * gate[self.rows]
        for place in self.d.embedding.places:
            summed = np.zeros((len(weights), place.dims))
            for part, vectors in self.blocks(place, magnitudes):
                summed += gated[:, part] @ vectors
            total = total + summed @ size(self.w[f"{place.name}.weight"])
        for where, vectors, directions in self.numbers(magnitudes):
            total = total + (weights[:, where] @ vectors) @ directions
        return np.asarray(total)

    def blocks(self, place: Place, magnitudes: bool) -> Iterator[tuple[slice, Array]]:
        """Address vectors block by block; magnitudes of signs are all 1."""
        for first in range(0, len(self.tokens), BLOCK):
            part = slice(first, min(first + BLOCK, len(self.tokens)))
            if magnitudes and place.address == "sign":
                yield part, np.ones((part.stop - first, place.dims))
                continue
            vectors = self._vectors(place, first, part.stop).astype(np.float64)
            yield part, np.abs(vectors) if magnitudes else vectors

    def _vectors(self, place: Place, first: int, stop: int) -> Array:
        """The address vectors of one block; signs are cached as bytes, since every case has the same."""
        key = (place.name, first, stop)
        if key in self.memory:
            return self.memory[key]
        vectors = addresses(place, self.w, Float("float64"), index(place, self.w, np.arange(first + 1, stop + 1)))[0]
        if place.address == "sign" and sum(each.nbytes for each in self.memory.values()) < REMEMBERED:
            self.memory[key] = vectors
        return vectors

    def numbers(self, magnitudes: bool) -> Iterator[tuple[Array, Array, Array]]:
        """Numbered tokens block by block, the addresses of their numbers, and the directions in which those are added."""
        place = self.d.embedding.number_address
        if place is None:
            return
        directions: Array = self.w[f"{place.name}.weight"] if place.projected else np.eye(place.dims)
        for where, stored in self._numbers:
            vectors = stored.astype(np.float64)
            yield where, np.abs(vectors) if magnitudes else vectors, np.abs(directions) if magnitudes else directions

    @cached_property
    def _numbers(self) -> list[tuple[Array, Array]]:
        """The same for all heads: numbered tokens and the addresses of their numbers."""
        place, numbered = self.d.embedding.number_address, self.numbered
        assert place is not None
        parts = [numbered[first : first + BLOCK] for first in range(0, len(numbered), BLOCK)]
        numbers = [index(place, self.w, self.tokens[where] - self.d.embedding.plain + 1) for where in parts]
        return [(where, addresses(place, self.w, Float("float64"), i)[0]) for where, i in zip(parts, numbers, strict=True)]

    @cached_property
    def most(self) -> Array:
        """A bound on the sum of magnitudes in each coordinate of the stream."""
        gate = self.gate(magnitudes=True)
        most: Array = np.abs(self.table).max(axis=0)
        for place, last in self._ranges:
            directions: Array = np.abs(self.w[f"{place.name}.weight"]) if place.projected else np.eye(place.dims)
            most = most + (1.0 if gate is None else max(1.0, gate.max())) * (self._largest(place, last) @ directions)
        return most

    @property
    def _ranges(self) -> list[tuple[Place, int]]:
        """Each address with the last position, or number, that it is asked for."""
        e = self.d.embedding
        return [*((place, len(self.tokens)) for place in e.places), *([(e.number_address, e.numbers)] if e.number_address else [])]

    def exact(self, ops: Float, q: Array, K: Array) -> bool:
        """Whether no program rounds anything before the logits: all numbers lie on grids, and sums stay within the digits."""
        grids, gate = [grid_of(self.table)], self.gate(magnitudes=True)
        for place, _ in self._ranges:
            stored = [self.w[name] for name in (f"{place.name}.weight", f"{place.name}.address.table") if name in self.w]
            each = [grid_of(tensor) for tensor in (*stored, *([] if gate is None else [gate]))]
            grids.append(None if None in each else sum(g for g in each if g is not None))
        if None in grids:
            return False
        on, key, query = min(g for g in grids if g is not None), grid_of(K), grid_of(q)
        sums = [(self.most, (on,)), (np.abs(K) @ self.most, (on, key)), (np.abs(q) @ np.abs(K) @ self.most, (on, key, query))]
        return all(no_rounding(ops.digits, float(size.max()), *grid) for size, grid in sums)

    def _largest(self, place: Place, last: int) -> Array:
        """The largest magnitude of each coordinate of an address, over indices that positions or numbers 1 .. last lead to."""
        if place.address == "table":
            return np.asarray(np.abs(self.w[f"{place.name}.address.table"]).max(axis=0))
        if place.address != "quadratic":
            return np.ones(place.dims)
        i = float(self.w[f"{place.name}.pointers"].max()) if place.pointers else place.fold or last + abs(place.shift)
        return np.array([i, i * i])
