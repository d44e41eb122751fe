"""What the rows of a study say about its prediction: it held, it failed, or it has not been tested.

A prediction about learning *failed* only if the model had the paper's budget or no longer improved; a run that was cut short tests nothing.
An answer is a pure function of the rows: every number in its sentence is read from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from separatrix.studies.study import Row

Verdict = Literal["held", "failed", "untested"]


@dataclass(frozen=True)
class Answer:
    """The verdict on a prediction, and one sentence that says why."""

    verdict: Verdict
    sentence: str

    def line(self) -> str:
        """The answer as one line of text."""
        return f"{self.verdict}: {self.sentence}"

    @property
    def finding(self) -> str:
        """The first clause of the sentence, the title of a figure."""
        return re.split(r"; |\. |\.$", self.sentence)[0]

    @property
    def details(self) -> str:
        """What follows the first clause, as a sentence of its own; empty if nothing does."""
        rest = self.sentence.removeprefix(self.finding).lstrip(";. ")
        return f"{rest[:1].upper()}{rest[1:]}"


NOTHING = Answer("untested", "Nothing has been run yet.")


def decided(holds: bool, sentence: str, *, tested: bool = True) -> Answer:
    """Held or failed, or untested if what failed had too small a budget."""
    return Answer("held" if holds else "failed" if tested else "untested", sentence)


def done(rows: Iterable[Row]) -> list[Row]:
    """The rows of runs that ended."""
    return [row for row in rows if row.get("status") == "run"]


def first(rows: Iterable[Row], **fields: Any) -> Row | None:
    """The first row with these values, or None."""
    return next((row for row in rows if all(row.get(name) == value for name, value in fields.items())), None)


def shares(rows: Sequence[Row], name: str, value: str = "accuracy") -> str:
    """`a 100, b 99.5`: a number of each row behind the name of the row."""
    return ", ".join(f"{row[name]} {row[value]:g}" for row in rows)


def by(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """Rows in groups that agree in these fields, in order."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def seeds_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """How many seeds a statement rests on: of its weakest row."""
    fewest = min((row["seeds"] if row.get("seeds") else 1 for row in rows), default=0)
    return "one seed" if fewest == 1 else f"{fewest} seeds"


def seeds_among(rows: Iterable[Row], *names: str) -> str:
    """How many seeds a statement rests on, of rows of one seed each: those of every group that agrees in these fields."""
    counts = [len(group) for group in by(rows, *names).values()]
    least, most = min(counts), max(counts)
    fewest = "one seed" if least == 1 else f"{least} seeds"
    return fewest if least == most else f"{most} seeds, in places {fewest}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
