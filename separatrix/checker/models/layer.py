"""A layer: y = mix(norm(x)), plus x where residual; then z = FF(norm(y)), plus y where residual.

FF(y) = W_2 act(W_1 y + b_1) + b_2; gated activations multiply act(W_1 y + b_1) by W_g y + b_g.
"""

from __future__ import annotations

from separatrix.checker.models.description import FeedForward, Layer
from separatrix.checker.models.mixers import Weights
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import gelu, native, normed, swish


def run_layer(layer: Layer, w: Weights, ops: Numbers, x: Box, readers: Array) -> Box:
    """The stream after a layer at some positions of every input, from 0 on; `w` has the names of this layer."""
    if layer.mixer is None:
        return after_mixing(layer, w, ops, x.rows(readers), None)
    before = norm(layer.norm, w, "before_mixing", ops, x)
    return after_mixing(layer, w, ops, x.rows(readers), layer.mixer.mix(ops, under(w, "mixer"), before, readers))


def after_mixing(layer: Layer, w: Weights, ops: Numbers, x: Box, mixed: Box | None) -> Box:
    """The rest of a layer, at each position alone."""
    y = x if mixed is None else ops.add(x, mixed) if layer.residual else mixed
    if layer.feedforward is None:
        return y
    z = feedforward(layer.feedforward, under(w, "feedforward"), ops, norm(layer.norm, w, "before_feedforward", ops, y))
    return ops.add(y, z) if layer.residual else z


def norm(kind: str, w: Weights, name: str, ops: Numbers, x: Box) -> Box:
    """x through a norm, or unchanged."""
    if kind == "none":
        return x
    return normed(native(ops, "norm"), x, kind, w[f"{name}.weight"], w.get(f"{name}.bias"))


def under(w: Weights, name: str) -> Weights:
    """The weights of a part, by their names within it."""
    return {key.removeprefix(f"{name}."): tensor for key, tensor in w.items() if key.startswith(f"{name}.")}


def feedforward(part: FeedForward, w: Weights, ops: Numbers, y: Box, together: bool = False) -> Box:
    """At each position alone; `w` has the names of this part. ReLUs of one direction are also bounded `together`."""

    def alone(y: Box) -> Box:
        h = ops.linear(y, w["inner"], w.get("inner_bias"))
        if part.activation == "gelu":
            h = gelu(native(ops, "GeLU"), h)
        elif part.activation == "swiglu":
            h = swish(native(ops, "SwiGLU"), h)
        else:
            h = ops.relu(h)
        if part.gated:
            h = ops.product(h, ops.linear(y, w["gate"], w.get("gate_bias")))
        return ops.linear(h, w["outer"], w.get("outer_bias"))

    if part.activation != "relu" or y.point or not (together or ops.name == "float32"):  # float64 has digits to spare
        return alone(y)
    from separatrix.checker.numbers.units import relus

    return relus(ops, w, y, alone)


def feedforward_work(part: FeedForward, width: int, rows: int, ops: Numbers) -> int:
    """Its cost, in float64 multiplications."""
    return rows * part.hidden * ((2 + part.gated) * width * ops.cost(width) + 40) + 10_000
