"""Tokens and positions into the stream: x_t = E[row] + [number] A(n) W_n + sum over places of gate A(index(t)) W.

A vector of integers v_t is read as v_t E instead of E[row].
"""

from __future__ import annotations

from collections.abc import Mapping

from separatrix.checker.models.description import INDEX, Embedding, Place
from separatrix.checker.models.mixers import Weights
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, blank, exactly
from separatrix.checker.numbers.formats import Numbers, Term
from separatrix.checker.numbers.smooth import native, sinusoids
from separatrix.checker.seal import Refused

DIGIT = 8  # bits of an index whose signs are tabulated


def embed(e: Embedding, w: Weights, ops: Numbers, tokens: Array, start: int) -> Box:
    """The input of the first layer for tokens [.., n] at positions start, start + 1, .., counted from 1."""
    n = tokens.shape[-2 if e.reads == "vectors" else -1]
    return embed_at(e, w, ops, tokens, arrays.arange(start, start + n))


def embed_at(e: Embedding, w: Weights, ops: Numbers, tokens: Array, at: Array) -> Box:
    """Embed tokens at any positions [n], counted from 1."""
    if e.reads == "vectors":
        terms = [Term(slice(None), tokens, False, w["embedding.table"], None), *(term(place, w, ops, at) for place in e.places)]
        return ops.embed(blank(tokens.shape[:-1], w["embedding.table"]), terms)
    rows = arrays.minimum(tokens, e.rows - 1)
    terms = []
    numbered = arrays.nonzero(tokens >= e.plain)
    if len(numbered[0]) and e.number_address:
        terms.append(term(e.number_address, w, ops, tokens[numbered] - e.plain + 1, numbered))
    gate = w["embedding.gate"][rows] if e.gated else None
    terms += [term(place, w, ops, at, slice(None), gate) for place in e.places]
    return ops.embed(w["embedding.table"][rows], terms)


def words(e: Embedding, w: Mapping[str, Array], ops: Numbers) -> Array:
    """The embedding of every token without its place, as weights of a read-out: integers that float64 adds up exactly, or refused."""
    tokens = arrays.arange(e.vocabulary)
    rows: Array | None = w["embedding.table"][arrays.minimum(tokens, e.rows - 1)]
    if e.number_address is not None:
        place = e.number_address
        vectors, error = addresses(place, w, ops, index(place, w, tokens[e.plain :] - e.plain + 1))
        added = exactly(vectors, w[f"{place.name}.weight"] if place.projected else None)
        if error is not None or added is None:
            raise Refused("readout: a tied read-out needs numbers with integer embeddings below 2^53")
        rows = exactly(rows, None, e.plain, added)
    else:
        rows = exactly(rows, None)
    if rows is None:
        raise Refused("readout: a tied read-out needs integer embeddings below 2^53")
    return ops.parameter(rows, "the tied read-out")


def blind(e: Embedding, w: Weights, weight: Array, tokens: range) -> bool:
    """Whether a linear form, with every program, is the same for all these tokens at one position: each has its row, and it looks
    at no coordinate in which those differ."""
    if tokens.stop > e.plain:
        return False
    rows = w["embedding.table"][tokens.start : tokens.stop]
    differ = (rows != rows[0]).any(axis=0)
    if e.gated:
        gate = w["embedding.gate"][tokens.start : tokens.stop]
        if (gate != gate[0]).any():
            return False
    return not weight[:, differ].any()


def term(
    place: Place, w: Weights, ops: Numbers, i: Array, where: tuple[Array, ...] | slice = slice(None), gate: Array | None = None
) -> Term:
    """What an address adds at the positions, or for the numbers, i."""
    vectors, error = addresses(place, w, ops, index(place, w, i))
    directions = w[f"{place.name}.weight"] if place.projected else None
    return Term(where, vectors, place.address == "table", directions, gate, error)


def index(place: Place, w: Weights, i: Array) -> Array:
    """The integer addressed at position i."""
    if place.pointers:
        return arrays.asarray(w[f"{place.name}.pointers"][arrays.minimum(i, place.pointers) - 1])
    return (i - place.shift - 1) % place.fold + 1 if place.fold else i - place.shift


def addresses(place: Place, w: Weights, ops: Numbers, i: Array) -> tuple[Array, Array | None]:
    """The address vectors [tokens, dims] of integers i, and their error if no format holds them exactly."""
    if place.address == "sign":
        return signs(w[f"{place.name}.address.generator"], i), None
    if place.address == "quadratic":
        if i.size and int(abs(i).max()) > INDEX:
            raise Refused(f"{place.name}: an index beyond {INDEX}")
        return arrays.stack([i, i * i], axis=-1), None
    if place.address == "one-hot":
        return (arrays.arange(1, place.dims + 1)[None, :] == i[:, None]).astype(arrays.int64), None
    if place.address == "table":
        if i.size and int(i.max()) > place.extent:
            raise Refused(f"{place.name}: position {int(i.max())} lies beyond the {place.extent} positions that are stored")
        return w[f"{place.name}.address.table"][arrays.maximum(i - 1, 0)], None
    return sinusoids(native(ops, "sinusoidal positions"), i, place.dims)


def signs(generator: Array, i: Array) -> Array:
    """(-1)^(G bits(i)) as int8; bits(i) are the low bits of i, and signs of disjoint bits multiply."""
    result = arrays.ones((len(i), len(generator)), dtype=arrays.int8)
    for first in range(0, generator.shape[1], DIGIT):
        part = generator[:, first : first + DIGIT].astype(bool)
        digits = arrays.arange(1 << part.shape[1])
        parity = arrays.zeros((len(digits), len(generator)), dtype=bool)
        for bit in range(part.shape[1]):
            parity ^= ((digits >> bit) & 1).astype(bool)[:, None] & part[None, :, bit]
        result *= (1 - 2 * parity.astype(arrays.int8))[(i >> first) & (len(digits) - 1)]
    return result
