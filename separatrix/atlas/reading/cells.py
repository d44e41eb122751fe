"""The cells of the map: what is known of one task on one architecture, put together from bounds, certificates and stored results.

Nothing here is a table of its own: bounds and sizes come from the records of `separatrix bounds`, what is built from certificates that the
checker accepts, what is learned from the rows of studies. Where these say nothing, the cell says that the question is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from separatrix.architectures import Architecture, Quantity
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.atlas.reading.material import Material
from separatrix.atlas.typography import number, percent
from separatrix.checker import STRENGTHS
from separatrix.constructions import CONSTRUCTIONS, construction
from separatrix.tasks import TASKS

IMPOSSIBLE, BUILT, LEARNED, OPEN = "impossible", "built", "learned", "open"
STATUSES = {IMPOSSIBLE: "impossible below a size", BUILT: "built", LEARNED: "trained", OPEN: "open"}
MARKS = {IMPOSSIBLE: "✕", BUILT: "✓", LEARNED: "~", OPEN: "?"}
BY_LAYERS = (Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS)
LEARNED_FROM = 0.95  # right on so large a share of a test: the task was learned at that length
TRIVIAL = 1  # every model has that much of anything


@dataclass(frozen=True)
class Line:
    """One thing that a cell says."""

    status: str
    text: str
    strength: str = ""  # of the certificate, for what is built

    @property
    def mark(self) -> str:
        """A sign for the status, for readers who see no colours."""
        return MARKS[self.status]


@dataclass(frozen=True)
class Cell:
    """A task on an architecture. Sizes in `rows` are those at one length of the task; each certificate has its own."""

    task: str
    architecture: Architecture
    length: int  # the N of `rows`
    rows: tuple[dict[str, Any], ...]  # of the table of bounds
    certificates: tuple[CertificateFile, ...]  # the strongest and longest first
    learned: tuple[dict[str, Any], ...]  # those that learned it, the longest first; then the best of the others
    with_fewer: Architecture | None = None  # a Transformer of fewer layers that is built

    @property
    def bounds(self) -> tuple[dict[str, Any], ...]:
        """The lower bounds that say something, bits of state first."""
        known = [row for row in self.rows if row["value"] is not None and row["value"] > TRIVIAL]
        return tuple(sorted(known, key=lambda row: (row["quantity"] != Quantity.STATE_BITS, -row["value"])))

    @property
    def lines(self) -> tuple[Line, ...]:
        """What the cell says, never nothing."""
        said = []
        if self.bounds:
            said.append(Line(IMPOSSIBLE, f"impossible below {amount(self.bounds[0])}, N = {number(self.length)}"))
        if self.certificates:
            best = self.certificates[0]
            said.append(Line(BUILT, f"built, {size_of(best)}", best.verdict.strength))
        if self.learned:
            best_row = self.learned[0]
            where = f"{best_row['model']}, N = {best_row['length']}"
            verb = "learned" if best_row["accuracy"] >= LEARNED_FROM else "trained"
            said.append(Line(LEARNED, f"{verb} to {percent(best_row['accuracy'])} ({where})"))
        if not self.certificates:
            beside = f"; a {self.with_fewer} is built" if self.with_fewer else ""
            said.append(Line(OPEN, ("open above that" if self.bounds else "open") + beside))
        return tuple(said)

    @property
    def statuses(self) -> tuple[str, ...]:
        """The kinds of things it says."""
        return tuple(line.status for line in self.lines)

    @property
    def question(self) -> str:
        """What nobody knows about this cell, or this project does not; empty if need and build meet."""
        if not self.certificates:
            if self.with_fewer:
                return f"Does the task get easier with more layers? A {self.with_fewer} does it; nothing with more layers is built here."
            if not self.bounds:
                return "Can it be done at all, and how large must the model be? There is no lower bound and no construction here."
            enough = "That much is enough for some model of this kind, but none" if self.bounds[0]["tight"] else "No construction"
            return f"What can a model with {amount(self.bounds[0])} or more do? {enough} is built here."
        if not self.bounds:
            return "Can it be smaller? No lower bound above 1 is known for this architecture."
        gaps = [row for row in self.bounds if row["built"] is not None and row["built"] > row["value"]]
        if gaps:
            return f"What is the least? At this N, {amount(gaps[0])} is needed, and {number(gaps[0]['built'])} is built."
        met = self.bounds[0]["tight"] or any(row["built"] is not None for row in self.bounds)
        return "" if met else f"Is {amount(self.bounds[0])} enough?"


def cells(material: Material) -> dict[str, dict[Architecture, Cell]]:
    """Every cell by task and architecture."""
    built = _built(material.certificates)
    learned: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in material.records.content("map", "learned"):
        learned.setdefault((row["task"], row["architecture"]), []).append(row)
    found: dict[str, dict[Architecture, Cell]] = {}
    for task in TASKS:
        known = material.records.content("known", task)
        found[task] = {
            one: Cell(
                task,
                one,
                known["parameters"]["length"],
                tuple(row for row in known["rows"] if row["architecture"] in (one, one.special_case_of)),
                tuple(sorted(built.get((task, one), ()), key=_strongest)),
                tuple(sorted(learned.get((task, one), ()), key=_learned_best)),
                next((fewer for fewer in _fewer_layers(one) if (task, fewer) in built), None),
            )
            for one in Architecture
        }
    return found


def _built(certificates: Iterable[CertificateFile]) -> dict[tuple[str, Architecture], list[CertificateFile]]:
    """Certificates of programs by task and architecture; a special case also counts for the wider kind."""
    built: dict[tuple[str, Architecture], list[CertificateFile]] = {}
    for certificate in certificates:
        if certificate.subject in CONSTRUCTIONS and certificate.document.get("kind") == "program":
            own = construction(certificate.subject).architecture
            for one in (own, own.special_case_of):
                if one is not None:
                    built.setdefault((certificate.task, one), []).append(certificate)
    return built


def _fewer_layers(architecture: Architecture) -> tuple[Architecture, ...]:
    """Transformers of fewer layers."""
    return BY_LAYERS[: BY_LAYERS.index(architecture)] if architecture in BY_LAYERS else ()


def amount(row: dict[str, Any]) -> str:
    """A bound's value in words: 600 bits of state, width 19."""
    value = number(row["value"])
    if row["quantity"] == Quantity.STATE_BITS:
        return f"{value} bits of state"
    quantity, _, condition = str(row["quantity"]).partition(", ")
    return f"{quantity.replace(' x ', ' × ')} {value}" + (f" ({condition})" if condition else "")


def size_of(certificate: CertificateFile) -> str:
    """The size of a built model: its width, or the bits of its state, and N."""
    sizes, length = certificate.part("sizes"), certificate.length
    state = sizes.get("state_bits")
    size = f"{number(state)} bits of state" if state is not None else f"width {number(sizes.get('width'))}"
    return size if length is None else f"{size}, N = {number(length)}"


def count(every: Iterable[Cell], status: str) -> int:
    """How many cells say something of a kind."""
    return sum(status in cell.statuses for cell in every)


def _strongest(certificate: CertificateFile) -> tuple[int, int]:
    return -STRENGTHS.index(certificate.verdict.strength), -(certificate.length or 0)


def _learned_best(row: dict[str, Any]) -> tuple[bool, float, float]:
    learned = row["accuracy"] >= LEARNED_FROM
    return not learned, -row["length"] if learned else 0, -row["accuracy"]
