"""The nearest neighbour by the address of its label: the paper's own construction with its constants repaired.

[bhattamishra2024 Theorem 7; proof G.2] [bhattamishra2024 Equation 9] [bhattamishra2024 Equation 10]

Notation   z_(2i-1) = [x_i | 0 | 1 | T(2i-1) | T(2i)]   a vector       k     dimension of T
           z_(2i)   = [0 | y_i | -2 | T(2i) | T(2i)]    its label      T_s   the signs of T, sqrt(k) T

Layer 1: <x_k, x_i> + 3 - 10 <T(2k-1), T(2i-1)> is largest at the nearest neighbour j*; it is at most -6 at the query itself and at labels.
So z_(2k-1) reads T_s(2j*), and a further head brings T and y along. Layer 2 asks with T_s(2j*) / sqrt(k) against T (the paper prints
1/k, which makes logits sqrt(k) times too small), and reads y.

The 10 <T, T> multiplies every error of orthogonality by 10, so the paper asks for coherence gamma/100. Almost orthogonal signs then have
k of the order 10^4 ln N / gamma^2, and exactly orthogonal ones are shorter: here T(i)_v = (-1)^<bits(i), v>, k = 2^L >= 2N.
The width is therefore d' + 2 + 2k, linear in N, which the induction head of `nearest-neighbor` avoids.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.bits import bits_for
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler, refuse_beyond_tolerance
from separatrix.constructions.bhattamishra2024.nearest_neighbor import grid_keys, grid_vectors, need_margin
from separatrix.constructions.forms import column, stack
from separatrix.constructions.gadgets import sign
from separatrix.constructions.number_limits import largest_number, next_representable, refuse_large_embedding, refuse_off_grid
from separatrix.constructions.parts.addresses import ENOUGH, least_temperature
from separatrix.constructions.parts.codes.random_signs import paper_dimensions
from separatrix.constructions.parts.softmax_reads import Reads, accumulated, reads_past
from separatrix.errors import BadInput
from separatrix.tasks.nearest_neighbor import NearestNeighbor

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace

NAME = "nearest-neighbor/label-address"


@dataclass(frozen=True)
class Temperatures:
    """The inverse temperatures of the three heads, and the weight that each puts on its intended place."""

    k: int  # dimension of T
    eta: int  # of the head that finds the nearest vector
    neighbour: Reads
    c: float  # of the head that reads its own place
    itself: Reads
    eta2: int  # of the head that reads the label
    label: Reads


def label_address(task: NearestNeighbor, arithmetic: str = "float64") -> Built:
    """Two layers, two heads and then one: reads the address of the nearest vector's label, then the label."""
    N, format, margin = task.length, parse_format(arithmetic), grid_keys(task).margin
    t = temperatures(task, format)
    T, k = orthogonal_signs(2 * N), t.k
    net = Assembler(plain=task.vocabulary, targets=2, length=2 * N - 1, arithmetic=arithmetic)

    vector = net.token("x", grid_vectors(task))
    y = net.token("y", column(*[0.0] * task.keys, -1.0, 1.0))
    kind = net.token("type", column(*[1.0] * task.keys, -2.0, -2.0))
    own = net.place("own", T)
    label = net.place("label", T.pointing([i + i % 2 for i in range(1, 2 * N + 1)]))  # T(2i) at x_i and at y_i

    first = net.layer()
    address = first.attend(
        "neighbour",
        query=t.eta * stack(vector, kind, (-10 / k) * own),
        key=stack(vector, 3 * kind, own),  # 3 at vectors and -6 at labels
        value=label,
        into="address",
        share=t.neighbour.share,  # more than 9/10
    )
    both = first.attend("self", query=t.c * own, key=own, value=stack(own, y), into="itself", share=t.itself.share)
    address = first.write("address", sign(address))  # T_s(2j*) at the query
    own = first.write("own", sign(both[:k]))
    y = first.write("y", sign(both[k:]))  # of a label; a vector has a 0 here, and only a label's T(2j*) is queried

    second = net.layer()
    z = second.attend("label", query=(t.eta2 / k) * address, key=own, value=y, into="read", share=t.label.share)
    answer = second.write("answer", sign(z))
    net.read_out(column(-1.0, 1.0), answer, np.zeros(2))

    printed = float(paper_dimensions(2 * N, task.gamma / 100))
    facts = {"k": float(k), "k as printed": printed, "margin": margin, "eta": float(t.eta), "share": t.neighbour.share}
    facts |= {"eta of layer 2": float(t.eta2), "share of layer 2": t.label.share}
    return net.compile(task, NAME, LABEL_ADDRESS.cites, {}, facts, steps=lambda trace: _steps(trace, task))


def temperatures(task: NearestNeighbor, format: Format) -> Temperatures:
    """The temperatures of all heads; refused if the format cannot hold their logits."""
    N, keys, tokens = task.length, grid_keys(task), 2 * task.length - 1
    k, tau = 2 ** bits_for(2 * N), 4 / 5 * keys.margin
    eta = next_representable(math.ceil(math.log(18 * N) / tau), format)
    refuse_rounding(eta, keys.margin - tau, len(keys.integers) + k + 1, format)
    c, itself = least_temperature({k // 2: tokens - 1}, k, 0, tokens, format, ENOUGH, None, f"orthogonal address, N = {N}")
    eta2 = next_representable(math.ceil(5 / 4 * math.log(18 * N)), format)  # <T_s(2j*) / sqrt(k), T> is 1 at the label and 0 elsewhere
    label = reads_past(4 / 5 * eta2, tokens - 1, format)
    return Temperatures(k, eta, reads_past(eta * tau, tokens - 1, format), c, itself, eta2, label)


def _sizes(task: NearestNeighbor, arithmetic: str) -> Sizes:
    """The vector, its label, its type, and two addresses of k coordinates."""
    format, keys, t = parse_format(arithmetic), grid_keys(task), temperatures(task, parse_format(arithmetic))
    refuse_beyond_tolerance(f"{NAME}, layer 1: sign", 2 * (1 - t.neighbour.share), 0.5)
    refuse_beyond_tolerance(f"{NAME}, layer 2: sign", 2 * (1 - t.label.share), 0.5)
    weights = (*keys.magnitudes, 3.0, float(t.eta), t.eta * (-10 / t.k), t.c, t.eta2 / t.k)
    refuse_off_grid(weights, format, NAME)
    refuse_large_embedding(2.0 + 2 * t.k, format.fraction, format, NAME)
    width = len(keys.integers) + 2 + 2 * t.k
    return Sizes(layers=2, heads=2, width=width, value_width=t.k + 1, precision_bits=format.bits)


def refuse_rounding(eta: int, room: float, terms: int, format: Format) -> None:
    """Refuse a format that cannot hold the logits of layer 1, or whose rounding of two of them may exceed the room beside tau."""
    largest = 1 + 3 + 10  # |<x, x'>| + |3 types| + |10 <T, T>|, in units of eta
    if eta * largest > largest_number(format):
        raise BadInput(f"{NAME}: logits of layer 1 reach {eta * largest:.4g}, more than {format.name} holds")
    rounding = 2.0**-format.fraction / eta if format.exact else accumulated(format, terms) * largest
    if 2 * rounding > room:
        raise BadInput(
            f"{NAME}: rounding in {format.name} may change a difference of logits by {2 * rounding:.4g} eta, {room:.4g} eta is left for it"
        )


def orthogonal_signs(N: int) -> AddressWeights:
    """T(i)_v = (-1)^<bits(i), v> over all v of L = ceil(log2 N) bits: the rows of a Hadamard matrix."""
    L = bits_for(N)
    return AddressWeights("sign", 2**L, ((np.arange(2**L)[:, None] >> np.arange(L)) & 1).astype(np.uint8))


def _steps(trace: Trace, task: NearestNeighbor) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    need_margin(task, trace.tokens)
    neighbour, label = trace.attention[0][0, -1], trace.attention[1][0, 0]
    signs = [round(value) for value in trace.slot(1, "address")[-1].tolist()]
    predicted, expected = int(trace.logits.argmax()), task.answer(trace.tokens)
    assert isinstance(expected, int)
    return (
        Step("compare", "In layer 1 the query compares itself with every vector; its own address excludes itself, their type the labels.",
             {"reads pair": int(neighbour.argmax()) // 2 + 1, "weight": float(neighbour.max()), "weight on itself": float(neighbour[-1])}),
        Step("address", "What it reads there is the address of that vector's label; signs make it exact.",
             {"k": len(signs), "first signs": signs[:8]}),
        Step("read", "In layer 2 this address is the query, and the label answers.",
             {"reads pair": int(label.argmax()) // 2 + 1, "weight": float(label.max())}),
        Step("decide", "A sign makes the label exact.", {"says": task.target_text(predicted), "expected": task.target_text(expected)}),
    )  # fmt: skip


LABEL_ADDRESS = Construction(
    name=NAME,
    cites="bhattamishra2024 Theorem 7",
    computes=NearestNeighbor,
    architecture=Architecture.TWO_LAYERS,
    build=label_address,
    formula=_sizes,
    quick=({"length": 8, "dimension": 6},),
    fixed=("distribution",),
    ignores=("distribution",),  # fewer vectors mean fewer competitors
)
