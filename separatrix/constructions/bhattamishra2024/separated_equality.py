"""String equality as it is trained: the halves stand apart, and may have any length up to N/2.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   N        longest input, k <= N of its symbols come        rho(s)   binary code of symbol s, bits as -1, +1
           t_#      place of the separator, k/2 + 1                  d        t - t_#: the symbol at t belongs to place d of the first half
           g_t      1 where the symbol behind the separator at t differs from s_d, else 0

The theorem's function has a fixed length, so that match(i) is stored. Here it depends on the input, and costs a layer more:
layer 1 counts from the separator, layer 2 reads s_d and compares, layer 3 averages g. The mask is causal, and hides only what comes
after the last symbol.
"""

from __future__ import annotations

from typing import Literal

import torch

from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import stack
from separatrix.constructions.gadgets import xor_where
from separatrix.constructions.parts.addresses import lookup
from separatrix.constructions.parts.counting import more_than
from separatrix.constructions.parts.separator import count_from_separator
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.tasks.equality import EqOne, EqRandom

Distribution = Literal["evaluation", "training"]


def eq_random(
    length: int, symbols: int = 2, distribution: Distribution = "training", residual: bool = False, arithmetic: str = "float64"
) -> Built:
    """Three layers: whether the halves agree, for every even number of symbols up to N."""
    return separated_equality(EqRandom(length, symbols, distribution), residual, arithmetic)


def eq_one(
    length: int, symbols: int = 1024, distribution: Distribution = "training", residual: bool = False, arithmetic: str = "float64"
) -> Built:
    """The same weights for strings whose halves differ in one place at most."""
    return separated_equality(EqOne(length, symbols, distribution), residual, arithmetic)


def separated_equality(task: EqRandom | EqOne, residual: bool, arithmetic: str) -> Built:
    """Three layers of two heads, two and one; with a residual connection one each."""
    n, format = task.length + 1, parse_format(arithmetic)
    net = Assembler(plain=task.symbols + 1, targets=2, length=n, arithmetic=arithmetic, residual=residual, causal=True)
    at = count_from_separator(net, task.symbols, format)
    T = lookup("quadratic", n, format, 7 / 8 + 2 * roundoff(format), extra=0)

    second = net.layer()
    a = second.attend("match", query=at.asks(T, at.d), key=at.place, value=at.symbol, into="matched", share=T.share)
    b, behind = at.symbol, at.behind
    if not residual:
        kept = stack(at.symbol, at.behind)
        kept = second.attend("self", query=at.asks(T, at.place[0]), key=at.place, value=kept, into="kept", share=T.share)
        b, behind = kept[:-1], kept[-1:]
    differs = second.write("differs", xor_where(a, b, behind))  # share >= 7/8: symbols are off by at most 1/4, the flag by 1/8

    third = net.layer(attention="uniform")
    count = differs.through(torch.ones(1, differs.rows, dtype=torch.float64))
    mean = third.attend("mean", query=count * 0, key=count * 0, value=count, into="mean")
    most = task.length // 2 * differs.rows
    unequal = third.write("unequal", more_than(0, mean, n, most, format, f"{task.name}, N = {task.length}"))  # 0, or at least 1/n
    net.read_out(torch.tensor([[1.0], [-1.0]], dtype=torch.float64), unequal, torch.tensor([0.0, 1.0], dtype=torch.float64))

    facts = {"gap": at.gap, "eta": T.eta, "magnitude": at.gap * n * n, "share": T.share}
    parameters = {"residual": residual}
    return net.compile(task, task.name, "bhattamishra2024 Theorem 6", parameters, facts, steps=lambda trace: _steps(trace, task))


def _steps(trace: Trace, task: EqRandom | EqOne) -> tuple[Step, ...]:
    """The proof told over one run."""
    n, apart = len(trace.tokens), trace.tokens.index(task.symbols)
    found, match = trace.attention[0][0], trace.attention[1][0]
    differs = trace.slot(2, "differs").sum(dim=1)
    said = int(trace.logits.argmax())
    later = range(apart + 1, n)
    return (
        Step("count", "Behind the separator a head of layer 1 reads its place, and a token knows how far behind it stands.",
             {"place of the separator": apart + 1, "place each later token reads": [int(found[t].argmax()) + 1 for t in later]}),
        Step("match", "A head of layer 2 asks for the place of the first half that stands as far from the beginning.",
             {"place each token reads": [int(match[t].argmax()) + 1 for t in later],
              "least weight on it": float(match[apart + 1 :].amax(dim=1).min())}),
        Step("compare", "The feed-forward part compares the codes bit by bit, behind the separator only.",
             {"differs": [int(v) for v in differs]}),
        Step("average", "Layer 3 averages over all tokens: 0 where the halves agree, at least 1/n where they do not.",
             {"mean": float(differs.mean()), "1/n": 1 / n}),
        Step("decide", "A threshold between 0 and 1/n decides.", {"says": said, "expected": task.answer(trace.tokens)}),
    )  # fmt: skip
