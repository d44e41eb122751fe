"""What the rules require of a model as a whole, and the parts of a layer on boxes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from separatrix.checker.models.description import Layer
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.exact import Fixed, Grid
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, shifted
from separatrix.checker.numbers.rounding import SLACK, gamma
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.numbers.values import Array
from separatrix.checker.replay.boxes import U64, Box, add, linear
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.replay.units import feedforward

TARGETS = 1024  # up to which every pair of targets is compared
LOGITS = 1 << 22  # that are computed together


def attention_layers(model: Model, count: int) -> list[Attention]:
    """The mixers of a model with `count` attention layers, without norms, that reads tokens."""
    d = model.description
    if d.embedding.reads != "tokens":
        raise Unproven("the embedding", "it reads vectors, expected tokens")
    if len(d.layers) != count:
        raise Unproven("the model", f"expected {count} layer{'s' * (count > 1)} of attention, found {len(d.layers)}")
    mixers = []
    for i, layer in enumerate(d.layers):
        if not isinstance(layer.mixer, Attention):
            raise Unproven(f"layer {i + 1}", f"expected attention, found {type(layer.mixer).__name__}")
        if layer.norm != "none":
            raise Unproven(f"layer {i + 1}", "a norm, expected none")
        mixers.append(layer.mixer)
    if d.readout.norm != "none":
        raise Unproven("the read-out", "a norm, expected none")
    return mixers


def after_reading(model: Model, number: int, x: Box, read: Box) -> Box:
    """The rest of a layer at each position alone: what the heads read, side by side, and the stream x that entered."""
    layer: Layer = model.description.layers[number]
    w, ops = model.layers[number], model.ops
    mixer = under(w, "mixer")
    y = linear(ops, read, mixer["out"], mixer.get("out_bias"))
    if layer.residual:
        y = add(ops, x, y)
    if layer.feedforward is None:
        return y
    z = feedforward(layer.feedforward, under(w, "feedforward"), ops, y, f"layer {number + 1}")
    return add(ops, y, z) if layer.residual else z


def logits_of(model: Model, x: Box) -> Box:
    """From the stream to the logits."""
    return linear(model.ops, x, model.weights["readout.weight"], model.weights.get("readout.bias"))


def leads_of(ops: Numbers, logits: Box, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of logits; in the units of the format."""
    rows, rivals = np.arange(len(answers)), logits.high.copy()
    rivals[rows, answers] = logits.low.min() - 1 if isinstance(ops, Grid) else -math.inf
    return np.asarray(logits.low[rows, answers].astype(object if isinstance(ops, Grid) else np.float64) - rivals.max(axis=1))


def leads(model: Model, x: Box, answers: Array) -> Array:
    """The least lead of the answer's logit over every other, for each row of the stream; in the units of the format.

    Two logits are two linear forms of the same numbers, so their difference is bounded as one form, and by the two boxes alone.
    """
    ops, w, bias = model.ops, model.weights["readout.weight"], model.weights.get("readout.bias")
    rows = max(1, LOGITS // len(w))
    blocks = [slice(first, first + rows) for first in range(0, len(answers), rows)]
    least = np.concatenate([leads_of(ops, logits_of(model, x[block]), answers[block]) for block in blocks])
    if len(w) > TARGETS or x.point:
        return least
    for answer in np.unique(answers):
        mine = np.flatnonzero(answers == answer)
        least[mine] = np.maximum(least[mine], _difference(ops, x[mine], w, bias, int(answer)))
    return least


def _difference(ops: Numbers, x: Box, w: Array, bias: Array | None, answer: int) -> Array:
    """The least of (w_answer - w_rival) x over all rivals, less the error of storing both."""
    others = np.delete(np.arange(len(w)), answer)
    offset = 0 if bias is None else bias[answer] - bias[others]
    if isinstance(ops, Grid):
        apart = plus(w[answer][None], -w[others])
        low = plus(product(x.low, np.maximum(apart, 0).T), product(x.high, np.minimum(apart, 0).T))
        size = product(x.reach, np.abs(w).T).max() + (0 if bias is None else int(np.abs(bias).max()) << ops.f)
        if int(size) >> ops.f >= ops.high:  # a logit may be clamped
            return np.full(len(x.low), -(1 << 62), dtype=object)
        units = (plus(low, shifted(np.asarray(offset), ops.f)) >> ops.f).min(axis=1)
        return np.asarray(units.astype(object) - (0 if isinstance(ops, Fixed) else 1))  # floors of two numbers differ by the floor at least
    apart, sizes = w[answer] - w[others], np.abs(w[answer]) + np.abs(w[others])
    low = x.low @ np.maximum(apart, 0).T + x.high @ np.minimum(apart, 0).T + offset
    size = x.reach @ sizes.T + (0 if bias is None else np.abs(bias[answer]) + np.abs(bias[others]))
    terms = w.shape[1] + 1
    if isinstance(ops, SmallFloat):  # rounds the exact sum once
        roundings, u, tiny = 1, 2.0 ** -(ops.m + 1), 2.0**ops.least
    else:
        assert isinstance(ops, Float)
        roundings, u, tiny = terms, ops.u, ops.tiny
    lost = gamma(roundings, u) * size + 2 * terms * tiny + gamma(2 * terms + 8, U64) * size
    return np.asarray((low - lost * SLACK).min(axis=1))


def margin_of(ops: Numbers, lead: Array) -> Fraction | float:
    """The least of them, as a number."""
    least = lead.min()
    return Fraction(int(least), ops.scale) if isinstance(ops, Grid) else float(least) * (1 - 2.0**-50)


def shown(ops: Numbers, x: object) -> str:
    """A number of the format in a message."""
    value = float(x) / ops.scale if ops.scale is not None else float(x)  # type: ignore[arg-type]
    return f"{value:.4g}"
