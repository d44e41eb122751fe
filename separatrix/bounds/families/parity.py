"""PARITY: one bit, at every length.

[hahn2020 Task 1]
"""

from __future__ import annotations

from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact
from separatrix.bounds.states.profile import StateProfile


def parity_profile(length: int, end: bool = False) -> StateProfile:
    """The number of ones among N bits, modulo 2; with an end token after them or without.

    [hahn2020 Task 1]
    """
    at_least("parity", 1, "length", length)
    return exact([1] + [2] * (length + end), "closed form: 2")


PARITY = TaskBounds(
    ClosedForm(
        "1 bit",
        "bhattamishra2024 Theorem 2",
        "One transition for all steps is enough.",
        lambda task: parity_profile(task.length, end=True),
        lambda _: (2, 2),
    )
)
