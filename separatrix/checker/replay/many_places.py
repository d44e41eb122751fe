"""An index and its place, for all places at once, if they are too many to compare. In floats.

With the address T(p) of the queried number and A(j) of place j, the logit of a head is  T(p) F A(j) + b A(j) + (a function of p alone),
provided that the key of a place does not depend on its symbol.

    sign        T = A = (-1)^(G bits(.)) by one generator, F = c I with c > 0, b = 0: place j lies 2 c wt(G (p xor j)) below place p.
                So the gaps of any p are among 2 c w, as often as there are codewords of weight w
    quadratic   F = [[2 eta, 0], [0, 0]], b = (0, -eta), eta > 0: place j lies eta (p - j)^2 below place p. So each distance 1, 2, ..
                occurs twice at most, and the places beyond J lie at least eta (J + 1)^2 below

That is in real numbers; the logits of a program are off by what the magnitudes of the sums allow. The index token sees itself as well:
its own logit is computed for every p.
"""

from __future__ import annotations

from separatrix.checker.models.description import Place
from separatrix.checker.models.embedding import addresses, blind, index, term
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.addresses import (
    Addressed,
    Stream,
    addressed,
    lead_over_itself,
    logit_error,
    rivals,
    sign_gaps,
    square_gaps,
    stream,
    summed,
)
from separatrix.checker.numbers.boxes import Array, Box, rows_of, stored
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.heads import Reading, share
from separatrix.checker.seal import Unproven
from separatrix.checker.specs.forms.lookup import Lookup, Readers

BLOCK = 1 << 14  # indices at a time


def everywhere(model: Model, tokens: range, n: int) -> Box:
    """The row of each plain token plus a box around all addresses, with the error of the sum that a program computes."""
    e, w, ops = model.description.embedding, model.weights, model.ops
    if not isinstance(ops, Float):
        raise Unproven("the embedding", f"positions in one box are for float64 and float32, found {ops.name}")
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


def many_places(model: Model, mixer: Attention, form: Lookup, readers: Readers, n: int) -> Reading:
    """What is known of all readers together; refused if the tensors do not have one of the two forms."""
    ops, m, w, N = model.ops, mixer.key_width, under(model.layers[0], "mixer"), n - 1
    place = arrays.arange(N)
    indexed = bool((readers.position == N).all()) and len(readers) == N and bool((readers.place == place).all())
    indexed = indexed and bool((readers.first == form.symbols + place).all() and (readers.last == readers.first).all())
    if not isinstance(ops, Float) or not indexed or mixer.mask.kind not in ("all", "causal") or mixer.scores != "softmax":
        raise Unproven(
            "layer 1",
            f"{len(readers)} readers of {n} tokens are too many to compare; more are for indices, softmax over all tokens, and floats",
        )
    if model.description.embedding.plain != form.symbols or not blind(
        model.description.embedding, model.weights, w["key"], range(form.symbols)
    ):
        raise Unproven("layer 1", "the key of a place depends on its symbol")
    gaps = [_gaps(model, mixer, h, N, f"layer 1, head {h + 1}") for h in range(mixer.heads)]
    number, where = _addresses(model, N, "layer 1")
    asking, standing = _streams(model, number, where, N)
    blocks = [arrays.arange(first + 1, min(N, first + BLOCK) + 1) for first in range(0, N, BLOCK)]
    shares = []
    for h, (real, counts) in enumerate(gaps):
        query, key = (rows_of(w[name], h * m, m) for name in ("query", "key"))
        q, there, itself = asking.through(ops, query), standing.through(ops, key), asking.through(ops, key)
        T = (addresses(number, model.weights, ops, some)[0] for some in blocks)
        own = lead_over_itself(q, there, itself, T, model.description.width)
        squares = where.address == "quadratic"
        each = rivals(real, counts, own, logit_error(ops, q, there), logit_error(ops, q, itself), squares)
        shares.append(share(ops, mixer.scores, *each, n).lowest())
    x = asking.box(ops)
    return Reading(x, ops.linear(x, w["value"], w.get("value_bias")), shares)


def _addresses(model: Model, N: int, where: str) -> tuple[Place, Place]:
    """Of numbers, and of places: one address for both."""
    e = model.description.embedding
    number, place = e.number_address, e.places[0] if len(e.places) == 1 else None
    if number is None or place is None or number.address != place.address or number.dims != place.dims:
        raise Unproven(where, f"{N} places are too many to compare; expected one address of places, and numbers with the same")
    if any(each.shift or each.fold or each.pointers or not each.projected for each in (number, place)):
        raise Unproven(where, f"{N} places are too many to compare; expected addresses without shift, fold and pointers, and with weights")
    return number, place


def _streams(model: Model, number: Place, place: Place, N: int) -> tuple[Stream, Stream]:
    """The index tokens p = 1 .. N, each at position N + 1; and the places 1 .. N with the first symbol, whose gate is 1."""
    w, ops, last, every = model.weights, model.ops, arrays.array([N + 1]), arrays.arange(1, N + 1)
    along = w[f"{number.name}.weight"], w[f"{place.name}.weight"]
    here = addresses(place, w, ops, last)[0][0]
    gate = w["embedding.gate"][-1:] if model.description.embedding.gated else None
    asking = stream(w["embedding.table"][-1], gate, [(here, along[1], ranges(place, w, last))], (along[0], ranges(number, w, every)))
    return asking, stream(w["embedding.table"][0], None, [], (along[1], ranges(place, w, every)))


def _gaps(model: Model, mixer: Attention, h: int, N: int, where: str) -> tuple[Array, Array]:
    """Gaps in real numbers, and how many places at most have each; for every p = 1 .. N."""
    number, place = _addresses(model, N, where)
    F, b = _forms(model, mixer, h, N, where)
    if place.address == "quadratic":
        return square_gaps(F, b, N, where)
    if place.address != "sign":
        raise Unproven(where, f"{N} places are too many to compare; expected addresses by signs or squares, found {place.address}")
    generator, other = (model.weights[f"{each.name}.address.generator"] for each in (place, number))
    if generator.shape != other.shape or (generator != other).any():
        raise Unproven(where, "the addresses of places and of numbers have different generators")
    return sign_gaps(F, b, generator, N, where)


def _forms(model: Model, mixer: Attention, h: int, N: int, where: str) -> tuple[Box, Box]:
    """F and b, which must be exact: both are sums of products of weights."""
    e, w, ops, m = model.description.embedding, model.weights, model.ops, mixer.key_width
    gate = w["embedding.gate"] if e.gated else None
    query, key = (rows_of(under(model.layers[0], "mixer")[name], h * m, m) for name in ("query", "key"))
    at = arrays.array([N + 1])
    constant = ops.embed(w["embedding.table"][-1:], [term(e.places[0], w, ops, at, slice(None), None if gate is None else gate[-1:])])
    shown, queries, always = (
        ops.linear(stored(w[f"{e.places[0].name}.weight"]), key),
        ops.linear(stored(w["embedding.number.weight"]), query),
        ops.linear(constant, query),
    )
    F, b = ops.logits(queries, shown), ops.logits(always, shown)
    plain = not (mixer.bias or mixer.scaled or mixer.rotary or (gate is not None and gate[0] != 1))
    if not plain or not all(x.point for x in (constant, shown, queries, always, F, b)):
        raise Unproven(where, "the form of its logits is not exact, or there is a bias, a scale, a rotary turn or a gate other than 1")
    return F, b
