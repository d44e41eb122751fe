"""String equality with one layer of width 1, whose numbers have N/2 + 1 bits: the lower bound on one layer has the right order.

[bhattamishra2024 Theorem 12]

Notation   N   symbols, two halves of N/2              b   bits of a symbol, ceil(log2 |S|)
           X   first half as a number, base 2^b        Y   second half likewise, both below 2^(b N/2)
           u   the least positive number 2^-f          k   floor(2^f / N): uniform attention weighs each token by k u

The token at place i of a half has value s 2^(b i) u, with the other sign in the second half, so the values add up to (X - Y) u. A head
with uniform attention reads them, and their negatives, at its two coordinates: U_1 = floor(k (X - Y) / 2^f) u and U_2 the floor of the
negative. Where X = Y both are 0. Where X > Y the second is negative and the first is not, and the other way round, as floors go toward
minus infinity: so U_1 - U_2 is 0 exactly where the halves agree, and no bit beyond those of X is needed to see it.
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.arithmetic import Format, parse_format
from separatrix.certificates.claim import Built, Claim, Layout, Slot, Step, Trace
from separatrix.certificates.program import Program
from separatrix.constructions.compiler import model_of
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.decoders.position import Position
from separatrix.models.masks import All
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.tasks.equality import Equality

NAME = "equality/one-layer"


def equality_one_layer(length: int, symbols: int = 2, arithmetic: str | None = None) -> Built:
    """One layer, one head, width 1, no residual: EQ of N symbols. Without `arithmetic` in the narrowest fixed point that holds it."""
    task = Equality(length, symbols)
    N, b = length, (symbols - 1).bit_length()
    format = parse_format(arithmetic or narrowest(N, b))
    _refuse_too_narrow(format, N, b)
    unit, g = 2.0**-format.fraction, b - 1  # s 2^(b i) u is made of s 2^-g and 2^(b i + g) u, both of which the format has

    place = PlaceConfig(address="table", dims=1, extent=N, projected=False)
    heads = AttentionConfig(heads=1, key_width=1, value_width=2, scores="uniform", mask=All())
    config = ModelConfig(
        embedding=EmbeddingConfig(plain=symbols, places=(place,), gated=True),
        layers=(LayerConfig(heads, FeedForwardConfig(2)),),
        readout=ReadoutConfig(2),
        width=1,
        arithmetic=format.name,
        length=N,
    )
    powers = [2.0 ** (b * i + g) * unit for i in range(N // 2)]
    weights = {
        "embedding.table": [[0.0]] * symbols,
        "embedding.gate": [s * 2.0**-g for s in range(symbols)],
        "embedding.places.0.address.table": [[v] for v in powers] + [[-v] for v in powers],
        "layers.0.mixer.query": [[0.0]],
        "layers.0.mixer.key": [[0.0]],
        "layers.0.mixer.value": [[1.0], [-1.0]],
        "layers.0.mixer.out": [[1.0, -1.0]],  # t = U_1 - U_2
        "layers.0.feedforward.inner": [[1.0], [-1.0]],
        "layers.0.feedforward.inner_bias": [0.0, 0.0],
        "layers.0.feedforward.outer_bias": [0.0],
        "layers.0.feedforward.outer": [[1.0, 1.0]],  # |t|: at least u where the halves differ, else 0
        "readout.weight": [[1.0], [-1.0]],  # |t| against u - |t|
        "readout.bias": [0.0, unit],
    }
    model = model_of(config, {name: np.array(tensor) for name, tensor in weights.items()}, NAME)
    facts = {"unit": unit, "k": float(2**format.fraction // N)}
    claim = Claim(NAME, "bhattamishra2024 Theorem 12", "equality", task.parameters, {}, format.name, facts)
    layouts = (Layout((Slot("value", 0, 1),)), Layout((Slot("unequal", 0, 1),)))
    return Built(Program(model, Position()), claim, task, layouts, lambda trace: _steps(trace, task))


def narrowest(N: int, b: int) -> str:
    """Fixed point with the fewest bits: b N/2 for X and a sign, and f of them fractional so that a weight of 1/N is not 0."""
    f = max(math.ceil(math.log2(N)), b - 1)
    return f"fixed:{max(b * N // 2 + 1, f + 2)},{f}"


def _refuse_too_narrow(format: Format, N: int, b: int) -> None:
    least = parse_format(narrowest(N, b))
    if format.kind != "fixed":
        raise BadInput(f"{NAME} rests on exact sums that are rounded down: expected arithmetic fixed:p,f, found {format.name}")
    if format.bits - 1 < b * N // 2 or format.fraction < least.fraction or format.integer_bits < 1:
        raise BadInput(
            f"{NAME}, N = {N}: expected at least {b * N // 2 + 1} bits, {least.fraction} of them fractional and 1 for integers, "
            f"as in {least.name}; found {format.name}"
        )


def _steps(trace: Trace, task: Equality) -> tuple[Step, ...]:
    """The proof told over one run."""
    N, b = task.length, (task.symbols - 1).bit_length()
    X, Y = (sum(s << (b * i) for i, s in enumerate(half)) for half in (trace.tokens[: N // 2], trace.tokens[N // 2 :]))
    said = int(trace.logits.argmax())
    return (
        Step("write", "Each token has a power of 2 as its value, times its symbol; the second half has the other sign.", {"X": X, "Y": Y}),
        Step("add up", "Uniform attention adds the values up, and their negatives, and rounds both down.", {"X - Y": X - Y}),
        Step("decide", "One of the two is negative where the halves differ.", {"says": said, "expected": task.answer(trace.tokens)}),
    )
