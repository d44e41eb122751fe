"""PARITY with two softmax layers of constant width, for all words of at most N bits: scales grow with N, and only they.

[hahn2020 Remark 8; for PARITY]

Notation   n   bits, then the end symbol, so m = n + 1 tokens       k    ones among them
           i   0 at the first token, .., n at the end symbol        eta  3, the gap between the two largest logits

Layer 1 averages the bit, and what only the end symbol has, over all tokens: (k/m, 1/m). Layer 2 asks for the place that equals the *count*:

    logit of place i   eta (N + 1) (2 i k/m - i^2/m)  =  eta (N + 1)/m (k^2 - (i - k)^2)

which is largest at i = k, by at least eta times the square of the distance as m <= N + 1. There are places 0 .. n, and k is one of them.
What is read there is whether i is even. So the others have at most 2 (e^-eta + e^-4eta + ..) < 0.1 of the weight, whatever n is.
The lower bounds on hard and soft attention forbid what does not grow with n; here the largest weight is 2 eta (N + 1).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import Format, parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, row, stack
from separatrix.constructions.gadgets import step
from separatrix.constructions.parts.softmax_reads import WIDE, roundoff
from separatrix.errors import BadInput
from separatrix.tasks.parity import Parity

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

ETA = 3.0
BLUR = 1 / 8  # how far rounding may move a logit


def parity(task: Parity, arithmetic: str = "float64") -> Built:
    """Two layers, one head each, width 9."""
    N, share = task.length, least_share(task.name, task.length, parse_format(arithmetic))
    net = Assembler(plain=3, targets=2, length=N + 1, arithmetic=arithmetic, residual=True)
    bit, end = net.token("bit", column(0.0, 1.0, 0.0)), net.token("end", column(0.0, 0.0, 1.0))
    place = net.place("place", AddressWeights("quadratic", 2).before())  # (i, i^2)
    even = net.place("even", AddressWeights("one-hot", 2).folded(2), column(1.0, 0.0))  # i = 0 is the first of every two

    mean = net.layer(attention="uniform").attend("mean", value=stack(bit, end), into="mean")  # (k/m, 1/m)
    second = net.layer()
    scale = ETA * (N + 1)
    query = mean.through(np.diag([2 * scale, -scale]))
    z = second.attend("the place that equals the count", query=query, key=place, value=even, into="read", share=share)
    is_even = second.write("answer", step(z))
    net.read_out(column(-1.0, 1.0), is_even, row(1.0, 0.0))
    return net.compile(task, PARITY_SOFT.name, PARITY_SOFT.cites, {}, {"eta": ETA, "scale": scale, "share": share})


def least_share(name: str, N: int, format: Format) -> float:
    """The least weight on the place that equals the count; refused where rounding may move a logit by more than an eighth.

    A mean is off by N + 9 roundings, relatively, and a logit is eta (N + 1) times a product of it with at most N^2.
    """
    off = 4 * ETA * (N + 1) ** 2 * (N + 9) * roundoff(format)
    if format.name not in WIDE or off > BLUR:
        raise BadInput(f"{name}: {format.name} moves the logits of {N} places by up to {off:.3g}, or has no such softmax: expected {BLUR}")
    others = 2 * sum(math.exp(2 * BLUR - ETA * j * j) for j in range(1, 10))
    return 1 / (1 + others)


def _sizes(task: Parity, arithmetic: str) -> Sizes:
    """bit, end, a place of two numbers, even; what layer 1 adds, two; what layer 2 adds, two."""
    format = parse_format(arithmetic)
    least_share(task.name, task.length, format)
    return Sizes(layers=2, heads=1, width=9, value_width=2, precision_bits=format.bits)


PARITY_SOFT = Construction(
    name="parity/soft-attention",
    computes=Parity,
    architecture=Architecture.TWO_LAYERS,
    build=parity,
    formula=_sizes,
    quick=({"length": 10}, {"length": 64}),
)
