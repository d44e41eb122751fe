"""The reversed sum: the width that linear and sparse attention need to write the chain, with constants.

[yang2024 Theorem 4.4; proof B.2]

A chain that reveals b bits of its prompt must find them in what is left behind the prompt (bounds/programs/widths.py). The rows are for
as many layers and heads as the constructions have: fewer would need more width, more of them less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from separatrix.architectures import Architecture, Quantity
from separatrix.bits import bits_for
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact
from separatrix.bounds.lower import LowerBound, Precision, Witness
from separatrix.bounds.programs.widths import least_linear_width, least_sparse_width, revealed, visible_entries
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.reverse_sum import ReverseSum

CUT = "after the prompt the state determines the whole chain, and different prompts have different chains"
WEAK = "It grows like sqrt(L) up to logarithms; at the lengths of the paper's experiments it does not bind."


def _reverse_sum(task: ReverseSum, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    known, p = revealed(task), precision.bits
    linear = least_linear_width(known.bits, 1, 2, p)
    formula = f"least D with D^2/2 + D numbers for {known.formula} bits"
    caveat = f"One layer of linear attention with two heads, zero error. {WEAK}"
    yield LowerBound(Architecture.LINEAR, Quantity.WIDTH, linear, formula, "yang2024 Theorem 4.4", False, caveat, True, Witness(CUT))
    n, L = task.length, task.unrolled.length
    W = math.isqrt(L - 1) + 1
    visible = visible_entries(n, W)
    sparse = least_sparse_width(known.bits, visible, bits_for(task.symbols), 2, p)
    assert sparse is not None, "the second layer grows with the width"
    formula = f"least D with {visible} visible entries, one layer of D numbers each, for {known.formula} bits"
    caveat = f"Two layers, blocks of {W} with one global token each, zero error. {WEAK}"
    yield LowerBound(Architecture.SPARSE, Quantity.WIDTH, sparse, formula, "yang2024 Theorem 4.4", False, caveat, True, Witness(CUT))


def reverse_sum_profile(length: int, symbols: int = 10) -> StateProfile:
    """For the answer alone, without the chain: the sum so far, which takes t (s - 1) + 1 values after t numbers."""
    sums = [t * (symbols - 1) + 1 for t in range(length + 1)]
    return exact([*sums, sums[-1]], "closed form: t (s - 1) + 1 sums after t numbers")


REVERSE_SUM = TaskBounds(
    ClosedForm(
        "ceil(log2(N (s - 1) + 1)) bits",
        "",
        "Outside the four papers. For the sum alone; the chain of all partial sums from the end needs N log2 s.",
        lambda task: reverse_sum_profile(task.length, task.symbols),
        lambda task: (task.length * (task.symbols - 1) + 1,) * 2,
    ),
    _reverse_sum,
)
