"""String equality with two attention layers of logarithmic width.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   N         symbols, two halves of N/2           rho(s)   binary code of symbol s, bits as -1, +1
           match(i)  i in the first half, i - N/2 in the second
           T(i)      address of place i                   g_i      1 where s_i differs from s_match(i), else 0

Layer 1 has one head that reads s_match(i) and, as the class has no residual connection, one that reads s_i itself; it compares the two.
Layer 2 averages g over all places: the mean is 0 where the halves agree, and at least 1/N where they do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch

from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler, Named
from separatrix.constructions.gadgets import xor
from separatrix.constructions.parts.addresses import ENOUGH, lookup
from separatrix.constructions.parts.asking import ask, folded
from separatrix.constructions.parts.counting import more_than
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.symbol_codes import binary_code
from separatrix.tasks import Task
from separatrix.tasks.equality import Equality

Address = Literal["binary", "quadratic", "code", "one-hot"]


def equality(length: int, symbols: int = 2, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """EQ of N symbols over any alphabet."""
    task = Equality(length, symbols)
    program = Comparison("equality", "bhattamishra2024 Theorem 6", lambda T: folded(T, length // 2), lambda trace: _steps(trace, task))
    return compare_matching(task, symbols, program, address, residual, arithmetic)


@dataclass(frozen=True)
class Comparison:
    """A function that says whether every place agrees with the place that it is matched with."""

    name: str
    cites: str
    match: Callable[[Named], Named]  # from the address of i to the address of match(i)
    steps: Callable[[Trace], tuple[Step, ...]]


def compare_matching(task: Task, symbols: int, program: Comparison, address: Address, residual: bool, arithmetic: str) -> Built:
    """Two layers, two heads (one with a residual connection) and then one."""
    N, format = task.length, parse_format(arithmetic)
    T = lookup(address, N, format, ENOUGH + 2 * roundoff(format), extra=0)
    net = Assembler(plain=symbols, targets=2, length=N, arithmetic=arithmetic, residual=residual)

    symbol = net.token("symbol", 2 * binary_code(symbols) - 1)  # x_i = [rho(s_i) | K(i) | Q(match(i)) | Q(i)]
    place = net.place("place", T.named)
    matching = ask(net, "match", T, program.match(T.named))
    own = None if residual else ask(net, "own", T, T.named)

    first = net.layer()
    a = first.attend("match", query=T.query(matching), key=T.key(place), value=symbol, into="matched", share=T.share)
    b = symbol
    if own is not None:
        b = first.attend("self", query=T.query(own), key=T.key(place), value=symbol, into="own", share=T.share)
    differs = first.write("differs", xor(a, b))  # share >= 3/4: a and b have magnitude at least 1/2

    second = net.layer(attention="uniform")
    count = differs.through(torch.ones(1, differs.rows, dtype=torch.float64))
    mean = second.attend("mean", query=count * 0, key=count * 0, value=count, into="mean")
    most = N // 2 * differs.rows
    unequal = second.write("unequal", more_than(0, mean, N, most, format, f"{program.name}, N = {N}"))  # 0, or at least 1/N
    net.read_out(torch.tensor([[1.0], [-1.0]], dtype=torch.float64), unequal, torch.tensor([0.0, 1.0], dtype=torch.float64))

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share}
    return net.compile(task, program.name, program.cites, {"address": address, "residual": residual}, facts, program.steps)


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
