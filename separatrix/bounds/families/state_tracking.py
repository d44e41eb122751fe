"""State tracking: after every symbol the state is the answer, so a model tells apart every two states that words of that length reach.

[bhattamishra2024 Theorem 2; bhattamishra2024 Lemma 4]
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact
from separatrix.bounds.families.regular import one_transition
from separatrix.bounds.lower import LowerBound, Precision
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.regular import Regular
from separatrix.tasks.state_tracking import StateTracking


def reached_states(task: StateTracking) -> list[int]:
    """How many states words of 0, 1, .., N symbols lead to; each set is followed by the same one wherever it comes again."""
    after: dict[frozenset[int], frozenset[int]] = {}
    reached, counts = frozenset({0}), [1]
    for _ in range(task.length):
        if reached not in after:
            after[reached] = frozenset(r for q in reached for r in task.automaton.moves[q])
        reached = after[reached]
        counts.append(len(reached))
    return counts


def tracking_profile(task: StateTracking) -> StateProfile:
    """After t symbols the answer is the state itself, and it decides all that follows."""
    return exact(reached_states(task), "the states that words of t symbols reach")


def _further(task: StateTracking, _: Precision, __: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield one_transition(task.automaton)


STATE_TRACKING = TaskBounds(
    ClosedForm(
        "ceil(log2 of the most states that words of one length reach)",
        "bhattamishra2024 Theorem 2",
        "Words of exactly N symbols, the state due after each, and a transition that may depend on the step.",
        tracking_profile,
        lambda task: (max(reached_states(task)),) * 2,
        counted_as=lambda task: Regular(min(task.length, 4), task.language, task.alphabet),  # whose answer the state decides
    ),
    _further,
)
