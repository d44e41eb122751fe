"""Results of a study's cells, one by one, with a line of progress for each."""

from __future__ import annotations

from dataclasses import replace

from separatrix.studies import study, study_rows
from separatrix.studies.stored import computed_results


def test_every_cell_is_announced_before_it_is_computed() -> None:
    told: list[str] = []
    cells = ({"length": 4}, {"length": 8})
    one = replace(study("precision"), name="two-cells", cells=cells, run=lambda cell: (len(told), cell["length"]), rows=list, trains=False)
    assert study_rows(one, told.append) == [(1, 4), (2, 8)]
    assert told == ["[1/2] two-cells length=4", "[2/2] two-cells length=8"]
    assert computed_results(one) == [(2, 4), (2, 8)]  # and in silence where nobody listens


def test_results_that_are_shipped_are_not_computed() -> None:
    learned = study("lookup-learned")
    told: list[str] = []
    assert len(computed_results(learned, told.append)) == len(learned.cells)
    assert told == []
