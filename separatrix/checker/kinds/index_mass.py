"""The mass that a softmax gives to all places but the queried one, for every place at once, if they are too many to compare.

With the address T(p) of the queried number and A(j) of place j, the logit of a head is  T(p) F A(j) + b A(j) + (a function of p alone).

    sign        T = A = (-1)^(G bits(.)) by one generator, F = c I with c > 0, b = 0: the logit is c (k - 2 wt(G (p xor j))), so the places
                lie 2 c w below the top, as many as there are codewords of weight w; all codewords bound every p
    quadratic   F = [[2 eta, 0], [0, 0]], b = (0, -eta), eta > 0: the logit is eta (p^2 - (p - j)^2), so the mass is the sum of
                exp(-eta i^2) over the p - 1 places before and the N - p after; beyond i = J a geometric series bounds the rest
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.checker.models.embedding import term
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.values import Array, Values

CODEWORDS = 22  # bits of an address whose codewords are enumerated
TERMS = 1000  # terms of the sum over distances, before the geometric series
SLACK = 1 + 2.0**-30  # slack for sums of exponentials in float64


def mass_of_others(model: Model, mixer: Attention, h: int, N: int) -> Array | None:
    """For p = 1 .. N a bound on the mass of the places beside p, relative to that of p itself; None if the weights do not show it."""
    e, w = model.description.embedding, model.weights
    number, place = e.number_address, e.places[0]
    if number is None or len(e.places) != 1 or number.address != place.address or number.dims != place.dims:
        return None
    if any(each.shift or each.fold or each.pointers or not each.projected for each in (number, place)):
        return None
    exact = forms(model, mixer, h, N)
    if exact is None:
        return None
    if place.address == "quadratic":
        return _squares(*exact, N)
    if place.address != "sign":
        return None
    generator, other = (w[f"{each.name}.address.generator"] for each in (place, number))
    if generator.shape != other.shape or (generator != other).any():
        return None
    return _signs(*exact, generator, N)


def forms(model: Model, mixer: Attention, h: int, N: int) -> tuple[Array, Array] | None:
    """F and b, if they are exact: both are sums of products of weights."""
    e, w, ops, m = model.description.embedding, model.weights, model.ops, mixer.key_width
    gate = w["embedding.gate"] if e.gated else np.ones(e.rows)
    if mixer.bias or mixer.scaled or mixer.rotary or gate[0] != 1:
        return None
    query, key = (np.ascontiguousarray(under(model.layers[0], "mixer")[name][h * m : (h + 1) * m]) for name in ("query", "key"))
    constant = ops.embed(w["embedding.table"][-1:], [term(e.places[0], w, ops, np.array([N + 1]), slice(None), gate[-1:])])
    shown, queries, always = (
        ops.linear(Values(w[f"{e.places[0].name}.weight"]), key),
        ops.linear(Values(w["embedding.number.weight"]), query),
        ops.linear(constant, query),
    )
    form, fixed = ops.logits(queries, shown), ops.logits(always, shown)
    if any(x.error is not None for x in (constant, shown, queries, always, form, fixed)):
        return None
    return form.value, fixed.value[0]


def _signs(form: Array, fixed: Array, generator: Array, N: int) -> Array | None:
    k, L = generator.shape
    c = float(form[0, 0])
    if fixed.any() or (form != c * np.eye(k)).any() or c <= 0 or L > CODEWORDS or (1 << L) < N:
        return None
    counts = np.bincount(codeword_weights(generator), minlength=k + 1)
    counts[0] -= 1  # p xor p
    mass = sum(int(count) * math.exp(-2 * c * weight) for weight, count in enumerate(counts))
    return np.full(N, mass * SLACK)


def _squares(form: Array, fixed: Array, N: int) -> Array | None:
    eta = -float(fixed[1])
    if eta <= 0 or fixed[0] or form[0, 0] != 2 * eta or form[0, 1] or form[1].any():
        return None
    J = min(N, TERMS)
    sums = np.concatenate([[0.0], np.cumsum(np.exp(-eta * np.arange(1.0, J + 1) ** 2))])  # [m]: of the first m
    if J < N:  # (J + 1 + i)^2 >= (J + 1)^2 + i (2 J + 3)
        sums = np.append(sums, sums[-1] + math.exp(-eta * (J + 1) ** 2) / -math.expm1(-eta * (2 * J + 3)))
    before = np.minimum(np.arange(N), len(sums) - 1)
    return np.asarray((sums[before] + sums[before[::-1]]) * SLACK)


def codeword_weights(generator: Array) -> Array:
    """wt(G x) for every x: the codewords of 2^b inputs are those of 2^(b-1) and the same plus one column."""
    columns = np.packbits(generator.astype(bool), axis=0).T  # one row of bytes per input bit
    words = np.zeros((1, columns.shape[1]), dtype=np.uint8)
    for column in columns:
        words = np.concatenate([words, words ^ column])
    ones = np.array([int(byte).bit_count() for byte in range(256)], dtype=np.int64)
    return np.asarray(sum(ones[words[:, byte]] for byte in range(words.shape[1])))
