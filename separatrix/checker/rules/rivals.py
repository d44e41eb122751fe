"""By how much the place that an index names leads every other, for all places at once, where they are too many to compare.

With the address T(p) of the number asked for and A(j) of place j, the logit of a head is  T(p) F A(j) + b A(j) + (what p alone decides).

    sign        T = A = (-1)^(G bits(.)) by one generator, F = c I with c > 0, b = 0: place j lies 2 c wt(G (p xor j)) below place p.
                So the gaps of any p are among 2 c w, as often as there are codewords of weight w
    quadratic   F = [[2 eta, 0], [0, 0]], b = (0, -eta), eta > 0: place j lies eta (p - j)^2 below place p. So each distance 1, 2, ..
                occurs twice at most, and the places beyond J lie at least eta (J + 1)^2 below
"""

from __future__ import annotations

import numpy as np

from separatrix.checker.kinds.index_mass import CODEWORDS, codeword_weights, forms
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.values import Array
from separatrix.checker.rules.proof import Unproven

DISTANCES = 1000  # that are told apart


def rivals(model: Model, mixer: Attention, h: int, N: int, where: str) -> tuple[Array, Array]:
    """Gaps in real arithmetic, and how many places at most have each; for every p = 1 .. N."""
    e, w = model.description.embedding, model.weights
    number, place = e.number_address, e.places[0] if len(e.places) == 1 else None
    if number is None or place is None or number.address != place.address or number.dims != place.dims:
        raise Unproven(where, f"{N} places are too many to compare; expected one address of places, and numbers with the same")
    if any(each.shift or each.fold or each.pointers or not each.projected for each in (number, place)):
        raise Unproven(where, f"{N} places are too many to compare; expected addresses without shift, fold and pointers, and with weights")
    found = forms(model, mixer, h, N)
    if found is None:
        raise Unproven(where, "the form of its logits is not exact, or there is a bias, a scale, a rotary turn or a gate other than 1")
    form, fixed = found
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
        raise Unproven(where, f"{N} places need between {(N - 1).bit_length()} and {CODEWORDS} bits of an index, found {L}")
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
