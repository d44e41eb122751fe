"""The input of the first layer: tokens at positions, one by one, or all positions of a token in one box."""

from __future__ import annotations

from separatrix.checker.models.description import Place
from separatrix.checker.models.embedding import embed_at, index
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.addresses import Addressed, addressed, summed
from separatrix.checker.numbers.boxes import Box, enclosed, stacked
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.replay.proof import Unproven


def tokens_at(model: Model, tokens: Array, positions: Array) -> Values:
    """The stream [tokens, width] of tokens at positions, from 0 on."""
    return embed_at(model.description.embedding, model.weights, model.ops, tokens, positions + 1)


def anywhere(model: Model, tokens: range, n: int, listed: bool) -> Box:
    """A box for each of some plain tokens that holds its stream at every position 0 .. n - 1, [tokens, width]: one by one if `listed`."""
    if listed:
        boxes = []
        for token in tokens:
            boxes.append(enclosed(tokens_at(model, arrays.full(n, token), arrays.arange(n))).hull())
        return stacked(boxes)
    if not isinstance(model.ops, Float):
        raise Unproven("the embedding", f"positions in one box are for float64 and float32, found {model.ops.name}")
    return _summed(model, model.ops, tokens, n)


def _summed(model: Model, ops: Float, tokens: range, n: int) -> Box:
    """The row of each token plus a box around all addresses, with the error of the sum that a program computes."""
    e, w = model.description.embedding, model.weights
    if tokens.stop > e.plain:
        raise Unproven("the embedding", f"token {tokens.stop - 1} is a number of the model, expected a row of its own")
    some, at = slice(tokens.start, tokens.stop), arrays.arange(1, n + 1)
    parts = [ranges(place, w, index(place, w, at)) for place in e.places]
    return summed(ops, w["embedding.table"][some], w["embedding.gate"][some] if e.gated else None, parts)


def ranges(place: Place, w: Weights, i: Array) -> Addressed:
    """The address of every integer i, in the directions of the stream; what is known of each coordinate of the address alone."""
    table = w.get(f"{place.name}.address.table")
    if place.address == "sinusoidal":
        raise Unproven("the embedding", f"a sinusoidal address of {len(i)} positions: expected signs, squares, one-hot or a table")
    if place.address == "table" and int(i.max(initial=0)) > place.extent:
        raise Unproven("the embedding", f"position {int(i.max())} lies beyond the {place.extent} positions that are stored")
    return addressed(place.address, place.dims, w[f"{place.name}.weight"] if place.projected else None, table, i)


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
