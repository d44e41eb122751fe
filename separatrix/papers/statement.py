"""One numbered (or unnumbered) claim of a paper, in our own words, with what we know about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "theorem",
    "lemma",
    "proposition",
    "corollary",
    "claim",
    "fact",
    "definition",
    "assumption",
    "clarification",
    "construction",
    "algorithm",
    "task",
    "experiment",
    "figure",
    "table",
    "question",
    "check",
    "remark",
    "equation",
]
Status = Literal["built", "bounded", "measured", "stated", "open"]


@dataclass(frozen=True)
class Erratum:
    """What is printed, what is true, and how a reader can see the difference."""

    printed: str
    true: str
    evidence: str
    command: str = ""  # a `separatrix ...` line that shows it, where one exists


@dataclass(frozen=True)
class Statement:
    """A claim of a paper: where it stands, what it says in our words, and how far we are with it.

    `status` says what the project holds: built (exact weights), bounded (a bound that runs), measured (numbers from
    experiments), stated (on record, no code yet), open (nobody knows).
    """

    key: str  # "bhattamishra2024 Theorem 1"
    kind: Kind
    says: str
    place: str  # where it is stated: "section 3.1"
    status: Status = "stated"
    proof: str = ""  # where it is proven: "appendix C.2"
    code: tuple[str, ...] = ()  # modules that implement it, "separatrix.constructions.index_lookup"
    errata: tuple[Erratum, ...] = ()

    @property
    def paper(self) -> str:
        """The paper's own name, the first word of every key."""
        return self.key.split(" ", 1)[0]
