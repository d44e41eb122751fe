"""How much one symbol can change the logits at the last place of a softmax Transformer, from the norms of its weights.

    F      bound on the vectors of the stream          mu   norm of Q^T K of a head, G = mu F, A = mu F^2
    delta  change at the place of the symbol           a    e^(2A) / (e^(2A) + n - 1), the largest attention weight
    eps    change anywhere else                        c    norm of O V of a head

For a model of real numbers without mask and norms, whose feed-forward parts are ReLUs. The weights of a head change, in sum, by no more
than the largest change of a logit, and by 2 a times the change of a single one. Norms are rounded up.
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.checker.models.description import Layer
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.values import Array
from separatrix.checker.seal import Refused

UP = 1 + 2.0**-30  # more than the singular values and sums here are off, relatively
STEEPEST = 300.0  # of an exponent


def logit_influence(model: Model, n: int) -> float:
    """The most that a logit at the last of n places changes when one symbol before it is exchanged."""
    d, ops = model.description, model.ops
    if ops.scale is not None or d.embedding.reads != "tokens" or d.readout.norm != "none":
        raise Refused("bound: a lower bound is about tokens in floats, and a read-out without a norm")
    F, delta, eps = 0.0, 0.0, 0.0
    rows = [embed(d.embedding, model.weights, ops, np.full(n, token), 1) for token in range(d.embedding.vocabulary)]
    places = np.stack([row.value for row in rows])
    off = max(float(row.errors.max(initial=0.0)) for row in rows) * math.sqrt(d.width)
    F = (float(np.linalg.norm(places, axis=-1).max()) + off) * UP
    delta = max(float(np.linalg.norm(x - y, axis=-1).max()) for x in places for y in places) * UP + 2 * off
    for number, (layer, w) in enumerate(zip(d.layers, model.layers, strict=True), 1):
        elsewhere, here, grown = 0.0, 0.0, 0.0
        for c, mu in _heads(layer, under(w, "mixer"), number):
            G, A = mu * F, mu * F * F
            a = 1 / (1 + (n - 1) * math.exp(-min(2 * A, STEEPEST)) / UP) if 2 * A <= STEEPEST else 1.0
            elsewhere += c * (eps + a * delta + F * min(2.0, 2 * G * eps + 2 * a * G * (eps + delta)))
            here += c * (eps + a * delta + F * min(2.0, G * (delta + eps) + 4 * a * G * delta))
            grown += c * F
        eps, delta, F = (eps + elsewhere) * UP, (delta + here) * UP, (F + grown) * UP
        if layer.feedforward is not None:
            part = under(w, "feedforward")
            steep = _norm(part["outer"]) * _norm(part["inner"]) * UP
            inner, outer = (_length(part.get(name)) for name in ("inner_bias", "outer_bias"))
            eps, delta = eps * (1 + steep) * UP, delta * (1 + steep) * UP
            F = (F + steep * F + _norm(part["outer"]) * inner + outer) * UP
    if not math.isfinite(eps):
        raise Refused("bound: the norms of the weights are too large")
    return eps * float(np.linalg.norm(model.weights["readout.weight"], axis=1).max()) * UP


def _heads(layer: Layer, w: Weights, number: int) -> list[tuple[float, float]]:
    """(c, mu) of every head."""
    mixer = layer.mixer
    if not isinstance(mixer, Attention) or mixer.scores != "softmax" or mixer.mask.kind != "all" or mixer.bias or mixer.rotary:
        raise Refused(f"layer {number}: expected softmax attention without mask, bias or rotary positions")
    if not layer.residual or layer.norm != "none":
        raise Refused(f"layer {number}: expected a residual connection and no norm")
    if layer.feedforward is not None and layer.feedforward.activation != "relu":
        raise Refused(f"layer {number}: expected ReLUs in the feed-forward part")
    m, u, scale = mixer.key_width, mixer.value_width, 1 / math.sqrt(mixer.key_width) if mixer.scaled else 1.0
    return [
        (
            _product_norm(w["out"][:, h * u : (h + 1) * u], w["value"][h * u : (h + 1) * u]),
            scale * _product_norm(w["query"][h * m : (h + 1) * m].T, w["key"][h * m : (h + 1) * m]),
        )
        for h in range(mixer.heads)
    ]


def _norm(matrix: Array) -> float:
    """The largest singular value, rounded up."""
    return float(np.linalg.norm(matrix.astype(np.float64), ord=2)) * UP


def _product_norm(one: Array, other: Array) -> float:
    """Of a product, whose entries are off by no more than rounding errors of the factors' own norms."""
    a, b = one.astype(np.float64), other.astype(np.float64)
    return _norm(a @ b) + 2.0**-40 * float(np.linalg.norm(a) * np.linalg.norm(b))


def _length(vector: Array | None) -> float:
    return 0.0 if vector is None else float(np.linalg.norm(vector.astype(np.float64))) * UP
