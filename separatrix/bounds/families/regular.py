"""Regular languages: the states of the minimal automaton that words of one length distinguish.

[bhattamishra2024 Theorem 2; bhattamishra2024 Lemma 4]
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact
from separatrix.bounds.languages.language import layered_classes
from separatrix.bounds.lower import LowerBound, Precision, Witness
from separatrix.bounds.states.profile import StateProfile, ceil_log2
from separatrix.tasks.regular import Regular


def regular_profile(task: Regular) -> StateProfile:
    """After each symbol, the reachable states that the rest of the word distinguishes; the end symbol changes nothing."""
    classes = layered_classes(task.automaton, task.length)
    return exact([*classes, classes[-1]], "layers of the minimal automaton")


def _further(task: Regular, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:  # noqa: ARG001
    states = task.automaton.states
    yield LowerBound(
        Architecture.ONE_TRANSITION,
        Quantity.STATE_BITS,
        ceil_log2(states),
        "ceil(log2 of the states of the minimal complete automaton)",
        "bhattamishra2024 Lemma 4",
        True,
        f"For words of every length; the automaton has {states} states.",
        False,
        Witness(f"Myhill and Nerode: some continuation separates any two of the {states} states of the minimal automaton"),
    )


REGULAR = TaskBounds(
    ClosedForm(
        "ceil(log2 of the states that words of N symbols distinguish)",
        "bhattamishra2024 Theorem 2",
        "Words of exactly N symbols and a transition that may depend on the step.",
        regular_profile,
        lambda task: (max(regular_profile(task).classes),) * 2,
    ),
    _further,
)
