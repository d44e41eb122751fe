"""String equality with two attention layers of logarithmic width.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   N         symbols, two halves of N/2           rho(s)   binary code of symbol s, bits as -1, +1
           match(i)  i in the first half, i - N/2 in the second
           T(i)      address of place i                   g_i      1 where s_i differs from s_match(i), else 0

Layer 1 has one head that reads s_match(i) and one that reads s_i itself (the class has no residual connection), and compares.
Layer 2 averages g over all places: the mean is 0 where the halves agree, and at least 1/N where they do not.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import torch

from separatrix.arithmetic import Format, parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget, at_least, xor
from separatrix.constructions.parts.addresses import lookup
from separatrix.constructions.parts.asking import ask, folded
from separatrix.constructions.parts.codes import binary_code
from separatrix.errors import BadInput
from separatrix.tasks.equality import Equality


def equality(
    length: int, symbols: int = 2, address: Literal["binary", "quadratic", "code", "one-hot"] = "binary", arithmetic: str = "float64"
) -> Built:
    """Two layers, two heads and then one, no residual: EQ of N symbols over any alphabet."""
    task = Equality(length, symbols)
    N, format = length, parse_format(arithmetic)
    T = lookup(address, N, format, extra=0)
    net = Assembler(plain=symbols, targets=2, length=N, arithmetic=arithmetic)

    rho = 2 * binary_code(symbols) - 1
    symbol = net.token("symbol", rho)  # x_i = [rho(s_i) | K(i) | Q(i) | Q(match(i))]
    place = net.place("place", T.named)
    own = ask(net, "own", T, T.named)
    matching = ask(net, "match", T, folded(T.named, N // 2))

    first = net.layer()
    a = first.attend("match", query=T.query(matching), key=T.key(place), value=symbol, into="matched", share=T.share)
    b = first.attend("self", query=T.query(own), key=T.key(place), value=symbol, into="own", share=T.share)
    differs = first.write("differs", xor(a, b))  # share >= 3/4: a and b have magnitude at least 1/2

    second = net.layer(attention="uniform")
    every = differs.through(torch.ones(1, differs.rows, dtype=torch.float64))
    mean = second.attend("mean", query=every * 0, key=every * 0, value=every, into="mean")
    unequal = second.write("unequal", any_of(mean, N, format))
    net.read_out(torch.tensor([[1.0], [-1.0]], dtype=torch.float64), unequal, torch.tensor([0.0, 1.0], dtype=torch.float64))

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share}
    return net.compile(task, "equality", "bhattamishra2024 Theorem 6", {"address": address}, facts, steps=lambda t: _steps(t, task))


def any_of(mean: Form, N: int, format: Format) -> Gadget:
    """1 where the mean of N flags, or of small counts, is not 0."""
    M = 2.0 ** math.ceil(math.log2(N))  # a power of two, so M z is exact; it is 0, or at least 1 up to rounding
    if not format.exact:
        return replace(at_least(M * mean, 0.75, gap=0.5), name="any of", inputs=(mean,))
    grid = 2.0**-format.fraction
    if (1 / N < grid) if format.kind == "fixed" else (1 / N <= grid / 2):
        raise BadInput(
            f"equality, N = {N}: a uniform weight 1/N vanishes in {format.name}; log2 N = {math.log2(N):.3g} fractional bits are needed"
        )
    return replace(at_least(M * mean, 1.0, gap=1.0), name="any of", inputs=(mean,))  # the stored weight is at least 1/M


def _steps(trace: Trace, task: Equality) -> tuple[Step, ...]:
    """The proof told over one run."""
    N = task.length
    heads = trace.attention[0]
    differs = trace.slot(1, "differs").sum(dim=1)
    said = int(trace.logits.argmax())
    matched = [int(heads[0, i].argmax()) + 1 for i in range(N)]
    return (
        Step("match", "One head of layer 1 reads the symbol at the matching place of the first half, the other the token's own symbol.",
             {"place each token reads": matched, "least weight on it": float(heads.amax(dim=2).min())}),
        Step("compare", "The feed-forward part compares the two codes bit by bit; both are off by at most 1/2, so the comparison is exact.",
             {"differs": [int(v) for v in differs]}),
        Step("average", "Layer 2 averages the differences over all places: 0 where the halves agree, at least 1/N where they do not.",
             {"mean": float(differs.mean()), "1/N": 1 / N}),
        Step("decide", "A threshold between 0 and 1/N decides.", {"says": said, "expected": task.answer(trace.tokens)}),
    )  # fmt: skip
