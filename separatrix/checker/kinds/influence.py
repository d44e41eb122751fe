"""How much one symbol can change the logits at the last place of a softmax Transformer, from the norms of its weights.

    F      bound on the vectors of the stream          mu   norm of Q^T K of a head, G = mu F, A = mu F^2
    delta  change at the place of the symbol           a    e^(2A) / (e^(2A) + n - 1), the largest attention weight
    eps    change anywhere else                        c    norm of O V of a head

For a model of real numbers without mask and norms, whose feed-forward parts are ReLUs. The weights of a head change, in sum, by no more
than the largest change of a logit, and by 2 a times the change of a single one.

Every number here is a bound from above, and is rounded up (numbers/norms.py). The embedding is that of the real model, whatever format the
model's own numbers have.
"""

from __future__ import annotations

import math
from decimal import Decimal, Overflow, localcontext

from separatrix.checker.models.description import Layer
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.norms import ONE, TWO, UP, UPWARD, length, norm, product_norm, spread
from separatrix.checker.seal import Refused

STEEPEST = Decimal(300)  # of an exponent


def logit_influence(model: Model, n: int) -> float:
    """The most that a logit at the last of n places changes when one symbol before it is exchanged; infinite beyond float64."""
    with localcontext(UPWARD):
        try:
            moved = float(_influence(model, n))
        except Overflow as error:
            raise Refused("bound: the norms of the weights are too large") from error
    return math.nextafter(moved, math.inf)


def _influence(model: Model, n: int) -> Decimal:
    d = model.description
    if model.ops.scale is not None or d.embedding.reads != "tokens" or d.readout.norm != "none":
        raise Refused("bound: a lower bound is about tokens in floats, and a read-out without a norm")
    F, delta = _embedded(model, n)
    eps = Decimal(0)
    for number, (layer, w) in enumerate(zip(d.layers, model.layers, strict=True), 1):
        elsewhere, here, grown = Decimal(0), Decimal(0), Decimal(0)
        for c, mu in _heads(layer, under(w, "mixer"), number):
            G, A = mu * F, mu * F * F
            a = min(ONE, UP / (1 + (n - 1) * (-2 * A).exp())) if 2 * A <= STEEPEST else ONE
            elsewhere += c * (eps + a * delta + F * min(TWO, 2 * G * eps + 2 * a * G * (eps + delta)))
            here += c * (eps + a * delta + F * min(TWO, G * (delta + eps) + 4 * a * G * delta))
            grown += c * F
        eps, delta, F = eps + elsewhere, delta + here, F + grown
        if layer.feedforward is not None:
            part = under(w, "feedforward")
            steep = norm(part["outer"]) * norm(part["inner"])
            inner, outer = (length(part.get(name)) for name in ("inner_bias", "outer_bias"))
            eps, delta = eps * (1 + steep), delta * (1 + steep)
            F = F + steep * F + norm(part["outer"]) * inner + outer
    return eps * max(length(row) for row in model.weights["readout.weight"])


def _embedded(model: Model, n: int) -> tuple[Decimal, Decimal]:
    """Bounds on the vectors of the embedding at n places, and on how far two symbols lie apart at one of them."""
    e = model.description.embedding
    return spread([embed(e, model.weights, Float("float64"), arrays.full(n, token), 1) for token in range(e.vocabulary)])


def _heads(layer: Layer, w: Weights, number: int) -> list[tuple[Decimal, Decimal]]:
    """(c, mu) of every head."""
    mixer = layer.mixer
    if not isinstance(mixer, Attention) or mixer.scores != "softmax" or mixer.mask.kind != "all" or mixer.bias or mixer.rotary:
        raise Refused(f"layer {number}: expected softmax attention without mask, bias or rotary positions")
    if not layer.residual or layer.norm != "none":
        raise Refused(f"layer {number}: expected a residual connection and no norm")
    if layer.feedforward is not None and layer.feedforward.activation != "relu":
        raise Refused(f"layer {number}: expected ReLUs in the feed-forward part")
    m, u, scale = mixer.key_width, mixer.value_width, ONE / Decimal(mixer.key_width).sqrt() * UP if mixer.scaled else ONE
    return [
        (
            product_norm(w["out"][:, h * u : (h + 1) * u], w["value"][h * u : (h + 1) * u]),
            scale * product_norm(w["query"][h * m : (h + 1) * m].T, w["key"][h * m : (h + 1) * m]),
        )
        for h in range(mixer.heads)
    ]
