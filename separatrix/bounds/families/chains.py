"""Chains of dynamic programs and of arithmetic: the width that linear and sparse attention need to write them, with constants.

[yang2024 Theorem 4.4; proof B.2] [yang2024 Proposition 5.2] [yang2024 Proposition 5.5] [yang2024 Claim 4]

A chain that reveals b bits of its prompt must find them in what is left behind the prompt (bounds/programs/widths.py). A row is for
as many layers and heads as the constructions have: fewer would need more width, more of them less. The witness is a count of chains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bits import bits_for
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact
from separatrix.bounds.lower import LowerBound, Precision, Witness
from separatrix.bounds.programs.chains import ChainCount, first_handles
from separatrix.bounds.programs.widths import (
    least_linear_width,
    least_sparse_width,
    linear_width,
    revealed_or_none,
    visible_entries,
)
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks import Task, task_at
from separatrix.tasks.arithmetic import Arithmetic
from separatrix.tasks.capabilities import Revealed
from separatrix.tasks.programs.dynamic_program import DynamicProgram

CUT = "after the prompt the state determines the whole chain, and prompts with different chains need different states"
PAPER_LAYERS, PAPER_HEADS, PAPER_WIDTH = 3, 4, 32  # of the experiments; the least width that was tried


def _programs(cites: str, reads: int) -> Callable[[Any, Precision, tuple[LowerBound, ...]], Iterator[LowerBound]]:
    """The rows of a program whose states read so many places, so that its models have as many heads."""

    def rows(task: DynamicProgram, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
        known, p = revealed_or_none(task), precision.bits
        if known is None:
            return
        witness = Witness(f"{CUT}: {known.formula} bits", ChainCount(_small(task), cites=_shown_at(task, cites)))
        yield _linear(known, reads, p, cites, witness)
        n, L = task.entries, task.chain_length
        W = math.isqrt(L - 1) + 1
        visible = visible_entries(n, W)
        sparse = least_sparse_width(known.bits, visible, bits_for(task.symbols), 2, p)
        assert sparse is not None, "the second layer grows with the width"
        formula = f"least D with {visible} visible entries, one layer of D numbers each, for {known.formula} bits"
        caveat = f"Two layers, blocks of {W} with one global token each, zero error. {_at_the_papers_sizes(known, p)}"
        of_blocks = cites if cites == "yang2024 Theorem 4.4" else "yang2024 Claim 4"  # Proposition 5.5 is about linear attention
        yield LowerBound(Architecture.BLOCK_SPARSE, Quantity.WIDTH, sparse, formula, of_blocks, False, caveat, True, witness, Mode.CHAIN)

    return rows


def _arithmetic(task: Arithmetic, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    known, small = revealed_or_none(task), Arithmetic(2, prime=2)
    assert known is not None, "arithmetic has a closed form"
    proof = f"{CUT}: (a + 0) followed by any operations leaves {known.formula} bits of second lines"
    witness = Witness(proof, ChainCount(small, first_handles(small), "yang2024 Proposition 5.2"))
    yield _linear(known, PAPER_HEADS, precision.bits, "yang2024 Proposition 5.2", witness, PAPER_LAYERS)


def _linear(known: Revealed, heads: int, p: int, cites: str, witness: Witness, layers: int = 1) -> LowerBound:
    value = least_linear_width(known.bits, layers, heads, p)
    formula = f"least D with {layers} x {heads} (d^2 + d) numbers, d = ceil(D/{heads}), for {known.formula} bits"
    how = f"{'One layer' if layers == 1 else f'{layers} layers'} of linear attention with {heads} heads, zero error."
    return LowerBound(
        Architecture.LINEAR_ATTENTION,
        Quantity.WIDTH,
        value,
        formula,
        cites,
        False,
        f"{how} {_at_the_papers_sizes(known, p)}",
        True,
        witness,
        Mode.CHAIN,
    )


def _at_the_papers_sizes(known: Revealed, p: int) -> str:
    """Whether the bound says anything about a model of the paper's experiments with a task of this size."""
    least = linear_width(known.bits, PAPER_LAYERS, PAPER_HEADS, p)
    verdict = "binds" if least > PAPER_WIDTH else "does not bind"
    return (
        f"With the {PAPER_LAYERS} layers and {PAPER_HEADS} heads of the paper's experiments linear attention needs D >= {least:.1f}, "
        f"which {verdict}: the least width tried was {PAPER_WIDTH}."
    )


def _small(task: DynamicProgram) -> Task:
    return task_at(task.name, {**task.enumerated_at, **({"compact": True} if getattr(task, "compact", False) else {})})


def _shown_at(task: DynamicProgram, cites: str) -> str:
    """The statement that a count at a small size replays: only those that speak of chains of this task."""
    return cites if task.name in ("reverse-sum", "edit-distance-local") else ""


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
    _programs("yang2024 Theorem 4.4", 2),
)
LIS = TaskBounds(further=_programs("yang2024 Claim 4", 4))
EDIT_DISTANCE = TaskBounds(further=_programs("yang2024 Claim 4", 5))
EDIT_DISTANCE_LOCAL = TaskBounds(further=_programs("yang2024 Proposition 5.5", 5))
ARITHMETIC = TaskBounds(further=_arithmetic)
