"""One task on one architecture: the facts of the ledger that a cell of the map shows, and what kind of cell that makes it.

Nothing here is a table of its own. The kinds, from the strongest: impossible at every size, built (proven, exhaustive, tested), inherited
along an inclusion or a reduction, impossible below a size, cited, learned only, open. Open means: no construction and no bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from separatrix.architectures import COLUMNS, Architecture, Mode, Quantity
from separatrix.ledger.fact import ACCURACY, STRENGTHS, Fact, What
from separatrix.ledger.ledger import facts_about, with_reductions
from separatrix.records.task_choices import bounded_task
from separatrix.tasks import TASKS

Kind = Literal["impossible at every size", "built", "inherited", "impossible below a size", "cited", "learned only", "open"]
LEARNED_FROM = 0.95  # right on so large a share of a test: the task was learned at that length
LONGEST = 1 << 62  # stands for all lengths
TRIVIAL = 1  # every model has that much of anything


@dataclass(frozen=True)
class CellFacts:
    """What is known of a task on an architecture, by kind; the facts to show first are first."""

    task: str
    architecture: Architecture
    facts: tuple[Fact, ...]

    def of(self, what: What, mode: Mode = Mode.ALONE) -> tuple[Fact, ...]:
        """Facts of one kind in one mode."""
        return tuple(fact for fact in self.facts if fact.what is what and fact.mode is mode)

    @property
    def impossible(self) -> tuple[Fact, ...]:
        """What no model of this kind does, whatever its size; what was shown here before what is only cited."""
        return tuple(sorted(self.of(What.IMPOSSIBLE), key=lambda fact: not fact.decides))

    @property
    def bounds(self) -> tuple[Fact, ...]:
        """The lower bounds that say something, bits of state first, then the largest."""
        known = [fact for fact in self.of(What.BELOW) if fact.value is not None and fact.value > TRIVIAL]
        return tuple(sorted(known, key=lambda fact: (fact.quantity != Quantity.STATE_BITS, -(fact.value or 0))))

    def built(self, mode: Mode = Mode.ALONE) -> tuple[Fact, ...]:
        """What is built: its own before inherited, then the strongest, then the longest; each certificate once."""
        ordered = sorted(self.of(What.BUILT, mode), key=_strongest)
        return tuple({fact.evidence.key: fact for fact in reversed(ordered)}.values())[::-1]

    def learned(self, mode: Mode = Mode.ALONE) -> tuple[Fact, ...]:
        """Facts of models that learned it, the longest test first; then the best of the others."""
        return tuple(sorted(self.of(What.LEARNED, mode), key=_learned_best))

    @property
    def kind(self) -> Kind:
        """The strongest thing that is known without a chain of thought or retrieval."""
        built = self.built()
        if any(fact.decides for fact in self.impossible):
            return "impossible at every size"
        if built:
            return "inherited" if built[0].inherited else "built"
        if self.bounds:
            return "impossible below a size"
        if self.impossible or self.of(What.CITED):
            return "cited"
        return "learned only" if self.learned() else "open"

    @property
    def strength(self) -> str:
        """How strongly what is built is shown."""
        built = self.built()
        return built[0].strength if built else ""


Grid = Mapping[str, Mapping[Architecture, CellFacts]]


def grid(built: Iterable[Fact] | None = None) -> dict[str, dict[Architecture, CellFacts]]:
    """Every cell by task and architecture; `built` replaces what the shipped index says."""
    known = tuple(with_reductions(None) if built is None else built)
    found: dict[str, dict[Architecture, CellFacts]] = {}
    for task in TASKS:
        facts = facts_about(bounded_task(task), known)
        found[task] = {one: CellFacts(task, one, tuple(fact for fact in facts if fact.architecture is one)) for one in COLUMNS}
    return found


def shown_kind(cell: CellFacts) -> str:
    """The kind of a cell; of a built one with the strength of its certificate."""
    return f"built, {cell.strength}" if cell.kind == "built" else cell.kind


def open_question(row: Mapping[Architecture, CellFacts], one: Architecture) -> str:
    """What is left of an open cell, by what its row has: who does the task, and who learned it."""
    built = [str(other) for other, cell in row.items() if cell.built()]
    learned = [str(other) for other, cell in row.items() if any(map(is_learned, cell.learned()))]
    nobody = "no weights of any kind are built for it without a chain"
    done = f"{_listed(built)} {'does' if len(built) == 1 else 'do'} it" if built else nobody
    seen = f"; {_listed(learned)} learned it" if learned and not built else ""
    return f"{done}{seen}: are there weights of {one}, or what excludes them?"


def _listed(names: list[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def is_learned(fact: Fact) -> bool:
    """Whether a result counts as learned and not only as trained."""
    return fact.quantity == ACCURACY and (fact.value or 0) >= LEARNED_FROM


def _strongest(fact: Fact) -> tuple[bool, int, int]:
    return fact.inherited, STRENGTHS.index(fact.strength), -(fact.lengths.N or LONGEST)


def _learned_best(fact: Fact) -> tuple[bool, float, float]:
    learned, value = is_learned(fact), fact.value or 0
    return not learned, -(fact.lengths.N or 0) if learned else 0, value if fact.quantity != ACCURACY else -value
