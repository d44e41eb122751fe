"""String equality with one layer of width 1, whose numbers have N/2 + 1 bits: the one-layer lower bound is tight up to a constant.

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

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.bits import bits_for, ceil_log2
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, row, stack
from separatrix.constructions.gadgets import absolute
from separatrix.errors import BadInput
from separatrix.tasks.equality import Equality

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace

NAME = "equality/one-layer"


def equality_one_layer(task: Equality, arithmetic: str | None = None) -> Built:
    """One layer, one head, width 1, no residual: EQ of N symbols. Without `arithmetic` in the narrowest fixed point that holds it."""
    N, b = task.length, bits_for(task.symbols)
    format = _format(task, arithmetic)
    u, g = 2.0**-format.fraction, b - 1  # s 2^(b i) u is the product of s 2^-g and 2^(b i + g) u, both of which the format has
    net = Assembler(plain=task.symbols, targets=2, length=N, arithmetic=format.name)

    powers = [2.0 ** (b * i + g) * u for i in range(N // 2)]
    signed = AddressWeights("table", 1, column(*powers, *(-power for power in powers)), projected=False)
    value = net.place("value", signed, gate=np.arange(task.symbols, dtype=np.float64) * 2.0**-g)

    layer = net.layer(attention="uniform")
    t = layer.attend("add up", value=stack(value, -value), out=row(1.0, -1.0)[None], into="difference")  # t = U_1 - U_2
    unequal = layer.write("unequal", absolute(t))  # |t|: at least u where the halves differ, else 0
    net.read_out(column(1.0, -1.0), unequal, row(0.0, u))  # |t| against u - |t|

    facts = {"unit": u, "k": float(2**format.fraction // N)}
    return net.compile(task, NAME, EQUALITY_ONE_LAYER.cites, {}, facts, steps=lambda trace: _steps(trace, task))


def _sizes(task: Equality, arithmetic: str | None) -> Sizes:
    return Sizes(layers=1, heads=1, width=1, value_width=2, precision_bits=_format(task, arithmetic).bits)


def narrowest(N: int, b: int) -> str:
    """Fixed point with the fewest bits: b N/2 for X and a sign, and f of them fractional so that a weight of 1/N is not 0."""
    f = max(ceil_log2(N), b - 1)
    return f"fixed:{max(b * N // 2 + 1, f + 2)},{f}"


def _format(task: Equality, arithmetic: str | None) -> Format:
    """The number format; refuses one that is too narrow."""
    N, b = task.length, bits_for(task.symbols)
    format = parse_format(arithmetic or narrowest(N, b))
    _refuse_too_narrow(format, N, b)
    return format


def _refuse_too_narrow(format: Format, N: int, b: int) -> None:
    least = parse_format(narrowest(N, b))
    if format.kind != "fixed":
        raise BadInput(f"{NAME} needs exact sums that are rounded down: expected arithmetic fixed:p,f, found {format.name}")
    if format.bits - 1 < b * N // 2 or format.fraction < least.fraction or format.integer_bits < 1:
        raise BadInput(
            f"{NAME}, N = {N}: expected at least {b * N // 2 + 1} bits, {least.fraction} of them fractional and 1 for integers, "
            f"as in {least.name}; found {format.name}"
        )


def _steps(trace: Trace, task: Equality) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    N, b = task.length, bits_for(task.symbols)
    X, Y = (sum(s << (b * i) for i, s in enumerate(half)) for half in (trace.tokens[: N // 2], trace.tokens[N // 2 :]))
    predicted = int(trace.logits.argmax())
    return (
        Step("write", "Each token has a power of 2 as its value, times its symbol; the second half has the other sign.", {"X": X, "Y": Y}),
        Step("add up", "Uniform attention adds the values up, and their negatives, and rounds both down.", {"X - Y": X - Y}),
        Step("decide", "One of the two is negative where the halves differ.", {"says": predicted, "expected": task.answer(trace.tokens)}),
    )


EQUALITY_ONE_LAYER = Construction(
    name=NAME,
    cites="bhattamishra2024 Theorem 12",
    computes=Equality,
    architecture=Architecture.ONE_LAYER,
    build=equality_one_layer,
    formula=_sizes,
    quick=({"length": 10}, {"length": 200}),  # at 10 all inputs
)
