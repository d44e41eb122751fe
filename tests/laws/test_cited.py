"""What is only cited is never drawn like what was shown here: not on the map, not on a chip, not in the answer to a question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from separatrix.architectures import COLUMNS, Architecture
from separatrix.atlas.pages.map import square
from separatrix.atlas.pages.tasks import verdict
from separatrix.atlas.reading.asked import NO, reply
from separatrix.atlas.reading.cells import CITED, IMPOSSIBLE, Cell
from separatrix.ledger.cells import CellFacts
from separatrix.ledger.fact import What
from separatrix.ledger.ledger import facts_of

TASKS_MET = ("parity", "dyck-1", "dyck-2", "regular")


def cell_of(task: str, one: Architecture) -> Cell:
    return Cell(CellFacts(task, one, tuple(fact for fact in facts_of(task) if fact.architecture is one)), 1000)


@pytest.mark.parametrize("task", TASKS_MET)
def test_a_cell_is_drawn_as_impossible_only_by_what_was_shown_here(task: str) -> None:
    for one in COLUMNS:
        cell = cell_of(task, one)
        shown = any(fact.decides for fact in cell.known.impossible)
        only_cited = bool(cell.known.impossible) and not shown
        assert ("never" in square(cell).split()) == shown
        assert ("cited" in square(cell).split()) == only_cited
        assert (CITED in cell.statuses) == only_cited
        assert (verdict(cell)[0] == "Impossible at every size") == shown
        if only_cited:
            assert IMPOSSIBLE not in cell.statuses or cell.bounds
            assert verdict(cell)[0] == "Impossible, by a theorem that is cited"
            assert reply(cell, 1000, None, {}, frozenset()).tone != NO


def test_both_kinds_are_met_and_what_was_shown_goes_first() -> None:
    hard, mamba = cell_of("parity", Architecture.HARD_ATTENTION), cell_of("parity", Architecture.MAMBA)
    assert square(hard).split()[0] == "cited"
    assert square(mamba).split()[0] == "never"
    (said,) = hard.known.of(What.IMPOSSIBLE)
    both = Cell(replace(hard.known, facts=(said, replace(said, strength="proven"))), 1000)
    assert square(both).split()[0] == "never"
    assert both.lines[0].status == IMPOSSIBLE
