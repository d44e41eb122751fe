"""Equality over any partition into two halves, with two attention layers of logarithmic width; and what it says about protocols.

[bhattamishra2024 Lemma 5; proof F.4] [bhattamishra2024 Corollary 13.1] [bhattamishra2024 Equation 8]

Notation   S_A, S_B   two sets of N/2 places, the a-th smallest of one compared with the a-th smallest of the other
           match(i)   the partner of i if that comes before i, else i itself
           T(i)       address of place i            g_i   1 where s_i differs from s_match(i), else 0

The paper renames positions; here the partner is a pointer, and pointers are weights: N of them, of log2 N bits each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.bits import ceil_log2
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction
from separatrix.constructions.bhattamishra2024.equality import HARD, Comparison, compare_matching, hard_sizes, matching_sizes
from separatrix.constructions.parts.addresses import Address
from separatrix.errors import BadInput
from separatrix.tasks.partition_equality import PartitionEquality

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace


def partition_equality(task: PartitionEquality, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, two heads (one with a residual connection) and then one."""
    program = Comparison(EQUALITY_PARTITION, lambda T: T.pointing(_partners(task)), lambda trace: _steps(trace, task))
    return compare_matching(task, program, address, residual, arithmetic)


def hard_partition_equality(task: PartitionEquality, arithmetic: str = "float64") -> Built:
    """The same by hard attention: layer 2 seeks a difference."""
    program = Comparison(PARTITION_EQUALITY_HARD, lambda T: T.pointing(_partners(task)), None, hard=True)
    return compare_matching(task, program, HARD, False, arithmetic)


def _partners(task: PartitionEquality) -> list[int]:
    """match(i) for every place: of a pair the later reads the earlier, which reads itself, so that no place reads a later one."""
    partner = {max(pair): min(pair) for pair in task.pairs}
    return [partner.get(i, i) for i in range(1, task.length + 1)]


@dataclass(frozen=True)
class TwoLayerCost:
    """One line of the corollary: the model costs m p H, the parties must exchange N/2 bits: a protocol of m p H g bits has g >= least."""

    N: int
    m: int
    p: int
    H: int
    bits: int
    least: float  # N/2 over m p H
    scale: float  # N / (log2 N)^2, the growth of `least`


def protocol_costs(lengths: tuple[int, ...] = (64, 256, 1024, 4096)) -> tuple[TwoLayerCost, ...]:
    """The corollary as a table: the least g(N) that a protocol for all two-layer Transformers and partitions would need.

    The models are those of this file, with the binary address in the narrowest fixed point with f = log2 N.
    """
    return tuple(_cost(N) for N in lengths)


def _cost(N: int) -> TwoLayerCost:
    f = ceil_log2(N)
    for r in range(1, 64):
        sizes = EQUALITY_PARTITION.sizes({"length": N}, arithmetic=f"fixed:{1 + r + f},{f}")
        if sizes is not None:
            m, p, H = sizes.width, sizes.precision_bits, sizes.heads
            return TwoLayerCost(N, m, p, H, N // 2, N / 2 / (m * p * H), N / math.log2(N) ** 2)
    raise BadInput(f"{EQUALITY_PARTITION.name}, N = {N}: no fixed point with {f} fractional bits can hold it")


def _steps(trace: Trace, task: PartitionEquality) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    N, predicted = task.length, int(trace.logits.argmax())
    heads, differs = trace.attention[0], trace.slot(1, "differs").sum(dim=1)
    return (
        Step("match", "Each place reads its partner in the other set if that comes before it, by a stored pointer, and itself if not.",
             {"pairs": [list(pair) for pair in task.pairs], "place each token reads": [int(heads[0, i].argmax()) + 1 for i in range(N)],
              "least weight on it": float(heads.amax(dim=2).min())}),
        Step("compare", "The feed-forward part compares the two codes bit by bit.", {"differs": [int(v) for v in differs]}),
        Step("average", "Layer 2 averages: 0 where all pairs agree, at least 1/N where one does not.",
             {"mean": float(differs.mean()), "1/N": 1 / N}),
        Step("decide", "A threshold between 0 and 1/N decides.", {"says": predicted, "expected": task.answer(trace.tokens)}),
    )  # fmt: skip


EQUALITY_PARTITION = Construction(
    name="equality/partition",
    cites="bhattamishra2024 Lemma 5",
    computes=PartitionEquality,
    architecture=Architecture.TWO_LAYERS,
    build=partition_equality,
    formula=matching_sizes,
    quick=({"length": 64, "instance": 1},),
    variants=({"address": "binary"}, {"address": "quadratic"}),
)
PARTITION_EQUALITY_HARD = Construction(
    name="partition-equality/hard-attention",
    cites="",
    computes=PartitionEquality,
    architecture=Architecture.HARD_ATTENTION,
    build=hard_partition_equality,
    formula=hard_sizes,
    quick=({"length": 10, "instance": 1},),
)
