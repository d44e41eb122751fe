"""Thresholds of at most N features, each over at most k bits, with two attention layers of logarithmic width.

[bhattamishra2024 Theorem 13; proof F.3]

Notation   N     bits x_1 .. x_N                   g_i   feature number i, a function of the bits at I_i, |I_i| <= k
           b     the bound: are more than b true?  t_i   truth table of g_i, 2^k entries
           T(i)  address of place i                n     tokens, N and the beginning

Layer 1 at place i: one head for each element of I_i reads its bit, by a stored pointer. All places share one feed-forward part but
have features of their own, so the place carries t_i, and a further head brings it through attention (without a residual connection):
H = k + 1. Where |I_i| < k the pointers left over name the first token, and t_i does not depend on what they read; no feature is t = 0.
Layer 2 averages g over all tokens and compares with b/n.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler, Named
from separatrix.constructions.forms import stack
from separatrix.constructions.gadgets import table_tolerance, truth_table
from separatrix.constructions.parts.addresses import lookup
from separatrix.constructions.parts.asking import ask, pointing
from separatrix.constructions.parts.counting import more_than
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.errors import BadInput
from separatrix.models.config import PlaceConfig
from separatrix.tasks import Task
from separatrix.tasks.normal_forms import KCnf, KDnf
from separatrix.tasks.sparse_threshold import Feature, SparseThreshold, Thresholds

Address = Literal["binary", "quadratic", "code", "one-hot"]
WIDEST = 10  # bits of a feature: beyond, the 2^k entries that every place carries through attention fill gigabytes


def sparse_threshold(
    length: int,
    k: int = 3,
    features: str = "",
    threshold: int | None = None,
    instance: int = 0,
    address: Address = "binary",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """Two layers, k + 1 heads and then one: whether more features hold than the threshold says."""
    return _thresholds(SparseThreshold(length, k, features, threshold, instance), address, residual, arithmetic)


def k_dnf(
    length: int,
    k: int = 3,
    formula: str = "",
    terms: int | None = None,
    instance: int = 0,
    address: Address = "binary",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """An or of at most N terms of k literals: more than 0 of them hold."""
    return _thresholds(KDnf(length, k, formula, terms, instance), address, residual, arithmetic)


def k_cnf(
    length: int,
    k: int = 3,
    formula: str = "",
    terms: int | None = None,
    instance: int = 0,
    address: Address = "binary",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """An and of M <= N clauses of k literals: more than M - 1 of them hold."""
    return _thresholds(KCnf(length, k, formula, terms, instance), address, residual, arithmetic)


def _thresholds(task: Thresholds, address: Address, residual: bool, arithmetic: str) -> Built:
    return threshold_of(task, task.sparse_features, task.k, task.bound, 1, address, residual, arithmetic)


def threshold_of(
    task: Task, features: Sequence[Feature], k: int, b: int, start: int, address: Address, residual: bool, arithmetic: str
) -> Built:
    """Whether more than b features hold on x_1 .. x_N, before which `start` tokens stand; feature i is evaluated at place start + i."""
    if k > WIDEST:
        raise BadInput(f"{task.name}: features over k = {k} bits need tables of 2^{k} entries at every place; at most 2^{WIDEST} are built")
    n, format = task.length + start, parse_format(arithmetic)
    share = 1 - table_tolerance(k) + 2 * roundoff(format)
    T = lookup(address, n, format, share, extra=0)
    net = Assembler(plain=task.vocabulary, targets=2, length=n, arithmetic=arithmetic, residual=residual)

    bit = net.token("bit", torch.tensor([[0.0], [1.0], [0.0]], dtype=torch.float64)[: task.vocabulary])  # the beginning counts as 0
    place = net.place("place", T.named)
    asked = [ask(net, f"asked {h}", T, pointing(T.named, _pointers(features, h, start, n))) for h in range(1, k + 1)]
    table = net.place("table", Named(PlaceConfig("table", 2**k, n), _tables(features, k, start, n)))
    own = None if residual else ask(net, "own", T, T.named)

    first = net.layer()
    bits = stack(
        *(
            first.attend(f"bit {h}", query=T.query(pointer), key=T.key(place), value=bit, into=f"read {h}", share=T.share)
            for h, pointer in enumerate(asked, 1)
        )
    )
    if own is not None:
        table = first.attend("self", query=T.query(own), key=T.key(place), value=table, into="table", share=T.share)
    holds = first.write("holds", truth_table(bits, table))  # share >= 1 - 1/(4k + 4): the k + 1 inputs are off by 1/4 in all

    second = net.layer(attention="uniform")
    mean = second.attend("mean", query=holds * 0, key=holds * 0, value=holds, into="mean")  # c/n where c features hold
    more = second.write("more", more_than(b, mean, n, len(features), format, f"{task.name}, N = {task.length}"))
    net.read_out(torch.tensor([[-1.0], [1.0]], dtype=torch.float64), more, torch.tensor([1.0, 0.0], dtype=torch.float64))

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share, "features": float(len(features)), "b": float(b)}
    parameters = {"address": address, "residual": residual}
    cites = "bhattamishra2024 Theorem 13"
    return net.compile(task, task.name, cites, parameters, facts, steps=lambda trace: _steps(trace, task, features, b, start))


def _pointers(features: Sequence[Feature], h: int, start: int, n: int) -> list[int]:
    """For every place the h-th place that its feature looks at; the first token where there is none."""
    named = [feature.places[h - 1] + start if h <= len(feature.places) else 1 for feature in features]
    return [1] * start + named + [1] * (n - start - len(named))


def _tables(features: Sequence[Feature], k: int, start: int, n: int) -> Tensor:
    """For every place the values of its feature, [n, 2^k]: entry v is for the bits of v, the first place's bit being the least."""
    rows, every = torch.zeros(n, 2**k, dtype=torch.float64), torch.arange(2**k)
    for i, feature in enumerate(features, start):
        spelled = torch.zeros_like(every)
        for h in range(len(feature.places)):  # a task writes the first place on the left
            spelled = 2 * spelled + (every >> h & 1)
        rows[i] = torch.tensor(feature.table, dtype=torch.float64)[spelled]
    return rows


def _steps(trace: Trace, task: Task, features: Sequence[Feature], b: int, start: int) -> tuple[Step, ...]:
    """The proof told over one run."""
    heads, n = trace.attention[0], len(trace.tokens)
    held = [int(value) for value in trace.slot(1, "holds")[start:, 0].round()]
    looked = [[int(heads[h, start + i].argmax()) + 1 - start for h in range(len(f.places))] for i, f in enumerate(features)]
    said, expected = int(trace.logits.argmax()), task.answer(trace.tokens)
    return (
        Step("embed", "Each place carries its bit, its address, the addresses of the places its feature looks at, and its truth table.",
             {"features": [f"{','.join(map(str, f.places))}:{''.join(map(str, f.table))}" for f in features]}),
        Step("fetch", "For each of the k bits a head of layer 1 reads the place that a pointer names; a further one keeps the table.",
             {"places that each feature reads": looked, "least weight on them": float(heads[:, start:].amax(dim=2).min())}),
        Step("evaluate", "The feed-forward part adds up, over all v of k bits, 1 where every bit agrees with v and the table has 1 at v.",
             {"holds": held[: len(features)]}),
        Step("average", "Layer 2 averages over all tokens: c/n where c features hold.",
             {"c": sum(held), "n": n, "mean": sum(held) / n}),
        Step("decide", "A threshold between b/n and (b + 1)/n decides.", {"b": b, "says": said, "expected": expected}),
    )  # fmt: skip
