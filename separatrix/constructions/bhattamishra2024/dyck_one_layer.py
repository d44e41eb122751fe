"""Dyck-(2, 2) with one layer of width N and numbers of log2 N + 3 bits: the lower bound on one layer has the right order up to a logarithm.

[bhattamishra2024 Theorem 5]

Notation   N  brackets, x_1 y_1 x_2 y_2 ..     c(s)  +1, +2 for the two opening brackets, -1, -2 for their closing ones
           u  the least positive number        D_j   c(x_1) + c(y_1) + .. + c(y_j)

Place t has a coordinate of its own, and a head with uniform attention puts c(s_t) / N into it. The rest is the feed-forward part, which
adds up violations. A word of even length is in the language exactly where

    x_1 opens;   of y_j and x_(j+1) one opens and one closes, and where y_j opens they are a pair;   D_j is neither 1 nor -1, and D_n = 0.

For, as far as nothing is violated, exactly one bracket is open after x_j, and everything else has cancelled: so D_j = c(outer) + c(y_j),
which is 0 where y_j closes the outer bracket, 1 or -1 where it closes with the other type, and at least 2 where it opens.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from separatrix.arithmetic import Format, parse_format
from separatrix.certificates.claim import Built, Claim, Layout, Slot, Step, Trace
from separatrix.certificates.program import Program
from separatrix.constructions.compiler import model_of
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.decoders.position import Position
from separatrix.models.masks import All
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.tasks.dyck import Dyck

NAME = "dyck/one-layer"
CODES = (1.0, 2.0, -1.0, -2.0)
Unit = tuple[Tensor, float, float]  # relu(form . c + bias) in units of u, times a weight


def dyck_one_layer(length: int, arithmetic: str | None = None) -> Built:
    """One layer, one head, no residual: Dyck-(2, 2) at length N. Without `arithmetic` in the narrowest fixed point that holds it."""
    task = Dyck(length)
    N = length
    format = parse_format(arithmetic or narrowest(N))
    _refuse_too_narrow(format, N)
    u = 2.0**-format.fraction
    k = float(2**format.fraction // N)  # uniform attention weighs every token by k u, so coordinate t holds k c(s_t) u
    units = violations(N)

    place = PlaceConfig(address="one-hot", dims=N, projected=False)
    heads = AttentionConfig(heads=1, key_width=1, value_width=N, scores="uniform", mask=All())
    config = ModelConfig(
        embedding=EmbeddingConfig(plain=4, places=(place,), gated=True),
        layers=(LayerConfig(heads, FeedForwardConfig(len(units))),),
        readout=ReadoutConfig(2),
        width=N,
        arithmetic=format.name,
        length=N,
    )
    first = torch.zeros(N, dtype=torch.float64)
    first[0] = 1  # the violations are written into the first coordinate
    weights = {
        "embedding.table": torch.zeros(4, N),
        "embedding.gate": torch.tensor(CODES),
        "layers.0.mixer.query": torch.zeros(1, N),
        "layers.0.mixer.key": torch.zeros(1, N),
        "layers.0.mixer.value": torch.eye(N),
        "layers.0.mixer.out": torch.eye(N),
        "layers.0.feedforward.inner": torch.stack([form for form, _, _ in units]),
        "layers.0.feedforward.inner_bias": torch.tensor([bias * k * u for _, bias, _ in units], dtype=torch.float64),
        "layers.0.feedforward.outer": first[:, None] * torch.tensor([weight for _, _, weight in units], dtype=torch.float64),
        "layers.0.feedforward.outer_bias": torch.zeros(N),
        "readout.weight": torch.stack([first, -first]),  # violations against u - violations
        "readout.bias": torch.tensor([0.0, u], dtype=torch.float64),
    }
    model = model_of(config, {name: tensor.double().numpy() for name, tensor in weights.items()}, NAME)
    facts = {"unit": u, "k": k, "hidden units": float(len(units))}
    claim = Claim(NAME, "bhattamishra2024 Theorem 5", "dyck", task.parameters, {}, format.name, facts)
    layouts = (Layout((Slot("code", 0, N),)), Layout((Slot("violations", 0, 1),)))
    return Built(Program(model, Position()), claim, task, layouts, lambda trace: _steps(trace, task))


def violations(N: int) -> list[Unit]:
    """Hidden units whose weighted sum is 0 on words of the language, and positive on all others."""

    def form(coefficients: dict[int, float]) -> Tensor:
        """A linear form in c(s_1), .., c(s_N), by place."""
        found = torch.zeros(N, dtype=torch.float64)
        for t, value in coefficients.items():
            found[t - 1] = value
        return found

    units: list[Unit] = [(form({1: -1.0}), 1.0, 1.0)]  # x_1 opens: c >= 1
    for y in range(2, N, 2):
        x = y + 1  # the brackets y_j and x_(j+1)
        units += [
            (form({y: 2.0, x: 1.0}), -2.0, 1.0),  # both open, or 2, -1: [ closed by )
            (form({y: -1.0, x: -2.0}), -2.0, 1.0),  # both close, or 1, -2: ( closed by ]
        ]
        D = form(dict.fromkeys(range(1, y + 1), 1.0))
        units += [(-D, 0.0, 1.0), (D, 0.0, 1.0), (D, -1.0, -2.0), (D, -2.0, 1.0)]  # D < 0, and a tent over D = 1
    D = form(dict.fromkeys(range(1, N + 1), 1.0))
    return [*units, (D, 0.0, 1.0), (-D, 0.0, 1.0)]


def narrowest(N: int) -> str:
    """Fixed point with the fewest bits: a sign, two integer bits for the codes, and f = ceil(log2 N) so that a weight of 1/N is not 0."""
    f = math.ceil(math.log2(N))
    return f"fixed:{f + 3},{f}"


def _refuse_too_narrow(format: Format, N: int) -> None:
    least = parse_format(narrowest(N))
    if format.kind != "fixed" or format.fraction < least.fraction or format.integer_bits < 2:
        raise BadInput(f"{NAME}, N = {N}: expected fixed point with 2 integer and {least.fraction} fractional bits, found {format.name}")


def _steps(trace: Trace, task: Dyck) -> tuple[Step, ...]:
    """The proof told over one run."""
    codes = [int(CODES[token]) for token in trace.tokens]
    heights = [sum(codes[: t + 1]) for t in range(len(codes))]
    said = int(trace.logits.argmax())
    return (
        Step("write", "Each bracket has a number, its partner the negative one, in a coordinate of its own.", {"codes": codes}),
        Step("compare", "Neighbours of which one opens must be a pair.", {"pairs": [*zip(codes[1:-1:2], codes[2::2], strict=True)]}),
        Step("add up", "All that was closed cancels: the sum names what is open.", {"sums after even places": heights[1::2]}),
        Step("decide", "No violation may be left.", {"says": said, "expected": task.answer(trace.tokens)}),
    )
