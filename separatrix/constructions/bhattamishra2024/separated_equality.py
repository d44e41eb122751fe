"""String equality as it is trained: a separator between the halves, which may have any length up to N/2.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   N        longest input, k <= N of its symbols come        rho(s)   binary code of symbol s, bits as -1, +1
           t_#      place of the separator, k/2 + 1                  d        t - t_#: the symbol at t belongs to place d of the first half
           g_t      1 where the symbol behind the separator at t differs from s_d, else 0

The theorem's function has a fixed length, so that match(i) is stored. Here it depends on the input, which costs another layer:
layer 1 counts from the separator, layer 2 reads s_d and compares, layer 3 averages g. The mask is causal, and hides only what comes
after the last symbol.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.bits import bits_for
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.assembler import Assembler, Attention
from separatrix.constructions.forms import column, row, stack
from separatrix.constructions.gadgets import constant, xor_where
from separatrix.constructions.parts.addresses import Lookup, lookup
from separatrix.constructions.parts.seeking import found
from separatrix.constructions.parts.separator import count_from_separator, refuse_separator
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.thresholds import more_than, threshold_of_count
from separatrix.tasks.equality import EqOne, EqRandom

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace

CITES = "bhattamishra2024 Theorem 6"


def separated_equality(task: EqRandom | EqOne, residual: bool = False, arithmetic: str = "float64") -> Built:
    """Three layers of two heads, two and one (with a residual connection one each): whether the halves agree, at every even length."""
    return _compared(task, residual, arithmetic, hard=False)


def hard_separated_equality(task: EqRandom | EqOne, arithmetic: str = "float64") -> Built:
    """The same by hard attention: layer 3 seeks a difference."""
    return _compared(task, False, arithmetic, hard=True)


def _compared(task: EqRandom | EqOne, residual: bool, arithmetic: str, hard: bool) -> Built:
    attention: Attention = "hard" if hard else "softmax"
    n, format = task.length + 1, parse_format(arithmetic)
    net = Assembler(plain=task.symbols + 1, targets=2, length=n, arithmetic=arithmetic, residual=residual, causal=True)
    at = count_from_separator(net, task.symbols, format, attention)
    T = _address(n, format)

    second = net.layer(attention=attention)
    a = second.attend("match", query=at.asks(T, at.d), key=at.place, value=at.symbol, into="matched", share=T.share)
    b, behind = at.symbol, at.behind
    if not residual:
        features = stack(at.symbol, at.behind)
        itself = second.attend("self", query=at.asks(T, at.place[0]), key=at.place, value=features, into="itself", share=T.share)
        b, behind = itself[:-1], itself[-1:]
    differs = second.write("differs", xor_where(a, b, behind))  # share >= 7/8: symbols are off by at most 1/4, the flag by 1/8

    facts = {"gap": at.gap, "eta": T.eta, "magnitude": at.gap * n * n, "share": T.share}
    if hard:
        one = second.write("one", constant(1.0))
        net.read_out(column(1.0, -1.0), found(net.layer(attention="hard"), differs.total(), one), row(0.0, 1.0))
        return net.compile(task, f"{task.name}/hard-attention", "", {}, facts)
    third = net.layer(attention="uniform")
    mean = third.attend("mean", value=differs.total(), into="mean")
    most = task.length // 2 * differs.rows
    unequal = third.write("unequal", more_than(0, mean, n, most, format, f"{task.name}, N = {task.length}"))  # 0, or at least 1/n
    net.read_out(column(1.0, -1.0), unequal, row(0.0, 1.0))
    parameters = {"residual": residual}
    return net.compile(task, task.name, CITES, parameters, facts, steps=lambda trace: _steps(trace, task))


def _sizes(task: EqRandom | EqOne, residual: bool, arithmetic: str) -> Sizes:
    """The symbol, its place, a constant, the distance and a flag, or two symbols and a flag; with a residual connection all slots."""
    n, format, b = task.length + 1, parse_format(arithmetic), bits_for(task.symbols)
    refuse_separator(n, format, task.name)
    _address(n, format)
    threshold_of_count(0, n, task.length // 2 * b, format, task.name)
    width, value_width = (3 * b + 9, max(2, b)) if residual else (max(b + 5, 2 * b + 1), b + 3)
    return Sizes(layers=3, heads=1 if residual else 2, width=width, value_width=value_width, precision_bits=format.bits)


def _hard_sizes(task: EqRandom | EqOne, arithmetic: str) -> Sizes:
    return _sizes(task, False, arithmetic)


def _address(n: int, format: Format) -> Lookup:
    """The address of layer 2: with 7/8 of the weight on its place, symbols are off by at most 1/4 and flags by 1/8."""
    return lookup("quadratic", n, format, 7 / 8 + 2 * roundoff(format), extra=0)


def _steps(trace: Trace, task: EqRandom | EqOne) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    n, apart = len(trace.tokens), trace.tokens.index(task.symbols)
    separator, match = trace.attention[0][0], trace.attention[1][0]
    differs = trace.slot(2, "differs").sum(dim=1)
    predicted = int(trace.logits.argmax())
    later = range(apart + 1, n)
    return (
        Step("count", "After the separator a head of layer 1 reads its place, so a token knows its distance from the separator.",
             {"place of the separator": apart + 1, "place each later token reads": [int(separator[t].argmax()) + 1 for t in later]}),
        Step("match", "A head of layer 2 reads the place of the first half at the same distance from the beginning.",
             {"place each token reads": [int(match[t].argmax()) + 1 for t in later],
              "least weight on it": float(match[apart + 1 :].amax(dim=1).min())}),
        Step("compare", "The feed-forward part compares the codes bit by bit, after the separator only.",
             {"differs": [int(v) for v in differs]}),
        Step("average", "Layer 3 averages over all tokens: 0 where the halves agree, at least 1/n where they do not.",
             {"mean": float(differs.mean()), "1/n": 1 / n}),
        Step("decide", "A threshold between 0 and 1/n decides.", {"says": predicted, "expected": task.answer(trace.tokens)}),
    )  # fmt: skip


EQ_RANDOM = Construction(
    name="eq-random",
    cites=CITES,
    computes=EqRandom,
    architecture=Architecture.THREE_LAYERS,
    build=separated_equality,
    formula=_sizes,
    quick=({"length": 40},),  # every even length from 4 on
    defaults={"distribution": "training"},
)
EQ_ONE = replace(EQ_RANDOM, name="eq-one", computes=EqOne)  # the same weights for strings whose halves differ in one place at most
EQ_RANDOM_HARD = Construction(
    name="eq-random/hard-attention",
    cites="",
    computes=EqRandom,
    architecture=Architecture.HARD_ATTENTION,
    build=hard_separated_equality,
    formula=_hard_sizes,
    quick=({"length": 10},),
    defaults={"distribution": "training"},
)
EQ_ONE_HARD = replace(EQ_RANDOM_HARD, name="eq-one/hard-attention", computes=EqOne, quick=({"length": 6, "symbols": 3},))
