"""The input of the first layer: tokens at positions, one by one, or all positions of a token in one box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separatrix.checker.models.description import Place
from separatrix.checker.models.embedding import embed_at, index
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import SLACK, gamma, grid_of, no_rounding
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.replay.boxes import U64, Box, enclosed
from separatrix.checker.replay.proof import Unproven


def tokens_at(model: Model, tokens: Array, positions: Array) -> Values:
    """The stream [tokens, width] of tokens at positions, from 0 on."""
    return embed_at(model.description.embedding, model.weights, model.ops, tokens, positions + 1)


def anywhere(model: Model, tokens: range, n: int, listed: bool) -> Box:
    """A box for each of some plain tokens that holds its stream at every position 0 .. n - 1, [tokens, width]: one by one if `listed`."""
    if listed:
        boxes = []
        for token in tokens:
            boxes.append(enclosed(tokens_at(model, np.full(n, token), np.arange(n))).hull())
        return Box(np.stack([box.low for box in boxes]), np.stack([box.high for box in boxes]))
    if not isinstance(model.ops, Float):
        raise Unproven("the embedding", f"positions in one box are for float64 and float32, found {model.ops.name}")
    return _summed(model, model.ops, tokens, n)


def _summed(model: Model, ops: Float, tokens: range, n: int) -> Box:
    """The row of each token plus a box around all addresses, with the error of the sum that a program computes."""
    e, w = model.description.embedding, model.weights
    if tokens.stop > e.plain:
        raise Unproven("the embedding", f"token {tokens.stop - 1} is a number of the model, expected a row of its own")
    rows = w["embedding.table"][tokens.start : tokens.stop]
    gate = w["embedding.gate"][tokens.start : tokens.stop, None] if e.gated else np.ones((len(rows), 1))
    low, high, sizes = rows, rows, Sizes.of(rows)
    for place in e.places:
        part = ranges(place, w, index(place, w, np.arange(1, n + 1)))
        low, high = low + np.minimum(gate * part.low, gate * part.high), high + np.maximum(gate * part.low, gate * part.high)
        sizes = sizes.plus(part, gate)
    off = 2 * sizes.error(ops)
    return Box(low - off, high + off)


@dataclass(frozen=True, eq=False)
class Addressed:
    """What an address adds to the stream, over some indices: between two rows; and how its sums are rounded."""

    low: Array
    high: Array
    reach: Array  # the sum of magnitudes
    grid: int | None
    terms: int


def ranges(place: Place, w: Weights, i: Array) -> Addressed:
    """The address of every integer i, in the directions of the stream; what is known of each coordinate of the address alone."""
    along: Array = w[f"{place.name}.weight"] if place.projected else np.eye(place.dims)
    if place.address == "sinusoidal":
        raise Unproven("the embedding", f"a sinusoidal address of {len(i)} positions: expected signs, squares, one-hot or a table")
    if place.address == "sign":
        low, high = -np.ones(place.dims), np.ones(place.dims)
    elif place.address == "one-hot":
        low, high = np.zeros(place.dims), np.ones(place.dims)
    elif place.address == "quadratic":
        both = np.stack([i, i * i])
        low, high = both.min(axis=1).astype(np.float64), both.max(axis=1).astype(np.float64)
    else:
        table = w[f"{place.name}.address.table"]
        if int(i.max(initial=0)) > place.extent:
            raise Unproven("the embedding", f"position {int(i.max())} lies beyond the {place.extent} positions that are stored")
        low, high = table.min(axis=0), table.max(axis=0)
    own = grid_of(w[f"{place.name}.address.table"]) if place.address == "table" else 0
    grids = own, grid_of(along)
    up, down = np.maximum(along, 0), np.minimum(along, 0)
    reach = np.maximum(np.abs(low), np.abs(high)) @ np.abs(along)
    off = gamma(2 * place.dims + 4, U64) * reach
    grid = None if None in grids else sum(g for g in grids if g is not None)
    if grid is not None and no_rounding(53, float(reach.max()), grid):
        off = np.zeros_like(reach)
    return Addressed(low @ up + high @ down - off, high @ up + low @ down + off, reach, grid, place.dims)


@dataclass(frozen=True, eq=False)
class Sizes:
    """How a program's sums are rounded: the sum of magnitudes in each coordinate, grids of all terms, and how many there are."""

    reach: Array
    grids: tuple[int | None, ...]
    terms: int

    @classmethod
    def of(cls, rows: Array) -> Sizes:
        """Of rows of the token table."""
        return cls(np.abs(rows), (grid_of(rows),), 1)

    def plus(self, part: Addressed, gate: Array) -> Sizes:
        """With an address and its gate; a program may have the address before it is gated."""
        own = grid_of(gate)
        grid = None if part.grid is None or own is None else part.grid + own
        return Sizes(self.reach + np.maximum(np.abs(gate), 1) * part.reach, (*self.grids, part.grid, grid), self.terms + part.terms + 3)

    def error(self, ops: Float) -> Array:
        """How far any program, and float64, is from the real sum."""
        if all(no_rounding(ops.digits, float(self.reach.max(initial=0)), grid) for grid in self.grids):
            return np.zeros_like(self.reach)
        return np.asarray((2 * gamma(self.terms + 4, ops.u) * self.reach + self.terms * ops.tiny) * SLACK)

    @property
    def grid(self) -> int | None:
        """Of the sums."""
        return None if None in self.grids else min(g for g in self.grids if g is not None)


def blind(model: Model, weight: Array, tokens: range) -> bool:
    """Whether a linear form, with every program, is the same for all these tokens at one position: each has its row, and it looks
    at no coordinate in which those differ."""
    w, e = model.weights, model.description.embedding
    if tokens.stop > e.plain:
        return False
    rows = w["embedding.table"][tokens.start : tokens.stop]
    differ = (rows != rows[0]).any(axis=0)
    if e.gated:
        gate = w["embedding.gate"][tokens.start : tokens.stop]
        if (gate != gate[0]).any():
            return False
    return not weight[:, differ].any()


def tokens_in(lengths: range) -> str:
    """Inputs of 17 tokens, of 11 to 17 tokens."""
    return f"inputs of {lengths[0]} tokens" if len(lengths) == 1 else f"inputs of {lengths[0]} to {lengths[-1]} tokens"


def formats_of(ops: Numbers) -> str:
    """The hypothesis of the format."""
    if ops.scale is not None:
        return f"{ops.name} is computed exactly, and rounded once by every operator"
    return f"any order of summation in {ops.name}; exp accurate to 4 units in the last place"
