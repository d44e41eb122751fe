"""The longest increasing subsequence in the chain of the public data, by two layers of dense attention.

[yang2024 Task 2]

Notation   n  numbers below V          d_j   the longest increasing subsequence that ends at place j, written at position n + 1 + j
           s_t the number of the value that comes next, or larger than all where the answer comes next

A value needs all values before it, which Assumption B.1 does not allow, so no theorem of the paper covers it. Attention still reads it:

Layer 1: a token reads the number s_t that it has to rank, and, if it holds a value d_j, its own s_j. Feed-forward: the thermometer
[s_t > v] for every v, and the one-hot vector of s_j.
Layer 2: their product is 1 where s_j < s_t. Of the values with 1 the largest is read; the first separator counts as one of value 0.

The width 2 V + 18 depends on V and not on n. Equal values may tie: they are averaged, and are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import stack
from separatrix.constructions.number_limits import exact_integers, largest_number
from separatrix.constructions.parts.integer_gadgets import gate, one_hot, positive
from separatrix.constructions.parts.softmax_reads import accumulated, vanishing_gap
from separatrix.constructions.yang2024.dynamic_programs import Positions, assembled_sizes
from separatrix.constructions.yang2024.dynamic_programs import standard as bounded
from separatrix.constructions.yang2024.dynamic_programs import standard_sizes as bounded_sizes
from separatrix.constructions.yang2024.plans import MapsKept
from separatrix.errors import BadInput
from separatrix.tasks.lis import Lis
from separatrix.tasks.programs.unrolled import ANSWER, FRAME, SEPARATOR, STATE

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def standard(task: Lis, positions: Positions = "square", maps: MapsKept = "networks", arithmetic: str = "float64") -> Built:
    """One state for each pair of places, or with `compact` one value for each place."""
    from separatrix.models.decoders.rounding import Rounding

    if not task.compact:
        return bounded(task, positions, maps, arithmetic)
    net = _program(task, positions, arithmetic)
    facts = {"L": float(net.length)}
    return net.compile(task, "lis/standard", "", {"positions": positions}, facts, decoder=Rounding(task.length + 3))


def standard_sizes(task: Lis, positions: Positions, maps: MapsKept, arithmetic: str) -> Sizes:
    """The sizes of `standard`."""
    return assembled_sizes(_program(task, positions, arithmetic)) if task.compact else bounded_sizes(task, positions, maps, arithmetic)


def _program(task: Lis, positions: Positions, arithmetic: str) -> Assembler:
    n, V, L, format = task.length, task.symbols, 2 * task.length + 3, parse_format(arithmetic)
    if positions != "square":
        raise BadInput(f"lis: the compact chain is built with positions=square, found {positions}")
    eta = 1 << (vanishing_gap(L, float(max(n, V)), format) - 1).bit_length()
    _refuse_scores(max(L * L, 2 * (n + 1), 4 * V), eta, arithmetic)
    ends = [(0.0, V - 1.0), (0.0, float(ANSWER)), (0.0, float(n)), (0.0, float(n))]
    net = Assembler(FRAME, FRAME, L, arithmetic=arithmetic, residual=True, causal=True, integers=True, vectors=ends)
    number, value = (net.token(name, np.eye(FRAME)[:, [row]]) for name, row in (("number", 0), ("value", 2)))
    place = net.place("place", AddressWeights("quadratic", 2))
    rows = _plan(n, L)
    plan = net.place("plan", AddressWeights("table", rows.shape[1], rows))
    next_place, own_place, one, kind, writes, concludes, holds, first = (plan[c] for c in range(rows.shape[1]))

    layer = net.layer()
    here, own = (
        layer.attend(name, query=eta * stack(2 * t, -one), key=place, value=number, into=name)
        for name, t in (("number to rank", next_place), ("own number", own_place))
    )
    above = layer.write("thermometer", positive(stack(*(here + V * concludes - v for v in range(V)))))
    level = layer.write("level", one_hot(own + holds + 1, V + 1))[1:]  # 0 in every coordinate for a token without a value

    layer = net.layer()
    steep = eta * (n + 1)  # a smaller number counts more than any value
    query, key = stack(steep * above, steep * one, eta * one), stack(level, first, value)
    tied = n * n * 2.0**-format.fraction if format.exact else accumulated(format, L) * n
    best = layer.attend("largest value", query=query, key=key, value=value, into="best", rounding=tied)
    ranked = layer.write("ranked", gate(writes, best + 1, n + 1.0, 0.0, n + 1.0))
    answer = layer.write("answer", gate(concludes, best, n + 1.0, 0.0, float(n)))
    written = stack(0 * one, kind, ranked, answer)
    net.read_out(np.eye(FRAME), written, np.zeros(FRAME), margin=1.0)  # nearest integers: off by less than one half
    return net


def _plan(n: int, L: int) -> np.ndarray:
    """For each position: where the number to rank stands, where its own number stands (the separator if there is none), 1, the kind of
    the next token, whether it is a value, whether it is the answer, whether this one holds a value, whether it is the first separator."""
    rows = np.zeros((L, 8))
    for i in range(1, L + 1):
        ranks, holds, nothing = n < i <= 2 * n, n + 1 < i <= 2 * n + 1, min(i, n + 1)
        following = STATE if ranks else {2 * n + 1: SEPARATOR, 2 * n + 2: ANSWER}.get(i, 0)
        rows[i - 1] = [
            i - n if ranks else nothing, i - n - 1 if holds else nothing, 1, following, ranks, following == ANSWER, holds, i == n + 1
        ]  # fmt: skip
    return rows


def _refuse_scores(largest: int, eta: int, arithmetic: str) -> None:
    format = parse_format(arithmetic)
    if not (largest * eta <= largest_number(format) if format.exact else largest <= exact_integers(format)):
        raise BadInput(f"lis: scores are integers up to {largest}, times {eta}, which {arithmetic} does not hold exactly")
