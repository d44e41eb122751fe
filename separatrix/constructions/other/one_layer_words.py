"""One layer of attention, at one length: any function of how often one symbol occurs, and a^n b^n.

Notation   N   symbols, then the end symbol, so m = N + 1 tokens       k    how often the symbol that counts occurs
           g   0 or 1 for each count 0 .. N                            beta  inverse temperature, m e^-beta < 1/16

Counts: the layer averages the symbol over all tokens, k/m, and its feed-forward part adds up g(0) and a step where g changes,

    g(k) = g(0) + sum over b of (g(b + 1) - g(b)) [k > b],

two units for each change: 2 N of them for PARITY, one pair for `no 0 anywhere`. The width is 1 for every such function. Softmax averages
where no query asks; linear attention where query and key are 0, as elu(0) + 1 = 1.

a^n b^n: a b is wrong in the first half, an a in the second. One head asks for a b plus the first half, which is 2 at a wrong b and at most
1 elsewhere, and reads that same sum: 2, up to 2 m e^-beta, iff there is a wrong one. The other head does it for a and the second half.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import Format, parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, row
from separatrix.constructions.gadgets import Gadget, step, sum_of_steps
from separatrix.constructions.other.soft_symmetric import counted
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.thresholds import Threshold, threshold_of_count
from separatrix.errors import BadInput
from separatrix.tasks.counter_languages import AnBn, Ones
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.constructions.forms import Form

Counted = Parity | Ones | Regular
BLUR = 1 / 8  # how far the sum of all steps may be off


def counts(task: Counted, arithmetic: str = "float64") -> Built:
    """One layer of softmax attention, one head, width 1."""
    return _counts(task, arithmetic, linear=False)


def linear_counts(task: Counted, arithmetic: str = "float64") -> Built:
    """One layer of linear attention, one head, width 1."""
    return _counts(task, arithmetic, linear=True)


def _counts(task: Counted, arithmetic: str, linear: bool) -> Built:
    symbol, table = _counted(task)
    format = _checked(task, arithmetic)
    net = Assembler(plain=task.vocabulary, targets=2, length=task.token_count, arithmetic=arithmetic)
    bit = net.token("bit", column(*(float(s == symbol) for s in range(task.vocabulary))))
    layer = net.layer(attention="linear" if linear else "uniform")
    nothing = 0.0 * bit if linear else None
    mean = layer.attend("mean", query=nothing, key=nothing, value=bit, into="mean")  # k/m
    member = layer.write("answer", _of_count(task, table, mean, format))
    net.read_out(column(-1.0, 1.0), member, row(1.0, 0.0))
    return net.compile(
        task,
        f"{task.name}/{'linear-attention' if linear else 'one-layer'}",
        "",
        {},
        {"state bits": float(2 * format.bits)} if linear else {},
    )


def _counted(task: Counted) -> tuple[int, list[int]]:
    """The symbol that counts, and g(0) .. g(N)."""
    if isinstance(task, Regular):
        return counted(task)
    if isinstance(task, Parity):
        return 1, [1 - k % 2 for k in range(task.length + 1)]
    return 0, [int(k == 0) for k in range(task.length + 1)]


def _of_count(task: Counted, table: list[int], mean: Form, format: Format) -> Gadget:
    steps = [(height, limit.M * mean, limit.value, limit.gap) for height, limit in _limits(task, table, format)]
    return sum_of_steps(float(table[0]), steps, mean)


def _limits(task: Counted, table: list[int], format: Format) -> list[tuple[float, Threshold]]:
    """Where g changes: by how much, and the threshold on the mean."""
    changes = [(b, after - here) for b, (here, after) in enumerate(pairwise(table)) if after != here]
    return [(float(change), threshold_of_count(b, task.token_count, task.length, format, task.name)) for b, change in changes]


def _checked(task: Counted, arithmetic: str) -> Format:
    """Refused where the steps, whose terms are as large as 4 m, do not add up to 0 or 1 in any order."""
    format, (_, table) = parse_format(arithmetic), _counted(task)
    if format.kind != "native":
        raise BadInput(f"{task.name}: {format.name} is not a native float")
    units = 2 * len(_limits(task, table, format))
    off = units * units * 4 * task.token_count * roundoff(format)
    if off > BLUR:
        raise BadInput(f"{task.name}, N = {task.length}: {format.name} adds up {units:,} units to within {off:.3g}: expected {BLUR}")
    return format


def _count_sizes(task: Counted, arithmetic: str) -> Sizes:
    return Sizes(layers=1, heads=1, width=1, value_width=1, precision_bits=_checked(task, arithmetic).bits)


def _linear_sizes(task: Counted, arithmetic: str) -> Sizes:
    """The state is one product and one key."""
    bits = _checked(task, arithmetic).bits
    return Sizes(layers=1, heads=1, width=1, precision_bits=bits, state_bits=2 * bits)


def an_bn(task: AnBn, arithmetic: str = "float64") -> Built:
    """One layer of softmax attention, two heads, width 5."""
    N, beta = task.length, _temperature(task, arithmetic)
    net = Assembler(plain=3, targets=2, length=N + 1, arithmetic=arithmetic)
    a, b = net.token("a", column(1.0, 0.0, 0.0)), net.token("b", column(0.0, 1.0, 0.0))
    one = net.token("one", column(1.0, 1.0, 1.0))
    halves = np.arange(N + 1) < N // 2, (np.arange(N + 1) >= N // 2) & (np.arange(N + 1) < N)
    first, second = (
        net.place(name, AddressWeights("table", 1, half.astype(np.float64)[:, None]), np.eye(1))
        for name, half in zip(("first", "second"), halves, strict=True)
    )
    layer, share = net.layer(), 1 / (1 + N * np.exp(-beta))
    early = layer.attend("a b in the first half", query=beta * one, key=b + first, value=b + first, into="early", share=share)
    late = layer.attend("an a in the second", query=beta * one, key=a + second, value=a + second, into="late", share=share)
    wrong = layer.write("b too early", step(early - 1)) + layer.write("a too late", step(late - 1))
    net.read_out(column(1.0, -1.0), wrong, row(0.0, 1.0))
    return net.compile(task, AN_BN_ONE_LAYER.name, "", {}, {"beta": beta, "share": share})


def _temperature(task: AnBn, arithmetic: str) -> float:
    """A power of two, so that a half of the format holds it; 2 m e^-beta is an eighth at most."""
    format = parse_format(arithmetic)
    if format.kind != "native":
        raise BadInput(f"{task.name}: {format.name} is not a native float")
    if task.length % 2:
        raise BadInput(f"{task.name}: no word of {task.length} symbols is in the language; expected an even N")
    if (task.length + 9) * roundoff(format) > BLUR / 4:
        raise BadInput(f"{task.name}: {format.name} adds up the weights of {task.length:,} tokens too coarsely")
    return float(1 << int(np.ceil(np.log2(np.log(16 * (task.length + 1))))))


def _an_bn_sizes(task: AnBn, arithmetic: str) -> Sizes:
    _temperature(task, arithmetic)
    return Sizes(layers=1, heads=2, width=5, value_width=1, precision_bits=parse_format(arithmetic).bits)


PARITY_ONE_LAYER = Construction(
    name="parity/one-layer",
    cites="",
    computes=Parity,
    architecture=Architecture.ONE_LAYER,
    build=counts,
    formula=_count_sizes,
    quick=({"length": 10}, {"length": 64}),
)
ONES_ONE_LAYER = replace(PARITY_ONE_LAYER, name="ones/one-layer", computes=Ones, quick=({"length": 10},))
REGULAR_ONE_LAYER = replace(
    PARITY_ONE_LAYER, name="regular/one-layer", computes=Regular, defaults={"language": "@mod-3"}, quick=({"length": 10},)
)
AN_BN_ONE_LAYER = Construction(
    name="an-bn/one-layer",
    cites="",
    computes=AnBn,
    architecture=Architecture.ONE_LAYER,
    build=an_bn,
    formula=_an_bn_sizes,
    quick=({"length": 10}, {"length": 64}),
)
PARITY_LINEAR_ATTENTION = Construction(
    name="parity/linear-attention",
    cites="",
    computes=Parity,
    architecture=Architecture.LINEAR_ATTENTION,
    build=linear_counts,
    formula=_linear_sizes,
    quick=({"length": 10},),
)
ONES_LINEAR_ATTENTION = replace(PARITY_LINEAR_ATTENTION, name="ones/linear-attention", computes=Ones)
REGULAR_LINEAR_ATTENTION = replace(
    PARITY_LINEAR_ATTENTION, name="regular/linear-attention", computes=Regular, defaults={"language": "@mod-3"}
)
