"""The ledger itself: facts from bounds, certificates and rows, and what follows from them along inclusions and reductions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from separatrix.architectures import Architecture, Mode
from separatrix.bounds.number_format import NumberFormat
from separatrix.errors import BadInput, did_you_mean
from separatrix.ledger.built import built_facts, predicted_facts
from separatrix.ledger.certified import Certified
from separatrix.ledger.cited import cited_facts
from separatrix.ledger.decided import decided_facts
from separatrix.ledger.fact import Fact
from separatrix.ledger.inclusions import downwards, upwards
from separatrix.ledger.learned import learned_facts
from separatrix.ledger.needed import needed_facts
from separatrix.ledger.reductions import reduced
from separatrix.records.task_choices import bounded_task
from separatrix.tasks import TASKS, Task

NUMBERS = NumberFormat(32)  # for bounds on widths, where the user chose none


def facts_about(task: Task, built: Iterable[Fact] | None = None, numbers: NumberFormat = NUMBERS, learned: bool = True) -> tuple[Fact, ...]:
    """Everything known of a task: bounds at its own size, certificates and rows at theirs, and what is inherited."""
    direct = [*needed_facts(task, numbers), *cited_facts(task), *decided_facts(task)]
    direct += [fact for fact in (all_built() if built is None else built) if fact.task == task.name]
    inherited = [moved for fact in direct for moved in (*upwards(fact), *downwards(fact))]
    of_rows = learned_facts(task.name) if learned else ()
    return (*direct, *inherited, *of_rows)


@cache
def facts_of(name: str) -> tuple[Fact, ...]:
    """Everything known of a task by name, with bounds at the size at which its page has them."""
    return facts_about(bounded_task(name))


def all_facts() -> tuple[Fact, ...]:
    """The whole ledger."""
    return tuple(fact for name in TASKS for fact in facts_of(name))


@cache
def all_built() -> tuple[Fact, ...]:
    """What is built by the shipped index, also by reduction."""
    return with_reductions(None)


def with_reductions(certificates: Iterable[Certified] | None) -> tuple[Fact, ...]:
    """What is built by these certificates, also by reduction."""
    direct = (*built_facts(certificates), *predicted_facts())
    return (*direct, *reduced(direct))


def named_architecture(name: str) -> Architecture:
    """An architecture by its value or title, without regard to case; refuses another with the nearest name."""
    wanted = name.casefold()
    for one in Architecture:
        if wanted in (one.value.casefold(), one.heading.casefold(), one.name.casefold().replace("_", "-")):
            return one
    names = [one.value for one in Architecture]
    raise BadInput(f"no architecture {name!r}{did_you_mean(wanted, names) or ':'} expected one of {', '.join(names)}")


def named_mode(name: str) -> Mode:
    """A mode by name, or by its first word."""
    for one in Mode:
        if name.casefold() in (one.value, one.value.split()[0], one.value.replace(" ", "-")):
            return one
    nearest = did_you_mean(name.casefold(), [one.value.split()[0] for one in Mode])
    raise BadInput(f"no mode {name!r}{nearest or ':'} expected one of {', '.join(Mode)}")
