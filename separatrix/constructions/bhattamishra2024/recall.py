"""Recall of a key's label, once or for every key of a stream, as a nearest neighbour among binary codes.

[bhattamishra2024 Remark 16] [bhattamishra2024 Theorem 7; corrected construction]

A key is its binary code as signs, scaled by a power of two. Two codes of d' bits that differ in one have inner products that differ by
2/d' of the squared norm: that is the margin, and an exact match is nearest. Labels may be of any number: they are codes as well.
"""

from __future__ import annotations

from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.parts.induction import Address, induction_head, power_of_two_norm, read_by_last
from separatrix.constructions.parts.symbol_codes import binary_code
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar


def associative_recall(
    length: int,
    symbols: int | None = None,
    labels: int = 2,
    address: Address = "binary",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """Two layers, two heads and then one, causal: the label of the key that comes once more at the end."""
    return _recall(AssociativeRecall(length, symbols, labels), 2 * length + 1, address, residual, arithmetic)


def mqar(
    length: int,
    symbols: int | None = None,
    labels: int = 2,
    address: Address = "binary",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """Two layers, two heads and then one, causal: the label of every key of the second half, in one pass."""
    return _recall(Mqar(length, symbols, labels), 2 * length - 1, address, residual, arithmetic)


def _recall(task: Recall, tokens: int, address: Address, residual: bool, arithmetic: str) -> Built:
    x = power_of_two_norm(2 * binary_code(task.keys) - 1)
    margin = 2 * float(x[0, 0]) ** 2  # one coordinate changes its sign
    net, facts = induction_head(task, x, margin, tokens, address, residual, arithmetic)
    parameters = {"address": address, "residual": residual}
    return net.compile(task, task.name, "bhattamishra2024 Theorem 7", parameters, facts, steps=lambda trace: _steps(trace, task))


def _steps(trace: Trace, task: Recall) -> tuple[Step, ...]:
    """The proof told over one run, for its last query."""
    keys, labels = trace.tokens[::2], trace.tokens[1::2]
    chosen, weight = read_by_last(trace)
    said, answer = int(trace.logits.argmax()), task.answer(trace.tokens)
    expected = answer[-1] if isinstance(answer, tuple) else answer
    return (
        Step("copy", "In layer 1 every label reads the code of the key before it, and keeps its own value.",
             {"least weight on the place before": float(trace.attention[0][0, 1:].amax(dim=1).min())}),
        Step("compare", "In layer 2 the key that is asked compares itself with these copies; only labels answer, so it never meets itself.",
             {"asked": task.text(keys[-1:]), "first stood at pair": keys.index(keys[-1]) + 1}),
        Step("read", "An exact match leads by 2/d' of the squared norm, so the softmax puts at least 9/10 of its weight on its label.",
             {"reads pair": chosen, "label there": task.text(labels[chosen - 1 : chosen]), "weight": weight}),
        Step("decide", "Signs make the label's code exact, and the nearest code wins.",
             {"says": task.target_text(said), "expected": None if expected is None else task.target_text(expected)}),
    )  # fmt: skip
