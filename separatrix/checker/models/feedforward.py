"""FF(y) = W_2 act(W_1 y + b_1) + b_2; gated activations multiply act(W_1 y + b_1) by W_g y + b_g."""

from __future__ import annotations

from separatrix.checker.models.description import FeedForward
from separatrix.checker.models.mixers import Weights
from separatrix.checker.numbers.cancelling import tightened
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import gelu, native, silu
from separatrix.checker.numbers.values import Values


def feedforward(part: FeedForward, w: Weights, ops: Numbers, y: Values) -> Values:
    """At each position alone; `w` has the names of this part."""
    h = ops.linear(y, w["inner"], w.get("inner_bias"))
    if part.activation == "gelu":
        h = gelu(native(ops, "GeLU"), h)
    elif part.activation == "swiglu":
        h = silu(native(ops, "SwiGLU"), h)
    elif part.activation == "relu" and isinstance(ops, Float) and ops.name == "float32":  # float64 has errors to spare
        active = ops.relu(h)
        z = ops.linear(active, w["outer"], w.get("outer_bias"))
        return tightened(y, h, active, z, w["inner"], w["outer"])
    else:
        h = ops.relu(h)
    if part.gated:
        h = ops.product(h, ops.linear(y, w["gate"], w.get("gate_bias")))
    return ops.linear(h, w["outer"], w.get("outer_bias"))


def work(part: FeedForward, width: int, rows: int, ops: Numbers) -> int:
    """Its cost, in float64 multiplications."""
    return rows * part.hidden * ((2 + part.gated) * width * ops.cost(width) + 40) + 10_000
