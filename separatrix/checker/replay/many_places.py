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

from dataclasses import dataclass

import numpy as np

from separatrix.checker.kinds.index_mass import CODEWORDS, codeword_weights, forms
from separatrix.checker.models.embedding import addresses, index
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.rounding import SLACK, gamma, grid_of, no_rounding
from separatrix.checker.numbers.values import Array
from separatrix.checker.replay.attention import Reading, share
from separatrix.checker.replay.boxes import U64, Box, linear
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.replay.tokens import Sizes, blind, ranges
from separatrix.checker.specs.forms.lookup import Lookup, Readers

BLOCK = 1 << 14  # indices at a time
DISTANCES = 1000  # distinct distances
ENDS = 32  # places at either end that are treated separately


@dataclass(frozen=True, eq=False)
class Stream:
    """Tokens x(i) = base + A(i) W for i = 1 .. N in real numbers, and how a program's are rounded."""

    base: Array  # [width]
    along: Array  # W, [dims, width]
    low: Array
    high: Array
    sizes: Sizes

    def through(self, ops: Float, weight: Array) -> Form:
        """A linear form of it."""
        reach, error = self.sizes.reach.ravel(), self.sizes.error(ops).ravel()
        size, terms = np.abs(weight) @ (reach + 2 * error), weight.shape[1] + 1
        exact = not error.any() and no_rounding(ops.digits, float(size.max(initial=0)), self.sizes.grid, grid_of(weight))
        off = np.zeros_like(size) if exact else (np.abs(weight) @ error + gamma(terms, ops.u) * size + terms * ops.tiny) * SLACK
        grids = self.sizes.grid, grid_of(weight)
        grid = None if not exact or None in grids else sum(g for g in grids if g is not None)
        return Form(weight @ self.base, self.along @ weight.T, size, off, grid)


@dataclass(frozen=True, eq=False)
class Form:
    """f(i) = base + A(i) W in real numbers; the magnitudes of f, how far a program is off, and a grid where it is not."""

    base: Array
    along: Array
    reach: Array
    error: Array
    grid: int | None


def many_places(model: Model, mixer: Attention, form: Lookup, readers: Readers, n: int) -> Reading:
    """What is known of all readers together; refused if the tensors do not have one of the two forms."""
    ops, m, w, N = model.ops, mixer.key_width, under(model.layers[0], "mixer"), n - 1
    indexed = bool((readers.position == N).all()) and len(readers) == N and bool((readers.place == np.arange(N)).all())
    indexed = indexed and bool((readers.first == form.symbols + np.arange(N)).all() and (readers.last == readers.first).all())
    if not isinstance(ops, Float) or not indexed or mixer.mask.kind not in ("all", "causal") or mixer.scores != "softmax":
        raise Unproven(
            "layer 1",
            f"{len(readers)} readers of {n} tokens are too many to compare; more are for indices, softmax over all tokens, and floats",
        )
    if model.description.embedding.plain != form.symbols or not blind(model, w["key"], range(form.symbols)):
        raise Unproven("layer 1", "the key of a place depends on its symbol")
    gaps = [_gaps(model, mixer, h, N, f"layer 1, head {h + 1}") for h in range(mixer.heads)]
    asking, standing = _index_tokens(model, N), _places(model, N)
    shares = []
    for h, (real, counts) in enumerate(gaps):
        part = slice(h * m, (h + 1) * m)
        query, key = np.ascontiguousarray(w["query"][part]), np.ascontiguousarray(w["key"][part])
        q, there, itself = asking.through(ops, query), standing.through(ops, key), asking.through(ops, key)
        off = _logit_error(ops, q, there)
        own = _itself(model, N, q, there, itself) - off - _logit_error(ops, q, itself)
        rows, alone = _by_reader(model, N, own, counts)
        each = np.concatenate([np.broadcast_to(real * (1 - 2.0**-50) - 2 * off, rows.shape), alone[:, None]], axis=1)
        shares.append(share(ops, mixer.scores, each, np.append(rows, np.ones((len(rows), 1), dtype=np.int64), axis=1), n).lowest())
    e = 2 * asking.sizes.error(ops)
    x = Box(asking.low[None] - e, asking.high[None] + e)
    return Reading(x, linear(ops, x, w["value"], w.get("value_bias")), shares)


def _index_tokens(model: Model, N: int) -> Stream:
    """The index tokens p = 1 .. N, each at position N + 1."""
    e, w = model.description.embedding, model.weights
    assert e.number_address is not None
    place, gate = e.places[0], w["embedding.gate"][-1:] if e.gated else np.ones(1)
    last = ranges(place, w, index(place, w, np.array([N + 1])))
    here = addresses(place, w, model.ops, index(place, w, np.array([N + 1])))[0].astype(np.float64) @ w[f"{place.name}.weight"]
    part = ranges(e.number_address, w, np.arange(1, N + 1))
    row = w["embedding.table"][-1]
    base, sizes = row + gate * here[0], Sizes.of(row).plus(last, gate).plus(part, np.ones(1))
    return Stream(base, w[f"{e.number_address.name}.weight"], base + part.low, base + part.high, sizes)


def _places(model: Model, N: int) -> Stream:
    """The places 1 .. N with the first symbol; the gate of symbols is 1."""
    e, w = model.description.embedding, model.weights
    part, row = ranges(e.places[0], w, np.arange(1, N + 1)), w["embedding.table"][0]
    return Stream(row, w[f"{e.places[0].name}.weight"], row + part.low, row + part.high, Sizes.of(row).plus(part, np.ones(1)))


def _by_reader(model: Model, N: int, own: Array, counts: Array) -> tuple[Array, Array]:
    """Counts of the gaps, and the lead over the index token itself, for some p alone and for all others together.

    A place near an end has fewer neighbours by squares, and that is where an index token that shows nothing is least far behind.
    """
    if model.description.embedding.places[0].address != "quadratic" or N <= 2 * ENDS:
        return counts[None, :], own.min(keepdims=True)
    p = np.concatenate([np.arange(1, ENDS + 1), np.arange(N - ENDS + 1, N + 1)])[:, None]
    distances = np.arange(1, len(counts) + 1)[None, :]
    near = np.minimum((distances < p).astype(np.int64) + (distances <= N - p), counts)
    near[:, -1] = counts[-1]  # all that are farther
    return np.append(near, counts[None, :], axis=0), np.append(own[p[:, 0] - 1], own[ENDS : N - ENDS].min())


def _itself(model: Model, N: int, q: Form, there: Form, itself: Form) -> Array:
    """How far the place that an index names leads the index token itself, at least, for every p; in real numbers."""
    number, w, leads = model.description.embedding.number_address, model.weights, []
    assert number is not None
    for first in range(0, N, BLOCK):
        T = addresses(number, w, model.ops, np.arange(first + 1, min(N, first + BLOCK) + 1))[0].astype(np.float64)
        asked = T @ q.along + q.base
        leads.append((asked * (T @ (there.along - itself.along) + (there.base - itself.base))).sum(axis=1))
    size = float((q.reach * (there.reach + itself.reach)).sum())
    return np.concatenate(leads) - gamma(2 * len(q.along) + 3 * len(q.base) + model.description.width + 20, U64) * size * SLACK


def _logit_error(ops: Float, q: Form, k: Form) -> float:
    """How far the logits of any program are from the real ones, for every query and key."""
    size, terms = float((q.reach * k.reach).sum()), len(q.reach) + 1
    if q.grid is not None and k.grid is not None and no_rounding(ops.digits, size, q.grid, k.grid):
        return 0.0
    off = float((q.error * k.reach + q.reach * k.error).sum())
    return (off + gamma(terms, ops.u) * size + terms * ops.tiny) * SLACK


def _gaps(model: Model, mixer: Attention, h: int, N: int, where: str) -> tuple[Array, Array]:
    """Gaps in real numbers, and how many places at most have each; for every p = 1 .. N."""
    e, w = model.description.embedding, model.weights
    number, place = e.number_address, e.places[0] if len(e.places) == 1 else None
    if number is None or place is None or number.address != place.address or number.dims != place.dims:
        raise Unproven(where, f"{N} places are too many to compare; expected one address of places, and numbers with the same")
    if any(each.shift or each.fold or each.pointers or not each.projected for each in (number, place)):
        raise Unproven(where, f"{N} places are too many to compare; expected addresses without shift, fold and pointers, and with weights")
    exact_forms = forms(model, mixer, h, N)
    if exact_forms is None:
        raise Unproven(where, "the form of its logits is not exact, or there is a bias, a scale, a rotary turn or a gate other than 1")
    form, fixed = exact_forms
    if place.address == "quadratic":
        return _squares(form, fixed, N, where)
    if place.address != "sign":
        raise Unproven(where, f"{N} places are too many to compare; expected addresses by signs or squares, found {place.address}")
    generator, other = (w[f"{each.name}.address.generator"] for each in (place, number))
    if generator.shape != other.shape or (generator != other).any():
        raise Unproven(where, "the addresses of places and of numbers have different generators")
    return _signs(form, fixed, generator, N, where)


def _signs(form: Array, fixed: Array, generator: Array, N: int, where: str) -> tuple[Array, Array]:
    k, L = generator.shape
    c = float(form[0, 0])
    if fixed.any() or (form != c * np.eye(k)).any() or c <= 0:
        raise Unproven(where, "its logits are not a positive multiple of the product of two addresses")
    if L > CODEWORDS or (1 << L) < N:
        raise Unproven(where, f"{N} places need {(N - 1).bit_length()} to {CODEWORDS} bits of an index, found {L}")
    counts = np.bincount(codeword_weights(generator), minlength=k + 1)
    counts[0] -= 1  # p xor p
    return 2 * c * np.arange(k + 1), counts


def _squares(form: Array, fixed: Array, N: int, where: str) -> tuple[Array, Array]:
    eta = -float(fixed[1])
    if eta <= 0 or fixed[0] or form[0, 0] != 2 * eta or form[0, 1] or form[1].any():
        raise Unproven(where, "its logits are not minus a multiple of the squared distance")
    J = min(N - 1, DISTANCES)
    distances = np.arange(1.0, J + 2)
    return eta * distances**2, np.where(distances <= J, 2, max(0, N - 1 - J))
