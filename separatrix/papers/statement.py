"""A paper as data: its statements in our own words, and what a second reading adds to each."""

from __future__ import annotations

import re
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
    "remark",
    "equation",
]
Status = Literal["built", "bounded", "measured", "implemented", "partly", "stated", "open"]
Severity = Literal["error", "gap", "misprint", "note", "code"]
Survives = Literal["as stated", "with another proof or constant", "needs a changed statement", "not applicable"]

ERRATA: tuple[Severity, ...] = ("error", "gap", "misprint")


@dataclass(frozen=True)
class Entry:
    """What a second reading adds: what the paper says in our words, what holds, and how to see it.

    error     a statement, a proof step or a printed construction fails
    gap       a step, a condition or a convention is left open
    misprint  a typo: a sign, an index, a reference, two places that disagree
    note      the paper is right: a sharper bound, a constant, an extension
    code      a remark on released code or data
    Only the first three are errata.
    """

    severity: Severity
    says: str
    holds: str
    evidence: str
    survives: Survives = "not applicable"  # does the statement stand, or the ones named in `bears_on`?
    bears_on: tuple[str, ...] = ()  # keys, where the entry is about a step or a part of something else
    repeats: str = ""  # the key where the same point stands first; a repeated point is not counted
    command: str = ""  # a `separatrix` or `pytest` line that shows it from this repository
    shows: str = ""  # what a `separatrix` line prints there
    rerun: bool = True  # False: the evidence comes from code that is not in this repository
    commit: str = ""  # the version of released code that was read

    @property
    def is_erratum(self) -> bool:
        """An error, a gap or a misprint."""
        return self.severity in ERRATA


@dataclass(frozen=True)
class Statement:
    """A claim of a paper: where it stands, what it says in our words, and how far we are with it.

    `status` says what the project holds: built (exact weights), bounded (a bound that runs), measured (numbers from experiments),
    implemented (a definition or a task that the code uses), partly (some of it; `missing` says what is left), stated (on record, no
    code), open (not known). It follows from the citations in the code where it can.
    """

    key: str  # "bhattamishra2024 Theorem 1"
    kind: Kind
    says: str
    place: str  # where it is stated: "section 3.1"
    proof: str = ""  # where it is proven: "appendix C.2"
    assumes: str = ""  # what it rests on that is not proven
    missing: str = ""  # the part that the project does not hold; present exactly where the status is `partly`
    status: Status = "stated"
    code: tuple[str, ...] = ()  # modules that cite it, "separatrix.constructions.index_lookup"
    entries: tuple[Entry, ...] = ()

    @property
    def paper(self) -> str:
        """The paper's own name, the first word of every key."""
        return self.key.partition(" ")[0]

    @property
    def name(self) -> str:
        """The key without its paper: `Theorem 1`."""
        return self.key.partition(" ")[2]

    @property
    def errata(self) -> tuple[Entry, ...]:
        """The errors, gaps and misprints."""
        return tuple(entry for entry in self.entries if entry.is_erratum)

    @property
    def notes(self) -> tuple[Entry, ...]:
        """What more is known, and remarks on released code."""
        return tuple(entry for entry in self.entries if not entry.is_erratum)


@dataclass(frozen=True)
class Paper:
    """A paper: which text was read, what stands, and its statements."""

    name: str
    short: str  # "Hahn 2020"
    title: str
    version: str
    statements: tuple[Statement, ...]
    authors: str = ""
    year: int = 0
    numbering: str = ""  # which numbers are the paper's and which are ours
    stands: tuple[str, ...] = ()  # the opening lines of its errata

    @property
    def arxiv(self) -> str:
        """Its number on arXiv, from the version that was read."""
        number = re.search(r"arXiv (\d{4}\.\d{4,5})", self.version)
        return "" if number is None else number[1]

    @property
    def address(self) -> str:
        """The web address of the paper."""
        return f"https://arxiv.org/abs/{self.arxiv}"

    @property
    def reference(self) -> str:
        """Authors, title, year."""
        return f"{self.authors}: {self.title}, {self.year}"
