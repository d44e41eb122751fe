"""What enters the first layer: tokens at positions, one by one, or all positions of a token in one box."""

from __future__ import annotations

import numpy as np

from separatrix.checker.models.embedding import addresses, index, term
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import SLACK, gamma, grid_of, no_rounding
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.rules.boxes import Box, enclosed
from separatrix.checker.rules.proof import Unproven

BLOCK = 1 << 14  # tokens at a time
LISTED = 1 << 24  # numbers of the stream up to which every token is put at every position


def tokens_at(model: Model, tokens: Array, positions: Array) -> Values:
    """The stream [tokens, width] of tokens that stand at positions, from 0 on."""
    e, w, ops = model.description.embedding, model.weights, model.ops
    rows = np.minimum(tokens, e.rows - 1)
    numbered = np.flatnonzero(tokens >= e.plain)
    terms = []
    if len(numbered) and e.number_address:
        terms.append(term(e.number_address, w, ops, tokens[numbered] - e.plain + 1, (numbered,)))
    gate = w["embedding.gate"][rows] if e.gated else None
    terms += [term(place, w, ops, positions + 1, slice(None), gate) for place in e.places]
    return ops.embed(w["embedding.table"][rows], terms)


def anywhere(model: Model, tokens: range, n: int) -> Box:
    """A box for each of some plain tokens that holds its stream at every position 0 .. n - 1, [tokens, width]."""
    if len(tokens) * n * model.description.width <= LISTED:
        found = []
        for token in tokens:
            found.append(enclosed(tokens_at(model, np.full(n, token), np.arange(n))).hull())
        return Box(np.stack([box.low for box in found]), np.stack([box.high for box in found]))
    if not isinstance(model.ops, Float):
        raise Unproven("the embedding", f"{len(tokens)} tokens at {n} positions are too many in {model.ops.name}: at most {LISTED} numbers")
    return _summed(model, model.ops, tokens, n)


def _summed(model: Model, ops: Float, tokens: range, n: int) -> Box:
    """The row of each token plus a box around all addresses, with the error of the sum that a program computes."""
    e, w, width = model.description.embedding, model.weights, model.description.width
    rows = w["embedding.table"][tokens.start : tokens.stop]
    gate = w["embedding.gate"][tokens.start : tokens.stop, None] if e.gated else np.ones((len(rows), 1))
    low, high, size = rows.copy(), rows.copy(), np.abs(rows)
    count, grids = 1, [grid_of(rows)]
    for place in e.places:
        along: Array = w[f"{place.name}.weight"] if place.projected else np.eye(place.dims)
        least, most, reach = np.full(width, np.inf), np.full(width, -np.inf), np.zeros(width)
        grid: int | None = 0
        for first in range(0, n, BLOCK):
            vectors, error = addresses(place, w, ops, index(place, w, np.arange(first, min(n, first + BLOCK)) + 1))
            if error is not None:
                raise Unproven("the embedding", f"a {place.address} address of {n} positions: expected signs, squares, one-hot or a table")
            own, vectors = grid_of(vectors), vectors.astype(np.float64)
            grid = None if grid is None or own is None else min(grid, own)
            part = vectors @ along
            least, most = np.minimum(least, part.min(axis=0)), np.maximum(most, part.max(axis=0))
            reach = np.maximum(reach, (np.abs(vectors) @ np.abs(along)).max(axis=0))
        low, high = low + np.minimum(gate * least, gate * most), high + np.maximum(gate * least, gate * most)
        size = size + np.abs(gate) * reach
        others = (grid, grid_of(along), grid_of(gate))
        grids.append(None if None in others else sum(g for g in others if g is not None))
        count += 3 + place.dims
        if (np.abs(gate) < 1).any():
            size = size + reach  # a program may have the product before its gate
    if all(no_rounding(ops.digits, float(size.max(initial=0)), g) for g in grids):
        return Box(low, high)
    off = (4 * gamma(count, ops.u) * size + 4 * count * ops.tiny) * SLACK
    return Box(low - off, high + off)


def blind(model: Model, weight: Array, tokens: range) -> bool:
    """Whether a linear form, with every program, is the same for all these plain tokens at one position: it looks at no coordinate in
    which they differ."""
    w, e = model.weights, model.description.embedding
    rows = w["embedding.table"][tokens.start : tokens.stop]
    differ = (rows != rows[0]).any(axis=0)
    if e.gated:
        gate = w["embedding.gate"][tokens.start : tokens.stop]
        if (gate != gate[0]).any():
            return False
    return not weight[:, differ].any()


def reader_blocks(count: int) -> list[slice]:
    """Readers, some at a time."""
    return [slice(first, min(count, first + BLOCK)) for first in range(0, count, BLOCK)]


def formats_of(ops: Numbers) -> str:
    """Which hypothesis the format brings along."""
    if ops.scale is not None:
        return f"{ops.name} is computed exactly, and rounded once by every operator"
    return f"any order of summation in {ops.name}; exp accurate to 4 units in the last place"
