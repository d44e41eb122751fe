"""`Fact`: one thing that is known of a task on an architecture, and the evidence for it.

    impossible                 no model of this architecture does it, whatever its size
    impossible below a size    none with less of `quantity` than `value`
    built                      there are weights; `value` is what they have of `quantity`
    learned                    a trained model reached `value` on the metric `quantity`
    cited                      a paper says so, and nothing here has replayed it; never decides anything

Evidence is the digest of a certificate with its strength, the key of a statement whose hypotheses were checked, or the id of a row.
The length of training and the length of the test are two fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

from separatrix.architectures import Architecture, Mode

Strength = Literal["proven", "exhaustive", "tested", "author", "declared", "measured", "cited"]
STRENGTHS: tuple[Strength, ...] = ("proven", "exhaustive", "tested", "author", "declared", "measured", "cited")  # the strongest first
ACCURACY = "accuracy"


class What(StrEnum):
    """The kinds of facts."""

    IMPOSSIBLE = "impossible"
    BELOW = "impossible below a size"
    BUILT = "built"
    LEARNED = "learned"
    CITED = "cited"


@dataclass(frozen=True)
class Lengths:
    """The inputs that a fact is about: of one length, of every length up to N, or of every length by one and the same model."""

    kind: Literal["one", "up to", "all"]
    N: int | None = None

    def __str__(self) -> str:
        return {"one": f"N = {self.N}", "up to": f"N up to {self.N}", "all": "all N"}[self.kind]

    def document(self) -> dict[str, Any]:
        """The fields as JSON."""
        return {"kind": self.kind, "N": self.N}


@dataclass(frozen=True)
class Evidence:
    """Why a fact holds: a certificate by its digest, a statement by its key, a row by its id, or a construction by its command."""

    kind: Literal["certificate", "statement", "row", "construction"]
    key: str

    def document(self) -> dict[str, Any]:
        """The fields as JSON."""
        return {"kind": self.kind, "key": self.key}


@dataclass(frozen=True)
class Fact:
    """One entry of the ledger."""

    task: str
    parameters: Mapping[str, Any]
    architecture: Architecture
    mode: Mode
    arithmetic: str  # a format, "p bits", or "any"
    lengths: Lengths
    what: What
    quantity: str
    value: float | None
    strength: Strength
    evidence: Evidence
    steps: tuple[str, ...] = ()  # the inclusions and reductions that it came along, the last one last
    more: Mapping[str, Any] = field(default_factory=dict)  # what a page shows besides: formula, caveat, construction, model, study

    @property
    def inherited(self) -> bool:
        """Whether it came along an inclusion or a reduction."""
        return bool(self.steps)

    @property
    def decides(self) -> bool:
        """Whether a verdict may rest on it: what is only cited, or only measured, never decides."""
        return self.strength not in ("cited", "measured")

    def moved(self, step: str, **changed: Any) -> Fact:
        """A copy of the fact that was inherited by one more step."""
        return replace(self, steps=(*self.steps, step), **changed)

    def document(self) -> dict[str, Any]:
        """The fact as JSON, in the fields of the contract and then what pages show besides."""
        return {
            "task": self.task,
            "parameters": dict(self.parameters),
            "architecture": self.architecture,
            "mode": self.mode,
            "arithmetic": self.arithmetic,
            "lengths": self.lengths.document(),
            "what": self.what,
            "quantity": self.quantity,
            "value": self.value,
            "strength": self.strength,
            "evidence": self.evidence.document(),
            "from": list(self.steps),
            **{name: value for name, value in self.more.items() if name not in DOCUMENTED},
        }


DOCUMENTED = (
    "task",
    "parameters",
    "architecture",
    "mode",
    "arithmetic",
    "lengths",
    "what",
    "quantity",
    "value",
    "strength",
    "evidence",
    "from",
)
