"""One table for a task at a length and a precision: what is needed, what is built, and the gap between them, from the ledger alone.

A row belongs to an architecture, a mode and a quantity, and joins two facts: what is impossible below a size, and the smallest that is
built, which knows the sizes of its own construction and refuses a number format that cannot hold it. What was learned stands beside them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bounds.number_format import NumberFormat
from separatrix.ledger.cited import cited_facts
from separatrix.ledger.decided import decided_facts
from separatrix.ledger.fact import Evidence, Fact, Lengths, What
from separatrix.ledger.inclusions import INCLUSIONS, downwards
from separatrix.ledger.needed import needed_facts
from separatrix.tasks import TASKS, Task, is_of_the_package

Sizes = Mapping[str, int]  # "layers", "heads", "width", "precision_bits", and "state_bits", "value_width" where they are known
Status = Literal["met", "gap", "not built", "no bound"]
Key = tuple[Architecture, Mode, str]  # the last is a quantity
ALONE = (Quantity.STATE_BITS, Quantity.WIDTH)  # quantities that get a row even without a bound


class Declaration(Protocol):
    """What the table needs from a construction: name, task, architecture, and sizes without building weights."""

    @property
    def name(self) -> str:
        """The name that `separatrix build` takes."""

    @property
    def task(self) -> str:
        """The name of its task."""

    @property
    def architecture(self) -> str:
        """The value of an `Architecture`."""

    @property
    def mode(self) -> Mode:
        """Whether it answers at once, writes a chain of thought, or searches its text."""

    @property
    def sees_all(self) -> bool:
        """Whether tokens read later ones, so that no causal model has these weights."""

    @property
    def variants(self) -> Iterable[Mapping[str, Any]]:
        """Settings of a construction that are compared for the smallest."""

    def sizes(self, task_parameters: Mapping[str, Any], settings: Mapping[str, Any], arithmetic: str | None) -> Sizes | None:
        """The sizes at these parameters; None if it refuses them. By default in the arithmetic that it chooses itself."""


@dataclass(frozen=True)
class Row:
    """One architecture and quantity: what is needed, if that is known, and the smallest that is built, if anything is."""

    architecture: Architecture
    quantity: str
    bound: Fact | None
    built: Fact | None
    mode: Mode = Mode.ALONE
    bounded: str = ""  # the quantity of the same models that is bounded, where this one is not

    @property
    def status(self) -> Status:
        """Whether the construction meets the bound, or what is missing."""
        if self.bound is None:
            return "no bound"
        if self.built is None:
            return "not built"
        return "met" if (self.built.value or 0) <= (self.bound.value or 0) else "gap"

    @property
    def gap(self) -> float | None:
        """The ratio of what is built to what is needed."""
        return self.built.value / self.bound.value if self.bound and self.bound.value and self.built and self.built.value else None

    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        bound, built = self.bound, self.built
        about = bound.more if bound else {}
        return {
            "architecture": self.architecture,
            "mode": self.mode,
            "what": bound.what if bound else What.BUILT,
            "quantity": self.quantity,
            "value": bound.value if bound else None,
            "strength": bound.strength if bound else None,
            "evidence": bound.evidence.document() if bound else None,
            "formula": about.get("formula", f"none of its own: see {self.bounded}" if self.bounded else "no lower bound is known"),
            "cites": about.get("cites", ""),
            "tight": about.get("tight", False),
            "deterministic_only": about.get("deterministic_only", False),
            "caveat": "; ".join((*(bound.steps if bound else ()), *filter(None, [about.get("caveat")]))),
            "witness": about.get("witness"),
            "built": built.value if built else None,
            "from": list(built.steps) if built else [],
            "construction": built.more["construction"] if built else None,
            "settings": built.more["settings"] if built else None,
            "sees_all": built.more["sees_all"] if built else None,
            "arithmetic": built.more["arithmetic"] if built else None,
            "status": self.status,
            "gap": self.gap,
        }


def bounds_table(task: Task, numbers: NumberFormat, declared: Iterable[Declaration]) -> tuple[Row, ...]:
    """Everything that is impossible for a task at its size beside what is built for it, and then what is built without a bound."""
    best = with_inclusions(least_built(task, numbers, declared))
    every = (*needed_facts(task, numbers), *cited_facts(task), *decided_facts(task))
    impossible = [fact for fact in every if not fact.inherited and _at_this_size(fact, task)]
    rows = [Row(fact.architecture, fact.quantity, fact, best.get(_key(fact)), fact.mode) for fact in impossible]
    met = {_key(fact) for fact in impossible}
    inherited = {_key(moved): moved for fact in impossible for moved in downwards(fact)}
    for (architecture, mode, quantity), built in best.items():
        counted = quantity is Quantity.WIDTH and (architecture, mode, Quantity.STATE_BITS) in best  # the same state, in numbers
        if (architecture, mode, quantity) not in met and quantity in ALONE and not counted:
            bounded = next((fact.quantity for fact in impossible if _key(fact)[:2] == (architecture, mode) and fact.value is not None), "")
            rows.append(Row(architecture, quantity, inherited.get((architecture, mode, quantity)), built, mode, bounded))
    return tuple(rows)


def least_built(task: Task, numbers: NumberFormat, declared: Iterable[Declaration]) -> dict[Key, Fact]:
    """For each architecture, mode and quantity the smallest construction in a format of these numbers."""
    best: dict[Key, Fact] = {}
    if task.name in TASKS and not is_of_the_package(task):
        return best  # a user's task with the name of one of ours
    for one in declared:
        if one.task != task.name:
            continue
        for settings, arithmetic in itertools.product(one.variants, numbers.candidates()):
            sizes = one.sizes(task.parameters, settings, arithmetic)
            if sizes is None or ("state_bits" not in sizes and sizes["precision_bits"] > numbers.bits):  # registers are bits in any format
                continue
            architecture = Architecture(one.architecture).with_layers(sizes["layers"])
            for quantity, value in quantities(sizes, numbers.bits):
                known = best.get((architecture, one.mode, quantity))
                if known is None or value < (known.value or 0):
                    best[architecture, one.mode, quantity] = Fact(
                        task.name, task.parameters, architecture, one.mode, arithmetic or f"{sizes['precision_bits']} bits",
                        Lengths("one", task.length), What.BUILT, quantity, value, "declared", Evidence("construction", one.name),
                        more={
                            "construction": one.name,
                            "settings": dict(settings),
                            "arithmetic": arithmetic,
                            "sizes": dict(sizes),
                            "sees_all": one.sees_all,
                        },
                    )  # fmt: skip
    return best


def with_inclusions(best: Mapping[Key, Fact]) -> dict[Key, Fact]:
    """These facts, and each again in every architecture that contains the one that it is built in, for sizes that the inclusion keeps."""
    found = dict(best)
    for (_, mode, quantity), fact in best.items():
        for inclusion in INCLUSIONS:
            if inclusion.small is fact.architecture and quantity in inclusion.keeps:
                known = found.get((inclusion.large, mode, quantity))
                if known is None or (fact.value or 0) < (known.value or 0):
                    found[inclusion.large, mode, quantity] = fact.moved(f"from {inclusion.says}", architecture=inclusion.large)
    return found


def quantities(sizes: Sizes, p: int) -> Iterator[tuple[Quantity, int]]:
    """The value of each quantity for a model of these sizes, in numbers of p bits.

    The width of one layer is that of its values; that of a recurrent model is its state in numbers of p bits, a hybrid's its stream's.
    """
    if "state_bits" in sizes:
        yield Quantity.STATE_BITS, sizes["state_bits"]
    recurrent = "state_bits" in sizes and "value_width" not in sizes
    yield Quantity.WIDTH, -(-sizes["state_bits"] // p) if recurrent else sizes["width"]
    if sizes["layers"] == 1 and "value_width" in sizes:
        if sizes["heads"] == 1:
            yield Quantity.WIDTH_ONE_HEAD, sizes["value_width"]
        yield Quantity.WIDTH_TIMES_HEADS, sizes["value_width"] * sizes["heads"]
        if sizes["value_width"] >= 4:
            yield Quantity.WIDTH_TIMES_HEADS_FROM_4, sizes["value_width"] * sizes["heads"]


def _key(fact: Fact) -> tuple[Architecture, Mode, str]:
    return fact.architecture, fact.mode, fact.quantity


def _at_this_size(fact: Fact, task: Task) -> bool:
    """Whether it says something of inputs of this length: a count at the size of a page does not."""
    return fact.lengths.kind == "all" or task.length == fact.lengths.N
