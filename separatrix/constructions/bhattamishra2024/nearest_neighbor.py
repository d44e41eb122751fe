"""The label of the nearest neighbour with two attention layers, whose width does not depend on the margin gamma.

[bhattamishra2024 Theorem 7; corrected construction]

The paper's own construction suppresses the query's key by addresses of coherence gamma/100 (`nearest-neighbor/label-address`).
An induction head (parts/induction.py) has no need to: its queries compare with copies that only labels hold.

The unit vectors of the task are (+-w_1, .., +-w_d) / sqrt(R). The model stores (+-w_1, .., +-w_d) / 2^s with 2^s >= sqrt(R): the order
of inner products is the same, the margin is 2/4^s times a known integer, and nothing was rounded.
"""

from __future__ import annotations

import torch

from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.parts.induction import Address, induction_head, power_of_two_norm, read_by_last
from separatrix.errors import BadInput
from separatrix.tasks.nearest_neighbor import NearestNeighbor


def nearest_neighbor(
    length: int,
    dimension: int = 12,
    gamma: float = 0.1,
    address: Address = "binary",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """Two layers, two heads and then one, causal: the label of the earlier vector nearest to the last, if it leads by gamma."""
    task = NearestNeighbor(length, dimension, gamma)
    x = scaled_vectors(task)
    net, facts = induction_head(task, x, scaled_margin(task, x), 2 * length - 1, address, residual, arithmetic)
    parameters = {"address": address, "residual": residual}
    return net.compile(task, task.name, task.cites, parameters, facts, steps=lambda trace: _steps(trace, task))


def scaled_vectors(task: NearestNeighbor) -> torch.Tensor:
    """The vector of every key, scaled by a power of two to a norm in (1/2, 1]."""
    return power_of_two_norm(torch.from_numpy(task.vectors).to(torch.float64))


def scaled_margin(task: NearestNeighbor, x: torch.Tensor) -> float:
    """By how much the nearest leads in <x, x'>: gamma times the squared norm, on the grid."""
    return float(task.margin) * float((x[0] ** 2).sum())


def need_margin(task: NearestNeighbor, tokens: tuple[int, ...]) -> None:
    """Refuse an input outside the promise, with the margin that it has."""
    if task.answer(tokens) is not None:
        return
    split = task.split(tokens)
    if split is None or len(split[0]) < 2:
        raise BadInput(f"nearest-neighbor: expected x_1 y_1 .. x_k with k >= 2, found {task.text(tokens)!r}")
    points = torch.from_numpy(task.vectors[split[0]])
    best, second = ((points[:-1] @ points[-1]).to(torch.float64) / task.norm).topk(2).values.tolist()
    raise BadInput(f"nearest-neighbor: the nearest vector must lead by gamma = {task.gamma}, found {best:.6g} and then {second:.6g}")


def _steps(trace: Trace, task: NearestNeighbor) -> tuple[Step, ...]:
    """The proof told over one run."""
    need_margin(task, trace.tokens)
    *vectors, query = trace.tokens[::2]
    points = task.vectors
    products = [int(points[key] @ points[query]) / task.norm for key in vectors]
    chosen, weight = read_by_last(trace)
    said, expected = int(trace.logits.argmax()), task.answer(trace.tokens)
    copied = trace.slot(1, "before")[1].tolist()
    assert isinstance(expected, int)
    return (
        Step("copy", "In layer 1 every label reads the vector before it, and keeps its own value.",
             {"least weight on the place before": float(trace.attention[0][0, 1:].amax(dim=1).min()),
              "copy held by the first label": [round(value, 6) for value in copied]}),
        Step("compare", "In layer 2 the query compares itself with these copies; only labels answer, so it never meets itself.",
             {"inner products": [round(product, 6) for product in products], "margin": task.gamma}),
        Step("read", "The nearest leads by the margin, so the softmax puts at least 9/10 of its weight on that label.",
             {"reads pair": chosen, "weight": weight}),
        Step("decide", "A sign makes the label exact.", {"says": task.target_text(said), "expected": task.target_text(expected)}),
    )  # fmt: skip
