"""State profiles that need no count: one formula per task, with what the formula leaves out.

[bhattamishra2024 Theorem 3; bhattamishra2024 Proposition 9; bhattamishra2024 Theorem 11; bhattamishra2024 Theorem 8]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from separatrix.bounds.states.profile import StateProfile
from separatrix.bounds.states.recall_profiles import (
    associative_recall_profile,
    associative_recall_widest,
    known_order_recall_profile,
    mqar_profile,
    mqar_widest,
)
from separatrix.bounds.states.string_profiles import (
    dyck_profile,
    dyck_widest,
    equality_profile,
    equality_widest,
    index_lookup_profile,
    index_lookup_widest,
    intersects_profile,
    intersects_widest,
    parity_profile,
    parity_widest,
)
from separatrix.parameters import typed

__all__ = [
    "CLOSED_FORMS",
    "ClosedForm",
    "arguments",
    "associative_recall_profile",
    "closed_form",
    "dyck_profile",
    "equality_profile",
    "form_of",
    "index_lookup_profile",
    "intersects_profile",
    "known_order_recall_profile",
    "mqar_profile",
    "parity_profile",
]


@dataclass(frozen=True)
class ClosedForm:
    """A task's profile as a function of its parameters, and the caveat of the theorem behind it.

    `widest` gives the most states over all cuts, lower and upper, for lengths at which the whole profile would fill the memory.
    """

    task: str
    profile: Callable[..., StateProfile]
    widest: Callable[..., tuple[int, int]]
    formula: str
    cites: str
    caveat: str
    fixed: tuple[tuple[str, Any], ...] = ()  # arguments that the form of the task settles
    ignores: tuple[str, ...] = ()  # parameters of the task that choose examples and leave the function alone


WITHOUT_COINS = "N even; deterministic models only: with random bits and a small error O(log N) bits are enough."
CLOSED_FORMS = (
    ClosedForm(
        "index-lookup",
        index_lookup_profile,
        index_lookup_widest,
        "ceil(N log2 s) bits",
        "bhattamishra2024 Theorem 3",
        "The paper's N bits are the case of two symbols. Exactly N symbols come before the index; zero error on every input.",
        ignores=("distribution",),
    ),
    ClosedForm("equality", equality_profile, equality_widest, "ceil(N/2 log2 s) bits", "bhattamishra2024 Theorem 11", WITHOUT_COINS),
    ClosedForm(
        "eq-random",
        equality_profile,
        equality_widest,
        "ceil(N/2 log2 s) bits",
        "bhattamishra2024 Theorem 11",
        WITHOUT_COINS,
        fixed=(("separator", True),),
        ignores=("distribution",),
    ),
    ClosedForm(
        "eq-one",
        equality_profile,
        equality_widest,
        "ceil(N/2 log2 s) bits",
        "bhattamishra2024 Theorem 11",
        f"{WITHOUT_COINS} For every pair of halves, although the examples differ in one place or none.",
        fixed=(("separator", True),),
        ignores=("distribution",),
    ),
    ClosedForm(
        "intersects",
        intersects_profile,
        intersects_widest,
        "N/2 bits",
        "bhattamishra2024 Fact 1",
        "N even; the exact count is for zero error, but a constant error still needs a linear number of bits.",
    ),
    ClosedForm(
        "associative-recall",
        associative_recall_profile,
        associative_recall_widest,
        "ceil(log2(N L^(N-1))) bits, at the cut before the last label",
        "bhattamishra2024 Proposition 9",
        "N distinct keys in any order. In a known order N log2 L bits are enough. With more than N symbols for the keys the bits needed "
        "lie between the lower and the upper count.",
    ),
    ClosedForm(
        "mqar",
        mqar_profile,
        mqar_widest,
        "ceil(log2(n L^(n-1))) bits with n = N/2, at the cut before the last label",
        "bhattamishra2024 Theorem 8",
        "n distinct keys in any order; with more than n symbols for the keys the bits needed lie between the lower and the upper count.",
    ),
    ClosedForm(
        "parity",
        parity_profile,
        parity_widest,
        "1 bit",
        "hahn2020 Corollary 2",
        "The transition may be the same at every step.",
        fixed=(("end", True),),
    ),
    ClosedForm(
        "dyck",
        dyck_profile,
        dyck_widest,
        "ceil(log2(sum of n^d over reachable depths d, plus 1)) bits",
        "bhattamishra2024 Remark 12",
        "Words of exactly N brackets and a transition that may depend on the step; one transition for all lengths needs sum_{d<=k} n^d + 1 "
        "states, a sink included.",
        ignores=("positives",),
    ),
)


def form_of(task: str) -> ClosedForm | None:
    """The closed form of a task, if there is one."""
    return next((form for form in CLOSED_FORMS if form.task == task), None)


def arguments(form: ClosedForm, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The task's parameters as arguments of its closed form; unknown ones are refused."""
    chosen = {key: value for key, value in parameters.items() if key not in form.ignores} | dict(form.fixed)
    return typed(form.profile, chosen, f"the closed form of {form.task}")


def closed_form(task: str, parameters: Mapping[str, Any]) -> tuple[ClosedForm, StateProfile] | None:
    """The formula of a task and its profile at the task's parameters; None for a task without one."""
    form = form_of(task)
    return (form, form.profile(**arguments(form, parameters))) if form else None
