"""How much one symbol can change what a softmax Transformer computes at another place: at most a constant over n.

[hahn2020 Lemma 5]

The printed proof forgets that the attention weights change too. Repaired, for a model without a mask and without norms:

    F      bound on the vectors of the stream          mu   norm of Q^T K of a head, G = mu F, A = mu F^2
    delta  change at the place of the symbol           a    e^(2A) / (e^(2A) + n - 1), the largest attention weight
    eps    change anywhere else                        c    norm of O V of a head, Lam Lipschitz constant of the feed-forward part

A head's output changes, elsewhere and at the place itself, by at most c times

    eps + a delta + F min(2, 2 G eps + 2 a G (eps + delta))      and      eps + a delta + F min(2, G (delta + eps) + 4 a G delta)

because the weights move, in sum, by no more than the largest change of a logit, and by 2 a times the change of a single one.
Positions must be bounded: F contains their norm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from separatrix.errors import BadInput
from separatrix.models.layer import Layer
from separatrix.models.masks import All
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.model import Model


@dataclass(frozen=True)
class Influence:
    """The most that exchanging one symbol, before the last, can change at the last place: the stream, and any logit."""

    stream: float
    logit: float


@torch.no_grad()
def influence_bound(model: Model, n: int) -> Influence:
    """For inputs of n tokens, from the norms of the model's own weights."""
    places = model.embedding(torch.arange(model.config.embedding.vocabulary)[:, None].expand(-1, n))  # every token at every place
    F, delta, eps = float(places.norm(dim=-1).max()), _largest_exchange(places), 0.0
    for number, layer in enumerate(model.each_layer(), 1):
        heads = _heads(layer, number)
        elsewhere, here, grown = 0.0, 0.0, 0.0
        for c, mu in heads:
            G, A = mu * F, mu * F * F
            a = 1 / (1 + (n - 1) * math.exp(-min(2 * A, 700.0)))
            elsewhere += c * (eps + a * delta + F * min(2.0, 2 * G * eps + 2 * a * G * (eps + delta)))
            here += c * (eps + a * delta + F * min(2.0, G * (delta + eps) + 4 * a * G * delta))
            grown += c * F
        eps, delta, F = eps + elsewhere, delta + here, F + grown
        if layer.feedforward is not None:
            part = layer.feedforward
            steep = _norm(part.outer) * _norm(part.inner)
            biases = [0.0 if bias is None else float(bias.norm()) for bias in (part.inner_bias, part.outer_bias)]
            eps, delta = eps * (1 + steep), delta * (1 + steep)
            F = F + steep * F + _norm(part.outer) * biases[0] + biases[1]
    if model.readout.config.norm != "none":
        raise BadInput(
            f"read-out: expected no norm before it, found {model.readout.config.norm}: a norm undoes what the bound says of lengths"
        )
    return Influence(eps, eps * float(model.readout.weight.norm(dim=1).max()))


@torch.no_grad()
def measured_influence(model: Model, tokens: Tensor, place: int) -> float:
    """The largest change of a logit at the last place, over all inputs given [rows, n], when one symbol becomes any other."""
    before, most = model(tokens, at=-1), 0.0
    for symbol in range(model.config.embedding.vocabulary):
        changed = tokens.clone()
        changed[:, place] = symbol
        most = max(most, float((model(changed, at=-1) - before).abs().max()))
    return most


def _largest_exchange(places: Tensor) -> float:
    """The largest distance of two tokens at one place; places [tokens, n, width]."""
    return float((places[:, None] - places[None]).norm(dim=-1).max())


def _heads(layer: Layer, number: int) -> list[tuple[float, float]]:
    """The constants (c, mu) of every head of a layer."""
    mixer = layer.mixer
    plain = isinstance(mixer, MultiHeadAttention) and mixer.config.scores == "softmax" and isinstance(mixer.config.mask, All)
    if not isinstance(mixer, MultiHeadAttention) or not plain or mixer.config.bias or mixer.config.rotary:
        raise BadInput(f"layer {number}: expected softmax attention without mask, bias or rotary positions")
    if not layer.config.residual or layer.config.norm != "none":
        raise BadInput(f"layer {number}: expected a residual connection and no norm")
    if layer.feedforward is not None and layer.feedforward.config.activation != "relu":
        raise BadInput(f"layer {number}: expected ReLUs in the feed-forward part")
    H, m, u = mixer.config.heads, mixer.config.key_width, mixer.config.value_width
    scale = 1.0 if mixer.scale is None else mixer.scale
    return [
        (
            _norm(mixer.out[:, h * u : (h + 1) * u] @ mixer.value[h * u : (h + 1) * u]),
            scale * _norm(mixer.query[h * m : (h + 1) * m].T @ mixer.key[h * m : (h + 1) * m]),
        )
        for h in range(H)
    ]


def _norm(matrix: Tensor) -> float:
    return float(torch.linalg.matrix_norm(matrix.double(), ord=2))
