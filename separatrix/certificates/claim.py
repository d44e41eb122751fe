"""The claim of a construction as plain data: the claim, the steps of its proof, the slots of its stream. No torch here.

What runs, `Built` and its `Trace`, stands in certificates/built.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from separatrix.errors import BadInput


@dataclass(frozen=True)
class Bound:
    """One line of a composed error bound: how far a part may be off, and how much that part tolerates."""

    part: str
    what: str
    value: float
    tolerance: float | None


@dataclass(frozen=True)
class Claim:
    """This construction, with these parameters, computes this task in this arithmetic."""

    construction: str
    cites: str
    task: str
    task_parameters: dict[str, Any]
    parameters: dict[str, Any]  # the construction's own, without those of the task
    arithmetic: str
    facts: dict[str, float] = field(default_factory=dict)  # constants of the proof: eta, magnitudes
    bounds: tuple[Bound, ...] = ()  # what each part leaks, and what the next one tolerates


@dataclass(frozen=True)
class Step:
    """One step of a proof, and the model's values at that step."""

    title: str
    says: str  # the proof's sentence, in our words
    values: dict[str, Any]


@dataclass(frozen=True)
class Slot:
    """A named subspace of the stream: coordinates start .. start + width - 1."""

    name: str
    start: int
    width: int


@dataclass(frozen=True)
class Layout:
    """The slots of the stream at one stage."""

    slots: tuple[Slot, ...]

    def where(self, name: str) -> slice:
        """The coordinates of a slot."""
        match = next((slot for slot in self.slots if slot.name == name), None)
        if match is None:
            raise BadInput(f"no slot {name!r} at this stage: expected one of {', '.join(slot.name for slot in self.slots)}")
        return slice(match.start, match.start + match.width)
