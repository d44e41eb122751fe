"""What a task needs at several lengths: for each architecture the bound that says most, by formula; what takes a search is left out."""

from __future__ import annotations

from collections.abc import Mapping

from separatrix.architectures import COLUMNS, Architecture, Mode
from separatrix.bounds.limits import bounds_for
from separatrix.errors import BadInput
from separatrix.ledger.cells import CellFacts
from separatrix.ledger.fact import Fact
from separatrix.ledger.inclusions import downwards
from separatrix.ledger.ledger import NUMBERS
from separatrix.ledger.needed import bounded
from separatrix.records.task_choices import bounded_task

LENGTHS = (16, 100, 1000)


def needs_of(name: str) -> dict[int, Mapping[Architecture, Fact]]:
    """The strongest bound of a task by length and architecture; a length that the task refuses has none."""
    return {N: _at(name, N) for N in LENGTHS}


def _at(name: str, N: int) -> dict[Architecture, Fact]:
    task = bounded_task(name)
    try:
        at = task.at(N)
        direct = [bounded(at, NUMBERS, bound) for bound in bounds_for(at, NUMBERS.bits, NUMBERS.fraction)]
    except BadInput:
        return {}
    facts = [fact for fact in (*direct, *(moved for one in direct for moved in downwards(one))) if fact.mode is Mode.ALONE]
    facts = [fact for fact in facts if fact.lengths.kind == "all" or fact.lengths.N == N]
    cells = {one: CellFacts(name, one, tuple(fact for fact in facts if fact.architecture is one)) for one in COLUMNS}
    return {one: cell.bounds[0] for one, cell in cells.items() if cell.bounds}
