"""PARITY: one bit, at every length; and layers of hard attention, from lengths at which the depth reduction says something.

[hahn2020 Task 1] [hahn2020 Theorem 1]
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact
from separatrix.bounds.languages.depth_reduction import DEEPEST, DepthReduction
from separatrix.bounds.lower import LowerBound, Precision, Witness
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.parity import Parity


def parity_profile(length: int, end: bool = False) -> StateProfile:
    """The number of ones among N bits, modulo 2; with an end token after them or without.

    [hahn2020 Task 1]
    """
    at_least("parity", 1, "length", length)
    return exact([1] + [2] * (length + end), "closed form: 2")


def _further(task: Parity, _: Precision, __: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    every = (DepthReduction(layers, 1) for layers in range(1, DEEPEST + 1))
    refuted = [found for found in every if found.least <= task.length + 1]
    if refuted:
        deepest = refuted[-1]
        yield LowerBound(
            Architecture.HARD_ATTENTION,
            Quantity.LAYERS_ONE_HEAD,
            deepest.layers + 1,
            f"{deepest.layers} fail from {deepest.least:,} tokens on",
            "hahn2020 Corollary 2",
            False,
            "Whatever the width, the weights and the number format; the argument of Lemma 4 is read, its inequalities are checked.",
            False,
            Witness("depth reduction: enough bits are fixed that the output is constant, and one is free", deepest),
        )


PARITY = TaskBounds(
    ClosedForm(
        "1 bit",
        "bhattamishra2024 Theorem 2",
        "One transition for all steps is enough.",
        lambda task: parity_profile(task.length, end=True),
        lambda _: (2, 2),
    ),
    _further,
)
