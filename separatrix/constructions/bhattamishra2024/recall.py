"""Recall of a key's label, once or for every key of a stream, as a nearest neighbour among binary codes.

[bhattamishra2024 Remark 16] [bhattamishra2024 Theorem 7; corrected construction]

A key is its binary code as signs, scaled by a power of two. Two codes of d' bits that differ in one have inner products that differ by
2/d' of the squared norm: that is the margin, and an exact match is nearest. There may be any number of labels: they are codes as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.bits import bits_for
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.hard_reads import with_hard_attention
from separatrix.constructions.parts.addresses import Address
from separatrix.constructions.parts.induction import Keys, induction_head, induction_sizes, read_by_last
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace

CITES = "bhattamishra2024 Theorem 7"


def associative_recall(task: AssociativeRecall, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, two heads and then one, causal: the label of the key that is repeated at the end."""
    return _recall(task, task.token_count, address, residual, arithmetic)


def mqar(task: Mqar, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, two heads and then one, causal: the label of every key of the second half, in one pass."""
    return _recall(task, task.token_count, address, residual, arithmetic)


def _recall(task: Recall, tokens: int, address: Address, residual: bool, arithmetic: str) -> Built:
    keys = sign_keys(task)
    _recall_sizes(task, address, residual, arithmetic)
    net, facts = induction_head(task, keys, sign_code(task.keys) * keys.scale, tokens, address, residual, arithmetic, task.absent)
    parameters = {"address": address, "residual": residual}
    return net.compile(task, task.name, CITES, parameters, facts, steps=lambda trace: _steps(trace, task))


def sign_keys(task: Recall) -> Keys:
    """Binary codes as signs: a changed sign lowers an inner product by 2."""
    return Keys((1,) * bits_for(task.keys), lead=2)


def _recall_sizes(task: Recall, address: Address, residual: bool, arithmetic: str) -> Sizes:
    return induction_sizes(task.name, sign_keys(task), task.labels, task.token_count, address, residual, arithmetic, task.absent)


def _steps(trace: Trace, task: Recall) -> tuple[Step, ...]:
    """The proof, explained on one run, for its last query."""
    keys, labels = [t for t in trace.tokens if t < task.keys], [t for t in trace.tokens if task.keys <= t < task.keys + task.labels]
    pair, weight = read_by_last(trace, task.keys)
    predicted, answer = int(trace.logits.argmax()), task.answer(trace.tokens)
    expected = answer[-1] if isinstance(answer, tuple) else answer
    return (
        Step("copy", "In layer 1 every label reads the code of the key before it, and keeps its own value.",
             {"least weight on the place before": float(trace.attention[0][0, 1:].amax(dim=1).min())}),
        Step("compare", "In layer 2 the queried key is compared with these copies; only labels answer, so never with itself.",
             {"asked": task.text(keys[-1:]), "first occurs at pair": keys.index(keys[-1]) + 1}),
        Step("read", "An exact match leads by 2/d' of the squared norm, so the softmax puts at least 9/10 of its weight on its label.",
             {"reads pair": pair, "label there": task.text(labels[pair - 1 : pair]), "weight": weight}),
        Step("decide", "Signs make the label's code exact, and the nearest code wins.",
             {"says": task.target_text(predicted), "expected": None if expected is None else task.target_text(expected)}),
    )  # fmt: skip


ASSOCIATIVE_RECALL = Construction(
    name="associative-recall",
    cites=CITES,
    computes=AssociativeRecall,
    architecture=Architecture.TWO_LAYERS,
    build=associative_recall,
    formula=_recall_sizes,
    quick=({"length": 32}, {"length": 2, "filler": 2}, {"length": 2, "absent": True}),
    extended=("filler", "absent"),
    variants=({"address": "binary"}, {"address": "quadratic"}),
)
MQAR = Construction(
    name="mqar",
    cites=CITES,
    computes=Mqar,
    architecture=Architecture.TWO_LAYERS,
    build=mqar,
    formula=_recall_sizes,
    quick=(
        *({"length": N, "address": "quadratic"} for N in (8, 16, 32)),
        {"length": 16, "labels": 64, "residual": True, "arithmetic": "float32"},
        {"length": 4, "filler": 2, "address": "quadratic"},
        {"length": 4, "symbols": 3, "absent": True, "address": "quadratic"},
    ),
    extended=("filler", "absent"),
    variants=({"address": "binary"}, {"address": "quadratic"}),
)

MQAR_HARD = with_hard_attention(MQAR, {"length": 4})
