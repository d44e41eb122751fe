"""Thresholds of at most N features, each over at most k bits, with two attention layers of logarithmic width.

[bhattamishra2024 Theorem 13; proof F.3]

Notation   N     bits x_1 .. x_N                   g_i   feature number i, a function of the bits at I_i, |I_i| <= k
           b     the bound: are more than b true?  t_i   truth table of g_i, 2^k entries
           T(i)  address of place i                n     tokens, N and the beginning

Layer 1 at place i: one head for each element of I_i reads its bit, by a stored pointer. All places share one feed-forward part but
have features of their own, so the place carries t_i, and a further head brings it through attention (without a residual connection):
H = k + 1. If |I_i| < k, the remaining pointers point to the first token, and t_i ignores what they read; t = 0 means no feature.
Layer 2 averages g over all tokens and compares with b/n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import Array, column, row, stack
from separatrix.constructions.gadgets import constant, table_tolerance, truth_table
from separatrix.constructions.number_limits import refuse_large_embedding, refuse_off_grid
from separatrix.constructions.parts.addresses import Address, Lookup, lookup
from separatrix.constructions.parts.seeking import found
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.thresholds import more_than, threshold_of_count
from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.intersects import Intersects
from separatrix.tasks.normal_forms import KCnf, KDnf
from separatrix.tasks.sparse_threshold import Feature, SparseThreshold, Thresholds

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace

CITES = "bhattamishra2024 Theorem 13"
WIDEST = 10  # bits of a feature: beyond this the 2^k entries that every place carries through attention fill gigabytes


@dataclass(frozen=True)
class Question:
    """Do more than b features, of at most k bits each, hold on x_1 .. x_N, which follow `start` tokens?"""

    task: Task
    features: Sequence[Feature]
    k: int
    b: int
    start: int
    hard: bool = False  # every head reads one token; layer 2 then seeks a feature that holds, so b is 0
    says: int = 1  # the answer where more than b hold
    name: str = ""  # of the construction, if it is not that of the task

    @property
    def n(self) -> int:
        """n, the number of tokens."""
        return self.task.length + self.start


def thresholds(task: Thresholds, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, k + 1 heads and then one: whether more features hold than the threshold."""
    return more_features(_of_thresholds(task), address, residual, arithmetic)


def intersects(task: Intersects, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, three heads and then one: max over i of x_i x_(N/2 + i).

    [bhattamishra2024 Theorem 13; discussion in F.3] [bhattamishra2024 Remark 15]

    The feature of place N/2 + i is x_i and x_(N/2 + i), and more than 0 of them hold exactly where the sets meet. Every feature reads two
    bits and the places up to N/2 have none, so no bit is missing and no start token is needed. No place reads a later one.
    """
    return more_features(_of_sets(task), address, residual, arithmetic)


def _of_thresholds(task: Thresholds) -> Question:
    """An OR is more than 0 of its terms, an AND of M clauses more than M - 1 of them."""
    return Question(task, task.sparse_features, task.k, task.bound, start=1)


def _of_sets(task: Intersects) -> Question:
    half = task.length // 2
    later = [Feature((i, half + i), (0, 0, 0, 1)) for i in range(1, half + 1)]  # each where both of its bits have come
    return Question(task, [Feature((), (0,))] * half + later, k=2, b=0, start=0)


def seek(task: Intersects | KDnf | KCnf, arithmetic: str = "float64") -> Built:
    """By hard attention: does one term hold, does one clause fail, do the sets meet at one place?"""
    return more_features(_sought(task), "binary", False, arithmetic)


def _sought(task: Intersects | KDnf | KCnf) -> Question:
    if isinstance(task, Intersects):
        return replace(_of_sets(task), hard=True, name=f"{task.name}/hard-attention")
    features = task.sparse_features
    if isinstance(task, KCnf):
        features = tuple(Feature(one.places, tuple(1 - value for value in one.table)) for one in features)
    says = int(isinstance(task, KDnf))
    return Question(task, features, task.k, 0, start=1, hard=True, says=says, name=f"{task.name}/hard-attention")


def more_features(question: Question, address: Address, residual: bool, arithmetic: str) -> Built:
    """Feature i is evaluated at place start + i."""
    task, features, k, b, start, n = question.task, question.features, question.k, question.b, question.start, question.n
    format = parse_format(arithmetic)
    T = _place_address(question, address, format)
    net = Assembler(plain=task.vocabulary, targets=2, length=n, arithmetic=arithmetic, residual=residual)

    bit = net.token("bit", column(0.0, 1.0, 0.0)[: task.vocabulary])  # the start token counts as 0
    place = net.place("place", T.weights)
    pointers = [T.ask(net, f"asked {h}", T.weights.pointing(_pointers(features, h, start, n))) for h in range(1, k + 1)]
    table = net.place("table", AddressWeights("table", 2**k, _tables(features, k, start, n)))
    own = None if residual else T.ask(net, "own", T.weights)

    first = net.layer(attention="hard" if question.hard else "softmax")
    bits = stack(
        *(
            first.attend(f"bit {h}", query=T.query(pointer), key=T.key(place), value=bit, into=f"read {h}", share=T.share)
            for h, pointer in enumerate(pointers, 1)
        )
    )
    if own is not None:
        table = first.attend("self", query=T.query(own), key=T.key(place), value=table, into="table", share=T.share)
    holds = first.write("holds", truth_table(bits, table))  # share >= 1 - 1/(4k + 4): the k + 1 inputs are off by 1/4 in all

    if question.hard:
        one = first.write("one", constant(1.0))
        more = found(net.layer(attention="hard"), holds, one)
    else:
        second = net.layer(attention="uniform")
        mean = second.attend("mean", value=holds, into="mean")  # c/n where c features hold
        more = second.write("more", more_than(b, mean, n, len(features), format, f"{task.name}, N = {task.length}"))
    net.read_out(*((column(-1.0, 1.0), more, row(1.0, 0.0)) if question.says else (column(1.0, -1.0), more, row(0.0, 1.0))))

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share, "features": float(len(features)), "b": float(b)}
    if question.hard:
        return net.compile(task, question.name, "", {}, facts)
    parameters = {"address": address, "residual": residual}
    return net.compile(task, task.name, CITES, parameters, facts, steps=lambda trace: _steps(trace, task, features, b, start))


def _sizes(question: Question, address: Address, residual: bool, arithmetic: str) -> Sizes:
    """A bit, the truth table, and k + 2 addresses; with a residual connection one address less, and what was read and computed."""
    format, k, n, name = parse_format(arithmetic), question.k, question.n, question.task.name
    T = _place_address(question, address, format)
    if not question.hard:
        threshold_of_count(question.b, n, len(question.features), format, name)
    refuse_off_grid((T.eta, T.largest_query_weight, 2.0, -2.0 * k - 1.5), format, name)  # of the queries, and of the truth table
    pointers = k if residual else k + 1
    embedded = 1 + T.embedded(n) + pointers * T.embedded(n, T.largest_query_weight) + 2**k
    refuse_large_embedding(embedded, format.fraction, format, name)
    width = 1 + (pointers + 1) * T.dims + 2**k + (k + 3 if residual else 0)
    return Sizes(layers=2, heads=pointers, width=width, value_width=1 if residual else 2**k, precision_bits=format.bits)


def _place_address(question: Question, address: Address, format: Format) -> Lookup:
    """The address of layer 1, as sharp as the truth table needs."""
    if question.k > WIDEST:
        what = f"features over k = {question.k} bits need tables of 2^{question.k} entries at every place"
        raise BadInput(f"{question.task.name}: {what}; at most 2^{WIDEST} are supported")
    return lookup(address, question.n, format, 1 - table_tolerance(question.k) + 2 * roundoff(format), extra=0)


def _pointers(features: Sequence[Feature], h: int, start: int, n: int) -> list[int]:
    """For every place the h-th place that its feature reads; the first token if there is none."""
    pointed = [feature.places[h - 1] + start if h <= len(feature.places) else 1 for feature in features]
    return [1] * start + pointed + [1] * (n - start - len(pointed))


def _tables(features: Sequence[Feature], k: int, start: int, n: int) -> Array:
    """For every place the values of its feature, [n, 2^k]: entry v is for the bits of v, the first place's bit being the least."""
    rows, every = np.zeros((n, 2**k)), np.arange(2**k)
    for i, feature in enumerate(features, start):
        spelled = np.zeros_like(every)
        for h in range(len(feature.places)):  # a task writes the first place on the left
            spelled = 2 * spelled + (every >> h & 1)
        rows[i] = np.array(feature.table, dtype=np.float64)[spelled]
    return rows


def _steps(trace: Trace, task: Task, features: Sequence[Feature], b: int, start: int) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    heads, n = trace.attention[0], len(trace.tokens)
    holding = [int(value) for value in trace.slot(1, "holds")[start:, 0].round()]
    looked = [[int(heads[h, start + i].argmax()) + 1 - start for h in range(len(f.places))] for i, f in enumerate(features)]
    predicted, expected = int(trace.logits.argmax()), task.answer(trace.tokens)
    return (
        Step("embed", "Each place carries its bit, its address, the addresses of the places its feature reads, and its truth table.",
             {"features": [f"{','.join(map(str, f.places))}:{''.join(map(str, f.table))}" for f in features]}),
        Step("fetch", "For each of the k bits a head of layer 1 reads the place given by a pointer; a further head copies the table.",
             {"places that each feature reads": looked, "least weight on them": float(heads[:, start:].amax(dim=2).min())}),
        Step("evaluate", "The feed-forward part adds up, over all v of k bits, 1 where every bit agrees with v and the table has 1 at v.",
             {"holds": holding[: len(features)]}),
        Step("average", "Layer 2 averages over all tokens: c/n where c features hold.",
             {"c": sum(holding), "n": n, "mean": sum(holding) / n}),
        Step("decide", "A threshold between b/n and (b + 1)/n decides.", {"b": b, "says": predicted, "expected": expected}),
    )  # fmt: skip


def _thresholds_sizes(task: Thresholds, address: Address, residual: bool, arithmetic: str) -> Sizes:
    return _sizes(_of_thresholds(task), address, residual, arithmetic)


def _intersects_sizes(task: Intersects, address: Address, residual: bool, arithmetic: str) -> Sizes:
    return _sizes(_of_sets(task), address, residual, arithmetic)


def _sought_sizes(task: Intersects | KDnf | KCnf, arithmetic: str) -> Sizes:
    return _sizes(_sought(task), "binary", False, arithmetic)


SPARSE_THRESHOLD = Construction(
    name="sparse-threshold",
    cites=CITES,
    computes=SparseThreshold,
    architecture=Architecture.TWO_LAYERS,
    build=thresholds,
    formula=_thresholds_sizes,
    quick=({"length": 10}, {"length": 15, "arithmetic": "fixed:12,4"}),  # at 10 all inputs
    sees_all=True,  # feature i stands at place i, wherever its bits are
    variants=({"address": "binary"}, {"address": "quadratic"}),
)
K_DNF = replace(SPARSE_THRESHOLD, name="k-dnf", computes=KDnf, quick=({"length": 32, "address": "quadratic"},))
K_CNF = replace(SPARSE_THRESHOLD, name="k-cnf", computes=KCnf, quick=({"length": 32, "residual": True},))
INTERSECTS = replace(
    SPARSE_THRESHOLD,
    name="intersects",
    computes=Intersects,
    build=intersects,
    formula=_intersects_sizes,
    quick=({"length": 12}, {"length": 40, "address": "quadratic"}),  # at 12 all inputs
    sees_all=False,
)
INTERSECTS_HARD = Construction(
    name="intersects/hard-attention",
    cites="",
    computes=Intersects,
    architecture=Architecture.HARD_ATTENTION,
    build=seek,
    formula=_sought_sizes,
    quick=({"length": 12}, {"length": 40}),
)
K_DNF_HARD = replace(INTERSECTS_HARD, name="k-dnf/hard-attention", computes=KDnf, quick=({"length": 10},), sees_all=True)
K_CNF_HARD = replace(K_DNF_HARD, name="k-cnf/hard-attention", computes=KCnf)
