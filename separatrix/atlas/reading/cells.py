"""The cells of the map in words: what the ledger has on one task and one architecture, and the question that is left.

Every line carries the id of its evidence: the digest of a certificate, the key of a statement, or the id of a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.atlas.reading.material import Material
from separatrix.atlas.typography import number, percent
from separatrix.constructions import CONSTRUCTIONS
from separatrix.ledger.cells import CellFacts, grid, is_learned
from separatrix.ledger.certified import from_document
from separatrix.ledger.fact import ACCURACY, Fact
from separatrix.ledger.learned import OF
from separatrix.ledger.ledger import with_reductions
from separatrix.ledger.subject import subject_of, subject_words
from separatrix.records.task_choices import bounded_task

IMPOSSIBLE, CITED, BUILT, LEARNED, OPEN = "impossible", "cited", "built", "learned", "open"
STATUSES = {
    IMPOSSIBLE: "impossible, or impossible below a size",
    CITED: "impossible by a theorem that is cited",
    BUILT: "built",
    LEARNED: "trained",
    OPEN: "open",
}
WITH = {Mode.ALONE: "", Mode.CHAIN: "with a chain of thought: ", Mode.RETRIEVAL: "with retrieval: "}


@dataclass(frozen=True)
class Line:
    """One thing that a cell says, and the fact that says it; an open question has none."""

    status: str
    text: str
    fact: Fact | None = None

    @property
    def strength(self) -> str:
        """How strongly the certificate shows what is built."""
        return self.fact.strength if self.fact is not None and self.status == BUILT else ""

    @property
    def evidence(self) -> str:
        """The id of the certificate, row or statement behind the line."""
        return "" if self.fact is None else self.fact.evidence.key


@dataclass(frozen=True)
class Cell:
    """A task on an architecture. Bounds are at one length of the task; each certificate and each row has its own."""

    known: CellFacts
    length: int  # the N of bounds

    @property
    def task(self) -> str:
        """The task, which is the row of the map."""
        return self.known.task

    @property
    def architecture(self) -> Architecture:
        """The architecture, which is the column of the map."""
        return self.known.architecture

    @property
    def bounds(self) -> tuple[Fact, ...]:
        """The lower bounds that say something."""
        return self.known.bounds

    @property
    def certificates(self) -> tuple[Fact, ...]:
        """What is built in any mode, the strongest first."""
        return tuple(fact for mode in Mode for fact in self.known.built(mode))

    @property
    def learned(self) -> tuple[Fact, ...]:
        """What was trained in any mode."""
        return tuple(fact for mode in Mode for fact in self.known.learned(mode))

    @property
    def lines(self) -> tuple[Line, ...]:
        """What the cell says, never nothing."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[Line]:
        for fact in self.known.impossible[:1]:
            whom = "for one model at all lengths" if fact.lengths.kind == "all" else f"at {fact.lengths}"
            shown = "a certificate" if fact.evidence.kind == "certificate" else fact.evidence.key
            status = IMPOSSIBLE if fact.decides else CITED  # nothing here has replayed what is cited
            yield Line(status, f"impossible {whom}, whatever its size ({fact.strength}: {shown})", fact)
        for fact in self.bounds[:1]:
            yield Line(IMPOSSIBLE, f"impossible below {amount(fact)}, {lengths_of(fact)}{counted_with(fact)}", fact)
        for mode in Mode:
            for fact in self.known.built(mode)[:1]:
                yield Line(BUILT, f"{WITH[mode]}built, {size_of(fact)}{along(fact)}", fact)
        for mode in Mode:
            for fact in self.known.learned(mode)[:1]:
                yield Line(LEARNED, f"{WITH[mode]}{result_of(fact)}", fact)
        if not self.known.built() and not self.known.impossible:
            yield Line(OPEN, "open above that" if self.bounds else "open")

    @property
    def statuses(self) -> tuple[str, ...]:
        """The kinds of things it says."""
        return tuple(dict.fromkeys(line.status for line in self.lines))

    @property
    def question(self) -> str:
        """What nobody knows about this cell, or this project does not; empty if need and build meet."""
        built = self.known.built()
        if self.known.impossible:
            return ""
        if not built:
            if not self.bounds:
                return "Can it be done at all, and how large must the model be? There is no lower bound and no construction here."
            enough = "That much is enough for some recurrent model, but none of this kind" if self.bounds[0].more["tight"] else "None"
            return f"What can a model with {amount(self.bounds[0])} or more do? {enough} is built here."
        if not self.bounds:
            return "Can it be smaller? No lower bound above 1 is known for this architecture."
        least = self.bounds[0]
        same = [
            fact
            for fact in built
            if fact.quantity == least.quantity and fact.lengths.N in (None, least.lengths.N) and subject_of(fact) == subject_of(least)
        ]
        if least.more["tight"]:
            return ""  # this much is enough, by a count or by a construction
        if same:
            best = min(fact.value or 0 for fact in same)
            return "" if best <= (least.value or 0) else f"What is the least? {amount(least)} is needed, and {number(best)} is built."
        return f"Is {amount(least)} enough?"


def cells(material: Material) -> dict[str, dict[Architecture, Cell]]:
    """Every cell by task and architecture, with what is built by the certificates at hand."""
    known = [
        from_document(one.document, one.verdict.strength, one.verdict.claim, one.verdict.architecture)
        for one in ours(material.certificates)
    ]
    built = with_reductions([line for line in known if line is not None])
    return {task: {one: Cell(facts, bounded_task(task).length) for one, facts in row.items()} for task, row in grid(built).items()}


def ours(certificates: Iterable[CertificateFile]) -> Iterator[CertificateFile]:
    """The certificates of constructions of this package."""
    return (one for one in certificates if one.subject in CONSTRUCTIONS and one.document.get("kind") == "program")


def amount(fact: Fact) -> str:
    """A bound's value in words: 600 bits of state, width 19."""
    value = number(fact.value)
    if fact.quantity == Quantity.STATE_BITS:
        return f"{value} bits of state"
    if fact.quantity == Quantity.REACH:
        return f"a view of {value} tokens"
    quantity, _, condition = str(fact.quantity).partition(", ")
    if quantity == "layers":
        return f"{value} layer{'' if fact.value == 1 else 's'}" + (f" ({condition})" if condition else "")
    return f"{quantity.replace(' x ', ' × ')} {value}" + (f" ({condition})" if condition else "")


def lengths_of(fact: Fact) -> str:
    """The lengths that a fact is about: `N = 1 000`, or `all N`."""
    return f"N = {number(fact.lengths.N)}" if fact.lengths.kind == "one" else str(fact.lengths)


def counted_with(fact: Fact) -> str:
    """The other settings of a task whose states were counted at a size of its own: `, rows = 6, rule = 30`."""
    return "".join(f", {name} = {value}" for name, value in fact.more.get("counted_at", {}).items())


def size_of(fact: Fact) -> str:
    """The size of a built model: its width, or the bits of its state, N, and what it is about."""
    return f"{amount(fact)}, {lengths_of(fact)}{about(fact)}"


def about(fact: Fact) -> str:
    """The language, machine or other parameters that a fact is about: `, language = (ab)*`."""
    words = subject_words(fact)
    return f", {words}" if words else ""


def along(fact: Fact) -> str:
    """The inclusions and reductions by which a fact came to this cell."""
    return f"; {'; '.join(fact.steps)}" if fact.steps else ""


def result_of(fact: Fact) -> str:
    """A result of training, with both lengths where they differ."""
    more = fact.more
    where = f"{more['model']}, N = {number(more['tested_at'])}{about(fact)}"
    if more["trained_at"] != more["tested_at"]:
        where += f", trained at {number(more['trained_at'])}"
    if fact.quantity != ACCURACY:
        return f"trained to {fact.value:.3f} nats per symbol ({where})"
    return f"{'learned' if is_learned(fact) else 'trained'} to {percent(fact.value or 0)}{OF[more['metric']]} ({where})"


def count(every: Iterable[Cell], status: str) -> int:
    """How many cells say something of a kind."""
    return sum(status in cell.statuses for cell in every)
