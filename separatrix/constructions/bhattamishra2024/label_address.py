"""The nearest neighbour by the address of its label: the paper's own construction with its constants repaired.

[bhattamishra2024 Theorem 7; proof G.2] [bhattamishra2024 Equation 9] [bhattamishra2024 Equation 10]

Notation   z_(2i-1) = [x_i | 0 | 1 | T(2i-1) | T(2i)]   a vector       k     dimension of T
           z_(2i)   = [0 | y_i | -2 | T(2i) | T(2i)]    its label      T_s   the signs of T, sqrt(k) T

Layer 1: <x_k, x_i> + 3 - 10 <T(2k-1), T(2i-1)> is largest at the nearest neighbour j*; it is at most -6 at the query itself and at labels.
So z_(2k-1) reads T_s(2j*), and a further head keeps T and y. Layer 2 asks with T_s(2j*) / sqrt(k) against T (the paper prints 1/k, which
makes logits sqrt(k) times too small), and reads y.

The 10 <T, T> multiplies every error of orthogonality by 10, so the paper asks for coherence gamma/100. Almost orthogonal signs then have
k of the order 10^4 ln N / gamma^2, and exactly orthogonal ones are shorter: here T(i)_v = (-1)^<bits(i), v>, k = 2^L >= 2N.
The width is therefore d' + 2 + 2k, linear in N, which the induction head of `nearest-neighbor` avoids.
"""

from __future__ import annotations

import math

import torch

from separatrix.arithmetic import Format, parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler, Named
from separatrix.constructions.bhattamishra2024.nearest_neighbor import need_margin, scaled_margin, scaled_vectors
from separatrix.constructions.forms import stack
from separatrix.constructions.gadgets import sign
from separatrix.constructions.parts.addresses import ENOUGH, address_bits, largest_number, least_temperature, representable
from separatrix.constructions.parts.asking import pointing
from separatrix.constructions.parts.codes.random_signs import paper_dimensions
from separatrix.constructions.parts.softmax_reads import accumulated, reads_past
from separatrix.errors import BadInput
from separatrix.models.config import PlaceConfig
from separatrix.tasks.nearest_neighbor import NearestNeighbor

NAME = "nearest-neighbor/label-address"


def label_address(length: int, dimension: int = 12, gamma: float = 0.1, arithmetic: str = "float64") -> Built:
    """Two layers, two heads and then one: reads the address of the nearest vector's label, then the label."""
    task, format = NearestNeighbor(length, dimension, gamma), parse_format(arithmetic)
    N, tokens = length, 2 * length - 1
    x = scaled_vectors(task)
    margin = scaled_margin(task, x)
    T = orthogonal_signs(2 * N)
    k = T.config.dims
    net = Assembler(plain=task.vocabulary, targets=2, length=tokens, arithmetic=arithmetic)

    vector = net.token("x", x)
    y = net.token("y", torch.tensor([0.0] * task.keys + [-1.0, 1.0], dtype=torch.float64)[:, None])
    kind = net.token("type", torch.tensor([1.0] * task.keys + [-2.0] * 2, dtype=torch.float64)[:, None])
    own = net.place("own", T)
    label = net.place("label", pointing(T, [t + t % 2 for t in range(1, 2 * N + 1)]))  # T(2i) at x_i and at y_i

    first = net.layer()
    tau = 4 / 5 * margin
    eta = representable(math.ceil(math.log(18 * N) / tau), format)
    refuse_rounding(eta, margin - tau, x.shape[1] + k + 1, format)
    found = reads_past(eta * tau, tokens - 1, format)
    address = first.attend(
        "neighbour",
        query=eta * stack(vector, kind, (-10 / k) * own),
        key=stack(vector, 3 * kind, own),  # 3 at vectors and -6 at labels
        value=label,
        into="address",
        share=found.share,  # more than 9/10
    )
    c, kept = least_temperature({k // 2: tokens - 1}, k, 0, tokens, format, ENOUGH, None, f"orthogonal address, N = {N}")
    both = first.attend("self", query=c * own, key=own, value=stack(own, y), into="kept", share=kept.share)
    address = first.write("address", sign(address))  # T_s(2j*) at the query
    own = first.write("own", sign(both[:k]))
    y = first.write("y", sign(both[k:]))  # of a label; a vector has a 0 here, and only a label's T(2j*) is asked for

    second = net.layer()
    eta2 = representable(math.ceil(5 / 4 * math.log(18 * N)), format)  # <T_s(2j*) / sqrt(k), T> is 1 at the label and 0 elsewhere
    asked = reads_past(4 / 5 * eta2, tokens - 1, format)
    z = second.attend("label", query=(eta2 / k) * address, key=own, value=y, into="read", share=asked.share)
    answer = second.write("answer", sign(z))
    net.read_out(torch.tensor([[-1.0], [1.0]], dtype=torch.float64), answer, torch.zeros(2, dtype=torch.float64))

    printed = float(paper_dimensions(2 * N, gamma / 100))
    facts = {"k": float(k), "k as printed": printed, "margin": margin, "eta": float(eta), "share": found.share}
    facts |= {"eta of layer 2": float(eta2), "share of layer 2": asked.share}
    return net.compile(task, NAME, task.cites, {}, facts, steps=lambda trace: _steps(trace, task))


def refuse_rounding(eta: int, room: float, terms: int, format: Format) -> None:
    """Refuse a format that cannot hold the logits of layer 1, or whose rounding of two of them may exceed the room beside tau."""
    largest = 1 + 3 + 10  # |<x, x'>| + |3 types| + |10 <T, T>|, in units of eta
    if eta * largest > largest_number(format):
        raise BadInput(f"{NAME}: logits of layer 1 reach {eta * largest:.4g}, more than {format.name} has")
    rounding = 2.0**-format.fraction / eta if format.exact else accumulated(format, terms) * largest
    if 2 * rounding > room:
        raise BadInput(
            f"{NAME}: rounding in {format.name} may change a difference of logits by {2 * rounding:.4g} eta, {room:.4g} eta is left for it"
        )


def orthogonal_signs(N: int) -> Named:
    """T(i)_v = (-1)^<bits(i), v> over all v of L = ceil(log2 N) bits: the rows of a Hadamard matrix."""
    L = address_bits(N)
    every = ((torch.arange(2**L)[:, None] >> torch.arange(L)) & 1).to(torch.uint8)
    return Named(PlaceConfig("sign", 2**L, L), every)


def _steps(trace: Trace, task: NearestNeighbor) -> tuple[Step, ...]:
    """The proof told over one run."""
    need_margin(task, trace.tokens)
    neighbour, label = trace.attention[0][0, -1], trace.attention[1][0, 0]
    signs = [round(value) for value in trace.slot(1, "address")[-1].tolist()]
    said, expected = int(trace.logits.argmax()), task.answer(trace.tokens)
    assert isinstance(expected, int)
    return (
        Step("compare", "In layer 1 the query compares itself with every vector; its own address takes itself out, their type the labels.",
             {"reads pair": int(neighbour.argmax()) // 2 + 1, "weight": float(neighbour.max()), "weight on itself": float(neighbour[-1])}),
        Step("address", "What it reads there is the address of that vector's label; signs make it exact.",
             {"k": len(signs), "first signs": signs[:8]}),
        Step("read", "In layer 2 it asks with this address, and the label answers.",
             {"reads pair": int(label.argmax()) // 2 + 1, "weight": float(label.max())}),
        Step("decide", "A sign makes the label exact.", {"says": task.target_text(said), "expected": task.target_text(expected)}),
    )  # fmt: skip
