"""`ClosedForm` and `TaskBounds`: the facts in a family's file about each of its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from separatrix.bounds.accuracy.ceiling import Ceiling
from separatrix.bounds.lower import CountedProfile, LowerBound, Precision, Witness, at_a_small_size, state_bounds
from separatrix.bounds.states.profile import StateProfile
from separatrix.errors import BadInput
from separatrix.tasks import Task

LISTED_BITS = 4 * 10**9  # half a gigabyte of digits


@dataclass(frozen=True)
class ClosedForm:
    """A task's state profile as a function of the task, and the caveat of the theorem behind it.

    `widest` gives the most states over all cuts, lower and upper, for lengths at which the whole profile would not fit into memory.
    `counted_as` is the task whose count shows the form at a small size, if that is a different task.
    """

    formula: str
    cites: str
    caveat: str
    profile: Callable[[Any], StateProfile]
    widest: Callable[[Any], tuple[int, int]]
    deterministic_only: bool = False
    counted_as: Callable[[Any], Task] = at_a_small_size
    formula_at: Callable[[Any], str] | None = None  # where the formula depends on the task's parameters
    least: Callable[[Any], int] | None = None  # the lower count of `widest` alone, where the upper one takes long

    def least_states(self, task: Task) -> int:
        """The states that some cut needs."""
        return self.widest(task)[0] if self.least is None else self.least(task)

    def rows(self, task: Task, precision: Precision) -> Iterator[LowerBound]:
        """The rows for state bits and for the width that holds them."""
        lower, upper = self.widest(task)
        formula = self.formula if self.formula_at is None else self.formula_at(task)
        witness = Witness(f"closed form: {formula}", CountedProfile(self.counted_as(task)))
        return state_bounds(lower, upper, precision.bits, formula, self.cites, self.caveat, self.deterministic_only, witness)


@dataclass(frozen=True)
class TaskBounds:
    """What is proven about one task: its profile in closed form, further rows, and its ceiling on accuracy, each if there is one."""

    form: ClosedForm | None = None
    further: Callable[[Any, Precision, tuple[LowerBound, ...]], Iterator[LowerBound]] | None = None
    ceiling: Callable[[Any, int], Ceiling | None] | None = None

    def rows(self, task: Task, precision: Precision) -> tuple[LowerBound, ...]:
        """Every bound, with numbers of this precision."""
        first = tuple(self.form.rows(task, precision)) if self.form else ()
        return first + (tuple(self.further(task, precision, first)) if self.further else ())


def exact(classes: list[int], method: str) -> StateProfile:
    """A profile whose counts are both necessary and sufficient."""
    return StateProfile(tuple(classes), tuple(classes), method)


def listable(task: str, tokens: int, bits: int) -> None:
    """Refuse a list of numbers too large to hold; the widest one alone is always available."""
    if tokens * bits > LISTED_BITS:
        much = f"{tokens:,} numbers of up to {bits:,} bits"
        raise BadInput(f"the profile of {task} would list {much}: `separatrix bounds {task}` prints only the bits of state")


def half_of(task: str, length: int) -> int:
    """Half of an even length; refuses other lengths."""
    if length < 2 or length % 2:
        raise BadInput(f"{task}: length N must be even and at least 2, found {length}")
    return length // 2


def at_least(task: str, least: int, name: str, value: int) -> None:
    """Refuse a parameter that is too small."""
    if value < least:
        raise BadInput(f"{task}: {name} must be at least {least}, found {value}")
