"""The label of the nearest neighbour with two attention layers, whose width does not depend on the margin gamma.

[bhattamishra2024 Theorem 7; corrected construction]

The paper's own construction suppresses the query's key by addresses of coherence gamma/100 (`nearest-neighbor/label-address`).
An induction head (parts/induction.py) has no need to: its queries compare with copies that only labels hold.

The unit vectors of the task are (+-w_1, .., +-w_d) / sqrt(R). The model stores (+-w_1, .., +-w_d) / 2^s with 2^s >= sqrt(R): the order
of inner products is the same, the margin is 2/4^s times a known integer, and nothing was rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.forms import Array
from separatrix.constructions.named.hard_reads import with_hard_attention
from separatrix.constructions.parts.addresses import Address
from separatrix.constructions.parts.induction import Keys, induction_head, induction_sizes, read_by_last
from separatrix.errors import BadInput
from separatrix.tasks.nearest_neighbor import NearestNeighbor

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace


def nearest_neighbor(task: NearestNeighbor, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, two heads and then one, causal: the label of the earlier vector nearest to the last, if it leads by gamma."""
    keys = grid_keys(task)
    net, facts = induction_head(task, keys, grid_vectors(task), 2 * task.length - 1, address, residual, arithmetic)
    name, cites = NEAREST_NEIGHBOR.name, NEAREST_NEIGHBOR.cites
    parameters = {"address": address, "residual": residual}
    return net.compile(task, name, cites, parameters, facts, steps=lambda trace: _steps(trace, task))


def _sizes(task: NearestNeighbor, address: Address, residual: bool, arithmetic: str) -> Sizes:
    return induction_sizes(task.name, grid_keys(task), task.labels, 2 * task.length - 1, address, residual, arithmetic)


def grid_keys(task: NearestNeighbor) -> Keys:
    """(+-w_1, .., +-w_d): inner products differ by at least the margin, in steps of 2."""
    return Keys(task.weights, lead=2 * task.steps)


def grid_vectors(task: NearestNeighbor) -> Array:
    """The vector of every key, scaled by a power of two to a norm in (1/2, 1]."""
    return task.vectors.astype(np.float64) * grid_keys(task).scale


def need_margin(task: NearestNeighbor, tokens: tuple[int, ...]) -> None:
    """Refuse an input outside the promise, and report its margin."""
    if task.answer(tokens) is not None:
        return
    split = task.split(tokens)
    if split is None or len(split[0]) < 2:
        raise BadInput(f"nearest-neighbor: expected x_1 y_1 .. x_k with k >= 2, found {task.text(tokens)!r}")
    points = task.vectors[split[0]]
    second, best = np.sort(points[:-1] @ points[-1] / task.norm)[-2:].tolist()
    raise BadInput(f"nearest-neighbor: the nearest vector must lead by gamma = {task.gamma}, found {best:.6g} and then {second:.6g}")


def _steps(trace: Trace, task: NearestNeighbor) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    need_margin(task, trace.tokens)
    *vectors, query = trace.tokens[::2]
    points = task.vectors
    products = [int(points[key] @ points[query]) / task.norm for key in vectors]
    pair, weight = read_by_last(trace, task.keys)
    predicted, expected = int(trace.logits.argmax()), task.answer(trace.tokens)
    copied = trace.slot(1, "before")[1].tolist()
    assert isinstance(expected, int)
    return (
        Step("copy", "In layer 1 every label reads the vector before it, and keeps its own value.",
             {"least weight on the place before": float(trace.attention[0][0, 1:].amax(dim=1).min()),
              "copy held by the first label": [round(value, 6) for value in copied]}),
        Step("compare", "In layer 2 the query compares itself with these copies; only labels answer, so it is never compared with itself.",
             {"inner products": [round(product, 6) for product in products], "margin": task.gamma}),
        Step("read", "The nearest leads by the margin, so the softmax puts at least 9/10 of its weight on that label.",
             {"reads pair": pair, "weight": weight}),
        Step("decide", "A sign makes the label exact.", {"says": task.target_text(predicted), "expected": task.target_text(expected)}),
    )  # fmt: skip


NEAREST_NEIGHBOR = Construction(
    name="nearest-neighbor",
    cites="bhattamishra2024 Theorem 7",
    computes=NearestNeighbor,
    architecture=Architecture.TWO_LAYERS,
    build=nearest_neighbor,
    formula=_sizes,
    quick=(
        {"length": 16, "dimension": 6, "address": "quadratic"},
        {"length": 20, "dimension": 10, "gamma": 0.01},
        {"length": 8, "dimension": 8, "gamma": 0.05, "arithmetic": "fixed:18,4"},
    ),
    variants=({"address": "binary"}, {"address": "quadratic"}),
    fixed=("distribution",),
    ignores=("distribution",),  # fewer vectors mean fewer competitors
)

NEAREST_NEIGHBOR_HARD = with_hard_attention(NEAREST_NEIGHBOR, {"length": 6, "dimension": 6})
