"""Dyck-(2, 2) with one layer of width N and numbers of log2 N + 3 bits: the one-layer lower bound is tight up to a logarithm.

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

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.bits import ceil_log2
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import Array, Form, column, row
from separatrix.constructions.gadgets import Gadget, Part
from separatrix.errors import BadInput
from separatrix.tasks.dyck import Dyck

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace

NAME = "dyck/one-layer"
CODES = (1.0, 2.0, -1.0, -2.0)
Unit = tuple[Array, float, float]  # relu(form . c + bias) in units of u, times a weight


def dyck_one_layer(task: Dyck, arithmetic: str | None = None) -> Built:
    """One layer, one head, no residual: Dyck-(2, 2) at length N. Without `arithmetic` in the narrowest fixed point that holds it."""
    N, format = task.length, _format(task, arithmetic)
    u = 2.0**-format.fraction
    k = float(2**format.fraction // N)  # uniform attention weighs every token by k u, so coordinate t holds k c(s_t) u
    net = Assembler(plain=4, targets=2, length=N, arithmetic=format.name)

    own_coordinate = AddressWeights("one-hot", N, projected=False)
    code = net.place("code", own_coordinate, gate=row(*CODES))
    layer = net.layer(attention="uniform")
    codes = layer.attend("gather", value=code, into="codes")
    units = violations(N)
    wrong = layer.write("violations", _counted(units, codes, k * u))
    net.read_out(column(1.0, -1.0), wrong, row(0.0, u))  # violations against u - violations

    facts = {"unit": u, "k": k, "hidden units": float(len(units))}
    return net.compile(task, NAME, DYCK_ONE_LAYER.cites, {}, facts, steps=lambda trace: _steps(trace, task))


def _sizes(task: Dyck, arithmetic: str | None) -> Sizes:
    """A coordinate for each bracket."""
    N = task.length
    return Sizes(layers=1, heads=1, width=N, value_width=N, precision_bits=_format(task, arithmetic).bits)


def violations(N: int) -> list[Unit]:
    """Hidden units whose weighted sum is 0 on words of the language, and positive on all others."""

    def form(coefficients: dict[int, float]) -> Array:
        """A linear form in c(s_1), .., c(s_N), by place."""
        vector = np.zeros(N)
        for t, value in coefficients.items():
            vector[t - 1] = value
        return vector

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


def _counted(units: list[Unit], codes: Form, unit: float) -> Gadget:
    """The weighted sum of hidden units, whose biases count in units of what a code of 1 leaves after averaging."""
    forms = codes.through(np.stack([form for form, _, _ in units])) + Form({}, row(*(bias * unit for _, bias, _ in units)))
    weights = row(*(weight for _, _, weight in units))[None]
    return Gadget("violations", (Part(weights, forms),), np.zeros(1), (codes,), low=None, high=None)


def narrowest(N: int) -> str:
    """Fixed point with the fewest bits: a sign, two integer bits for the codes, and f = ceil(log2 N) so that a weight of 1/N is not 0."""
    f = ceil_log2(N)
    return f"fixed:{f + 3},{f}"


def _format(task: Dyck, arithmetic: str | None) -> Format:
    """The number format; refuses one that is too narrow."""
    format = parse_format(arithmetic or narrowest(task.length))
    _refuse_too_narrow(format, task.length)
    return format


def _refuse_too_narrow(format: Format, N: int) -> None:
    least = parse_format(narrowest(N))
    if format.kind != "fixed" or format.fraction < least.fraction or format.integer_bits < 2:
        raise BadInput(f"{NAME}, N = {N}: expected fixed point with 2 integer and {least.fraction} fractional bits, found {format.name}")


def _steps(trace: Trace, task: Dyck) -> tuple[Step, ...]:
    """The steps of the proof, with their numbers in one run."""
    codes = [int(CODES[token]) for token in trace.tokens]
    heights = [sum(codes[: t + 1]) for t in range(len(codes))]
    predicted = int(trace.logits.argmax())
    return (
        Step("write", "Each bracket has a number, its partner the negative one, in a coordinate of its own.", {"codes": codes}),
        Step("compare", "Neighbours of which one opens must be a pair.", {"pairs": [*zip(codes[1:-1:2], codes[2::2], strict=True)]}),
        Step("add up", "All that was closed cancels: the sum names what is open.", {"sums after even places": heights[1::2]}),
        Step("decide", "No violation may be left.", {"says": predicted, "expected": task.answer(trace.tokens)}),
    )


DYCK_ONE_LAYER = Construction(
    name=NAME,
    cites="bhattamishra2024 Theorem 5",
    computes=Dyck,
    architecture=Architecture.ONE_LAYER,
    build=dyck_one_layer,
    formula=_sizes,
    quick=({"length": 6}, {"length": 40}),
    fixed=("types", "depth", "positives"),
    ignores=("positives",),
)
