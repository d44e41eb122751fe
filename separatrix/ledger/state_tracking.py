"""State tracking in numbers: what the table of all small languages says, and the verdicts on languages that people know.

    separatrix decide --all --states 4 --out DIR
    python -m separatrix.ledger.state_tracking DIR/languages-4.jsonl.gz

The second command checks the table, counts its classes, decides the languages that have a name, and writes the record that is shipped.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from separatrix.bounds.languages.class_counts import class_counts
from separatrix.errors import BadInput

PLACE = files("separatrix.ledger").joinpath("data").joinpath("state_tracking.json")
SHOWN = (  # side by side on the page; every other language of the gallery has its verdicts where it is drawn
    "first-is-1", "last-is-1", "flip-flop", "alternating", "even-pairs", "dyck-1-2", "even-length", "parity", "mod-3", "s3", "a4", "a5",
)  # fmt: skip


@dataclass(frozen=True)
class TrackedLanguage:
    """A language of the gallery with the classes that decide, and what `decide` says of each architecture."""

    name: str
    states: int
    star_free: bool
    r_trivial: bool
    rows: Mapping[str, tuple[str, int | None, int | None, str]]  # architecture -> verdict, layers, width, and a remark


@dataclass(frozen=True)
class TrackedGroup:
    """A group by name, with the orders of its derived series, and the architectures whose weights track it."""

    name: str
    degree: int
    derived: tuple[int, ...]
    monotone: str  # the verdict on all architectures inside the barrier
    built: tuple[str, ...]

    @property
    def solvable(self) -> bool:
        """Whether the series ends at 1."""
        return self.derived[-1] == 1


@dataclass(frozen=True)
class StateTracking:
    """How many small regular languages each class has, and the languages by name."""

    claim: str  # the checker's sentence about the table
    checked: Mapping[str, int]  # what the checker counted in it
    by_states: Mapping[int, Mapping[str, int]]  # languages with exactly so many states in each class
    languages: tuple[TrackedLanguage, ...]  # the gallery
    groups: tuple[TrackedGroup, ...]

    @property
    def shown(self) -> tuple[TrackedLanguage, ...]:
        """The languages of the page."""
        return tuple(one for name in SHOWN for one in self.languages if one.name == name)

    def count(self, name: str) -> int:
        """How many languages of the table lie in a class."""
        return sum(counts.get(name, 0) for counts in self.by_states.values())


@cache
def state_tracking() -> StateTracking:
    """The counts that are shipped with the package."""
    record = json.loads(PLACE.read_text(encoding="utf-8"))
    return StateTracking(
        record["claim"],
        record["checked"],
        {int(states): counts for states, counts in record["by_states"].items()},
        tuple(TrackedLanguage(**{**one, "rows": {name: tuple(row) for name, row in one["rows"].items()}}) for one in record["languages"]),
        tuple(
            TrackedGroup(one["name"], one["degree"], tuple(one["derived"]), one["monotone"], tuple(one["built"]))
            for one in record["groups"]
        ),
    )


def record_of(table: Path) -> dict[str, Any]:
    """The record of a decided table."""
    from separatrix.tasks.languages.gallery import GALLERY

    return {**counted_in(table), "languages": [*map(tracked, GALLERY)], "groups": [*tracked_groups()]}


def counted_in(table: Path) -> dict[str, Any]:
    """What a table says that the checker accepts: its sentence, its counts, and the classes of the languages."""
    from separatrix.checker.decided import check_table

    verdict, checked = check_table(table)
    if not verdict.holds:
        raise BadInput(f"{str(table)!r}: {verdict.reason}")
    return {"claim": verdict.claim, "checked": checked, "by_states": class_counts(_languages(table))}


def _languages(table: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(table, "rt", encoding="utf-8") as file:
        yield from (line for line in map(json.loads, file) if "kind" not in line)


def tracked(name: str) -> dict[str, Any]:
    """What `decide` says of a language of the gallery."""
    from separatrix.refuters.decide import decide
    from separatrix.tasks.languages.gallery import MARK

    report = decide(f"{MARK}{name}")
    rows = {row["architecture"]: [row["verdict"], row["layers"], row["width"], _remark(row)] for row in report["rows"]}
    return {"name": name, **{fact: report[fact] for fact in ("states", "star_free", "r_trivial")}, "rows": rows}


def _remark(row: Mapping[str, Any]) -> str:
    """What a citation says, or that weights are too wide to be run, though their cascade was."""
    from separatrix.bounds.languages.verdict_rules import BUILT

    run = row["pairs"] is not None or row["verdict"] != BUILT or not row["by"]
    return str(row["says"]) or ("" if run else "by its cascade")


def tracked_groups() -> Iterator[dict[str, Any]]:
    """What `decide --groups` says."""
    from separatrix.bounds.languages.verdict_rules import BUILT
    from separatrix.refuters.decided_tables import decided_groups

    for group in decided_groups():
        built = [name for name, verdict in group["verdicts"].items() if verdict == BUILT]
        yield {
            "name": group["group"],
            "degree": group["degree"],
            "derived": group["derived"],
            "monotone": group["monotone"],
            "built": built,
        }


if __name__ == "__main__":
    Path(str(PLACE)).write_text(json.dumps(record_of(Path(sys.argv[1])), separators=(",", ":")) + "\n", encoding="utf-8")
